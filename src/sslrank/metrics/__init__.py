"""Measures of performance for one or several targets (`single`) and for label sets (`multilabel`), and `averages`."""
