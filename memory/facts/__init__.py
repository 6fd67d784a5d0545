"""Facts: what is taken out of a passage, by rules or by a model, and held against it. Pure."""
