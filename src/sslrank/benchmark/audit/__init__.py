"""``sslrank audit``: ledger, records, summaries and findings checked, and some results computed again.

- :mod:`sslrank.benchmark.audit.summaries`: make the tables and comparisons of a summary again, and compare them.
- :mod:`sslrank.benchmark.audit.recomputing`: draw cells, also of long jobs, and compute them again.
- :mod:`sslrank.benchmark.audit.cells`: compute one of them, and compare it.
- :mod:`sslrank.benchmark.audit.page`: the command and its page.
"""
