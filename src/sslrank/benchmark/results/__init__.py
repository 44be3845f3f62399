"""Results of a finished study: tables, leaderboards, and the comparison with published values."""

#: Level of every test.
ALPHA = 0.05
