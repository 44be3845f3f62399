"""Figures, the results page, the manifest of a run and its summary."""
