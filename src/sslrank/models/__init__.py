"""Models that predict targets: feature-weighted kNN, predictors of error curves, multi-label classifiers."""
