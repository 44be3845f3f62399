"""Basis of all packages: the ranker contract, encoding of features and targets, seeds, validation and errors."""
