"""Committees of classifiers: co-training and permutation importances."""
