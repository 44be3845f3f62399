"""What a ranking of a person's table is worth.

:mod:`~sslrank.tabular.trust.significance`: tests of the features; :mod:`~sslrank.tabular.trust.intervals`:
half-samples; :mod:`~sslrank.tabular.trust.feature_curve`: how many features are enough;
:mod:`~sslrank.tabular.trust.unlabeled`: whether unlabelled rows help; :mod:`~sslrank.tabular.trust.redundancy`:
correlated features; :mod:`~sslrank.tabular.trust.checks`, with :mod:`~sslrank.tabular.trust.rows`: what every table is
checked for.
"""
