"""Paths of the files of a run, as patterns with wildcards that the plan and the archive fill in.

The rules write the same paths where they make and use them. Patterns are relative to the working directory; ``{L}`` is
a label budget.
"""

#: Folder of the publications' tables, below the root of the repository.
PUBLISHED = "workflow/published"

# Datasets, the same for all studies
TABLE = "results/data/{dataset}/table.parquet"
HEADER = "results/data/{dataset}/header.json"
HYPOTHESIS = "results/data/{dataset}/clustering_hypothesis.json"
FAILURES = "results/data/{dataset}/failures.log"

# One study's jobs
STUDY = "results/{study}"
LOGS = STUDY + "/logs"
BENCHMARKS = STUDY + "/benchmarks"
SPLITS = STUDY + "/splits/{dataset}.json"
RANKINGS = STUDY + "/rankings/{dataset}/{method}.parquet"
STATUS = STUDY + "/rankings/{dataset}/{method}.status.csv"
RANKING_LOG = LOGS + "/rankings/{dataset}/{method}.log"
RANKING_BENCHMARK = BENCHMARKS + "/rankings/{dataset}/{method}.tsv"
SCORES = STUDY + "/scores/{dataset}/{method}.csv"
SCORES_STATUS = STUDY + "/scores/{dataset}/{method}.status.csv"
SCORES_LOG = LOGS + "/scores/{dataset}/{method}.log"
SCORES_BENCHMARK = BENCHMARKS + "/scores/{dataset}/{method}.tsv"
EXPERIMENT_PART = STUDY + "/experiment_parts/{experiment}/{part}"
EXPERIMENT_PART_LOG = LOGS + "/experiment_parts/{experiment}/{part}.log"
EXPERIMENT_PART_BENCHMARK = BENCHMARKS + "/experiment_parts/{experiment}/{part}.tsv"

# Files that methods in other languages write
EXTERNAL = STUDY + "/exchange/{dataset}/{method}/L{L}.csv"
EXTERNAL_LOG = LOGS + "/exchange/{dataset}/{method}/L{L}.log"

# Results of a study
COLLECTED = STUDY + "/collected/{part}.csv"
TABLES = STUDY + "/tables"
PAGE = STUDY + "/report.html"
#: The archive, and one of its files: see :mod:`sslrank.benchmark.archive`.
ARCHIVE = "results/archive"
ARCHIVED = ARCHIVE + "/{study}/{dataset}.parquet.zst"
ARCHIVED_EXPERIMENT = ARCHIVE + "/{study}/experiments/{experiment}.parquet.zst"
#: One recomputed cell of the archive.
CELL = "results/verify/{study}/{dataset}/{method}/L{L}.json"
PART_CELL = "results/verify/{study}/experiments/{experiment}/{part}.json"
SUMMARIES = "results/summaries"
#: Folder that `sslrank compare` writes.
SUBMITTED = "results/compare/{name}"
#: Folder of the entries of the arena that pull requests add.
ENTRIES = "results/entries"
#: Log of a job that a study has once, or once for each dataset.
DATASET_LOG = LOGS + "/{step}/{dataset}.log"

#: Names below results/ that no study can have.
RESERVED = (
    "archive",
    "benchmarks",
    "compare",
    "data",
    "entries",
    "evaluated",
    "findings",
    "logs",
    "summaries",
    "verify",
)


def panels(figures):
    """Names of the curves of one dataset, from a study's block `figures`: ``k20``, ``k20-own`` or ``main``."""
    sizes = [f"k{k}" for k in figures.get("k") or []] or ["main"]
    return sizes + [f"{size}-{judge}" for judge in figures.get("judges") or {} for size in sizes]
