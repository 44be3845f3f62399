"""Statistics for comparing rankings: leaderboards, rank tests, pairwise tests and stability."""
