"""Extractors: passages to facts."""
