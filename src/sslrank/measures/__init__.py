"""Measures of predictive performance: of one target or several (`single`), and of label sets (`multilabel`)."""
