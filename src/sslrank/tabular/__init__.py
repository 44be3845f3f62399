"""A person's own table: ``sslrank rank``, ``sslrank curve``, ``sslrank methods`` and :func:`sslrank.rank`.

This room uses the library below it, not the benchmark.

- :mod:`sslrank.tabular.table` reads the file; `target` and `features` decide what its columns are.
- :mod:`sslrank.tabular.methods`: the default methods, their settings, and how long they take.
- :mod:`sslrank.tabular.ranking`: ranks over samples of the rows, their consensus and stability.
- :mod:`sslrank.tabular.feature_curve`: how many features are enough.
- :mod:`sslrank.tabular.files` and :mod:`sslrank.tabular.html`: what is written.
"""

from sslrank.core.extras import require

require("readers", "ranking a table of your own")
