"""Rows that are not independent: groups, time, and their permutations."""
