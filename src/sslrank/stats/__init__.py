"""Statistics for comparing rankings: rank tests, pairwise tests and stability."""
