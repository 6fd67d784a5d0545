"""Words: normalising, folding, cutting and analysing text in any script. Pure."""
