"""Measuring the product on labelled questions, through the same ask that readers use."""
