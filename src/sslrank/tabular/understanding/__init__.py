"""Which columns of a person's table are features, targets or about rows.

:mod:`~sslrank.tabular.understanding.reading` reads a file and :mod:`~sslrank.tabular.understanding.table` takes arrays;
:mod:`~sslrank.tabular.understanding.target` and :mod:`~sslrank.tabular.understanding.features` decide what columns are.
"""
