"""A person's own table: ``sslrank rank``, ``reduce``, ``curve``, ``methods`` and :func:`sslrank.rank`.

This room uses the library below it, not the benchmark.

- :mod:`sslrank.tabular.reading` reads a file, :mod:`sslrank.tabular.table` takes arrays; `target` and `features` decide
  what columns are.
- :mod:`sslrank.tabular.problem` codes it once; :mod:`sslrank.tabular.methods`: default methods and their settings.
- :mod:`sslrank.tabular.ranking` does the work (spread by :mod:`sslrank.tabular.work`), which becomes a
  :class:`sslrank.tabular.result.Ranking`.
- :mod:`sslrank.tabular.chance`: rankings of shuffled targets; :mod:`sslrank.tabular.intervals`: half-samples;
  :mod:`sslrank.tabular.feature_curve`: how many features are enough; :mod:`sslrank.tabular.unlabeled`: whether
  unlabelled rows help; :mod:`sslrank.tabular.redundancy`: features that say the same.
- :mod:`sslrank.tabular.checks`, with :mod:`sslrank.tabular.rows`: what every table is checked for.
- :mod:`sslrank.tabular.report`, `files` and `html`: what is shown and written; :mod:`sslrank.tabular.reduce` reads
  it again.
"""

from sslrank.core.extras import require

require("readers", "ranking a table of your own")
