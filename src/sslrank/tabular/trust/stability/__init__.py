"""Stability of a ranking: half-samples, and curves on held-out rows."""
