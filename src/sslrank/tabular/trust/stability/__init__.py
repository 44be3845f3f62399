"""Curves on held-out rows: how many features are enough, and whether unlabelled rows help."""
