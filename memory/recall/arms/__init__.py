"""The ways in which a memory is found. The keyword arm is ``memory.keywords``."""
