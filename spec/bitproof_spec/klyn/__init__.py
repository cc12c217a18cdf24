"""Klyn's KNN 1.0, bitproof profile: the document, its format, and why a file is refused."""
