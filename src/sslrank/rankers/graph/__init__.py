"""Rankers that score how well a feature agrees with a graph of the rows or with pairwise constraints."""
