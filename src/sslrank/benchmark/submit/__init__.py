"""Rankings from anywhere and the archive's: ``sslrank compare``, ``sslrank evaluate`` and ``sslrank arena enter``.

- :mod:`sslrank.benchmark.submit.evaluating`: rankings become scores, on the data and splits of the archive.
- :mod:`sslrank.benchmark.submit.ranks`: the tables and the page of a comparison.
- :mod:`sslrank.benchmark.submit.standing`: where a result stands.
- :mod:`sslrank.benchmark.submit.evaluate_archived`: archived rankings are scored by another evaluator.
- :mod:`sslrank.benchmark.submit.entries`: entries of the arena as folders.
- :mod:`sslrank.benchmark.submit.enter`: a ranker is run, evaluated and compared on the datasets of the study ``arena``.
"""
