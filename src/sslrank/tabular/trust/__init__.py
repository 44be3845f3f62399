"""Tests, intervals, curves and checks of a ranking.

- :mod:`sslrank.tabular.trust.hypothesis_tests`: which features are related to the target, and which add information.
- :mod:`sslrank.tabular.trust.stability`: half-samples, and how many features are enough.
- :mod:`sslrank.tabular.trust.rows`: groups and time, and permutations that keep them.

:mod:`~sslrank.tabular.trust.checks` checks the table, :mod:`~sslrank.tabular.trust.redundancy` for
correlated features.
"""
