"""A person's own table: ``sslrank rank``, ``sslrank curve``, ``sslrank methods`` and :func:`sslrank.rank`.

This room stands above rankers, data and evaluation, and beside the pipeline, which it does not use.

- :mod:`sslrank.tabular.table`: what a file is taken for; :mod:`sslrank.tabular.target` and :mod:`sslrank.tabular.features`: why.
- :mod:`sslrank.tabular.methods`: the default methods, their settings, and how long they take.
- :mod:`sslrank.tabular.ranking`: ranks over samples of the rows, their consensus and stability.
- :mod:`sslrank.tabular.feature_curve`: how many features are enough.
- :mod:`sslrank.tabular.files` and :mod:`sslrank.tabular.html`: what is written.
"""

from sslrank.core.extras import require

require("readers", "ranking a table of your own")
