"""The archive of results: one Parquet file for each (study, dataset, method) and each experiment, and a manifest.

- :mod:`sslrank.pipeline.archive.record`: one file, written and read.
- :mod:`sslrank.pipeline.archive.summaries`: what is kept of the rankings.
- :mod:`sslrank.pipeline.archive.unfinished`: fits that a run goes on with.
- :mod:`sslrank.pipeline.archive.parts`: the tables of a record, from the files of jobs.
- :mod:`sslrank.pipeline.archive.experiments`: records of experiments, and the parts that they have.
- :mod:`sslrank.pipeline.archive.gathering`: a record of finished jobs.
- :mod:`sslrank.pipeline.archive.hours`: what the jobs of a study take on so many cores.
- :mod:`sslrank.pipeline.archive.store`: the folder with its manifest; checks, and changes that can be interrupted.

To read the results of a study, checked and alike::

    from sslrank.pipeline.archive.store import Archive

    for record in Archive("results/archive").records("ssl-ranking"):
        record.what["dataset"], record.parts["score"]
    for record in Archive("results/archive").experiments("eca"):
        record.what["experiment"], record.parts["curves"]
"""
