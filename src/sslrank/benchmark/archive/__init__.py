"""The archive of results: one file for each dataset of a study and each experiment, and their hashes.

- :mod:`sslrank.benchmark.archive.record`: write and read one file.
- :mod:`sslrank.benchmark.archive.whole`: whether a record is whole.
- :mod:`sslrank.benchmark.archive.kept_rankings`: stability, best features, orders and digests of rankings.
- :mod:`sslrank.benchmark.archive.experiments`: records of experiments, and the parts that they have.
- :mod:`sslrank.benchmark.archive.finished_jobs`: make records from the files of finished jobs.
- :mod:`sslrank.benchmark.archive.store`: the folder.

To read the results of a study, with checks of their hashes, of each record and of common settings::

    from sslrank.benchmark.archive.store import Archive

    for record in Archive("results/archive").records("ssl-ranking"):
        record.spec["dataset"], record.parts["score"]
    for record in Archive("results/archive").experiments("eca"):
        record.spec["experiment"], record.parts["curves"]
"""
