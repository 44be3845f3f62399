"""The archive of results: one Parquet file for each (study, dataset, method) and each experiment, and a manifest.

- :mod:`sslrank.benchmark.archive.record`: one file, written and read.
- :mod:`sslrank.benchmark.archive.summaries`: what is kept of the rankings.
- :mod:`sslrank.benchmark.archive.unfinished`: fits that a run goes on with.
- :mod:`sslrank.benchmark.archive.parts`: the tables of a record, from the files of jobs.
- :mod:`sslrank.benchmark.archive.experiments`: records of experiments, and the parts that they have.
- :mod:`sslrank.benchmark.archive.gathering`: a record of finished jobs.
- :mod:`sslrank.benchmark.archive.hours`: what the jobs of a study take on so many cores.
- :mod:`sslrank.benchmark.archive.store`: the folder with its manifest; checks, and changes that can be interrupted.

To read the results of a study, checked and alike::

    from sslrank.benchmark.archive.store import Archive

    for record in Archive("results/archive").records("ssl-ranking"):
        record.what["dataset"], record.parts["score"]
    for record in Archive("results/archive").experiments("eca"):
        record.what["experiment"], record.parts["curves"]
"""
