"""Evaluate submitted and archived rankings: ``sslrank compare``, ``evaluate`` and ``arena enter``.

- :mod:`sslrank.benchmark.submit.evaluating`: score rankings on the data and splits of the archive.
- :mod:`sslrank.benchmark.submit.compare`: tables and page of a comparison.
- :mod:`sslrank.benchmark.submit.standing`: the place of a result among the others.
- :mod:`sslrank.benchmark.submit.evaluate_archived`: score archived rankings by another evaluator.
- :mod:`sslrank.benchmark.submit.entries`: write entries of the arena as folders.
- :mod:`sslrank.benchmark.submit.enter`: run, evaluate and compare a ranker on the datasets of the study ``arena``.
"""
