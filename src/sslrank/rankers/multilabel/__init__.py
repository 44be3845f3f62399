"""Rankers of multi-label data (thesis scls)."""
