"""Which columns of a user's table are features, targets or descriptions of rows.

:mod:`~sslrank.tabular.understanding.reading` reads a file and :mod:`~sslrank.tabular.understanding.table` takes arrays;
:mod:`~sslrank.tabular.understanding.target` and :mod:`~sslrank.tabular.understanding.features` decide what
columns are.
"""
