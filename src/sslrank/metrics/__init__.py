"""Measures of performance for one target or several (`single`) and for label sets (`multilabel`), their `averages`."""
