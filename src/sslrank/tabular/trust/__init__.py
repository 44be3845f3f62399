"""Tests, intervals, curves and checks of a ranking.

- :mod:`sslrank.tabular.trust.significance`: call the tests of :mod:`sslrank.hypothesis_tests` for a user's table.
- :mod:`sslrank.tabular.trust.procedure`: fit, test, and join ranks of methods and p-values into the order.
- :mod:`sslrank.tabular.trust.dependence`: groups, time, and guesses about them.
- :mod:`sslrank.tabular.trust.stability`: how many features are enough, and whether unlabelled rows help.

:mod:`~sslrank.tabular.trust.checks` checks the table, :mod:`~sslrank.tabular.trust.redundancy` for
correlated features.
"""
