"""Rows that are not independent: groups, time, and permutations that keep them."""
