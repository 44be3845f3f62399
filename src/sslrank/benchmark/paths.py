"""Paths, from the working directory, of what the workflow keeps and commands read; the rules have those of jobs."""

#: Folder of the publications' tables, below the root of the repository.
PUBLISHED = "workflow/published"
#: The archive: see :mod:`sslrank.benchmark.archive`.
ARCHIVE = "results/archive"
SUMMARIES = "results/summaries"
#: Folder that `sslrank compare` writes.
SUBMITTED = "results/compare/{name}"
#: Folder of the entries of the arena that pull requests add.
ENTRIES = "results/entries"
#: Names below results/ that no study can have.
RESERVED = ("archive", "benchmarks", "compare", "data", "docs", "entries", "evaluated", "findings", "logs", "summaries")
