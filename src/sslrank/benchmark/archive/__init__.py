"""The archive of results: one file for each (study, dataset, method) and each experiment, and a manifest.

- :mod:`sslrank.benchmark.archive.record`: write and read one file.
- :mod:`sslrank.benchmark.archive.kept_rankings`: stability, best features and digests of rankings.
- :mod:`sslrank.benchmark.archive.experiments`: records of experiments, and the parts that they have.
- :mod:`sslrank.benchmark.archive.finished_jobs`: make records from the files of finished jobs.
- :mod:`sslrank.benchmark.archive.hours`: hours that the jobs of a study take on a number of cores.
- :mod:`sslrank.benchmark.archive.store`: the folder with its manifest.

To read the results of a study, with checks of their hashes and of common settings::

    from sslrank.benchmark.archive.store import Archive

    for record in Archive("results/archive").records("ssl-ranking"):
        record.what["dataset"], record.parts["score"]
    for record in Archive("results/archive").experiments("eca"):
        record.what["experiment"], record.parts["curves"]
"""
