"""Compare results from anywhere with those of the archive: the command ``sslrank compare``.

- :mod:`sslrank.benchmark.submit.reading`: the CSV of rankings or scores.
- :mod:`sslrank.benchmark.submit.judging`: rankings become scores, on the splits and by the evaluator of the archive.
- :mod:`sslrank.benchmark.submit.ranks`: the tables and the page.
"""
