"""Compare results from anywhere with those of the archive: ``sslrank compare`` and ``sslrank arena enter``.

- :mod:`sslrank.benchmark.submit.reading`: the CSV of rankings or scores.
- :mod:`sslrank.benchmark.submit.judging`: rankings become scores, on the splits and by the evaluator of the archive.
- :mod:`sslrank.benchmark.submit.ranks`: the tables and the page.
- :mod:`sslrank.benchmark.submit.enter`: a ranker is run, judged and compared on the datasets of the study ``arena``.
"""
