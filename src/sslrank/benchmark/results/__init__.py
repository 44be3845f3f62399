"""A finished study's numbers: tables, contests of methods, and the comparison with published values."""

#: Level of every test.
ALPHA = 0.05
