"""Measures of predictive performance: for one target or several (`single`) and for label sets (`multilabel`)."""
