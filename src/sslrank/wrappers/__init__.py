"""Wrappers: feature subsets judged by the accuracy of a classifier."""
