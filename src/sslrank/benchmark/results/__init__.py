"""Results of a finished study: tables, leaderboards, and comparison with published values."""

#: Significance level of all tests.
ALPHA = 0.05
