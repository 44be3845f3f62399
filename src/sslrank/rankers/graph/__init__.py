"""Rankers that score how well a feature respects a graph or pairwise constraints of the rows."""
