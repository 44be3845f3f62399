"""The archive of results: one file for each dataset of a study and for each experiment, with their hashes.

- :mod:`sslrank.benchmark.archive.record`: write and read one file.
- :mod:`sslrank.benchmark.archive.completeness`: check that a record is complete.
- :mod:`sslrank.benchmark.archive.ranking_summaries`: stability, best features, orders and digests of rankings.
- :mod:`sslrank.benchmark.archive.finished_jobs`: build records from the files of finished jobs.
- :mod:`sslrank.benchmark.archive.store`: the folder.
- :mod:`sslrank.benchmark.archive.verified`: the table of recomputed cells.

To read the results of a study, checking the hashes, each record and the common settings::

    from sslrank.benchmark.archive.store import Archive

    for record in Archive("results/archive").records("ssl-ranking"):
        record.spec["dataset"], record.parts["score"]
"""
