"""Which columns of a user's table are features, targets or descriptions of rows.

:mod:`~sslrank.tabular.schema.reading` reads a file and :mod:`~sslrank.tabular.schema.table` takes arrays;
:mod:`~sslrank.tabular.schema.target` and :mod:`~sslrank.tabular.schema.features` decide what
columns are.
"""
