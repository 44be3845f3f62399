"""Results from anywhere beside those of the archive: the command ``sslrank compare``.

- :mod:`sslrank.pipeline.compare.reading`: the CSV of rankings or scores.
- :mod:`sslrank.pipeline.compare.judging`: rankings become scores, on the splits and by the evaluator of the archive.
- :mod:`sslrank.pipeline.compare.contest`: the tables and the page.
"""
