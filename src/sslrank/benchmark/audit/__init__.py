"""``sslrank audit``: ledger, records, summaries and findings checked, and some results computed again.

- :mod:`sslrank.benchmark.audit.summaries`: make the tables and comparisons of a summary again, and compare them.
- :mod:`sslrank.benchmark.audit.recomputing`: draw cells, also of long jobs, and compute them again.
- :mod:`sslrank.benchmark.audit.cell`, :mod:`sslrank.benchmark.audit.part`: compute a cell, or a part of an experiment,
  again, and compare it with its record.
- :mod:`sslrank.benchmark.audit.verdicts`: which differences are allowed, and the table of recomputed cells.
- :mod:`sslrank.benchmark.audit.page`: the command and its page.
"""
