"""Is every claim carried by the words that it cites? Quotes, figures, names, sense of not. Pure."""
