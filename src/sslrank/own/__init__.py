"""A person's own table: ``sslrank rank``, ``sslrank curve``, ``sslrank methods`` and :func:`sslrank.rank`.

This room stands above rankers, data and evaluation, and beside the pipeline, which it does not use.

- :mod:`sslrank.own.table`: what a file is taken for; :mod:`sslrank.own.target` and :mod:`sslrank.own.features`: why.
- :mod:`sslrank.own.methods`: the default methods, their settings, and how long they take.
- :mod:`sslrank.own.ranking`: ranks over samples of the rows, their consensus and stability.
- :mod:`sslrank.own.enough`: how many features are enough.
- :mod:`sslrank.own.files` and :mod:`sslrank.own.page`: what is written.
"""

from sslrank.extras import require

require("readers", "ranking a table of your own")
