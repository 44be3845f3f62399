"""Paths of the files of a run, as patterns with wildcards that the plan and the archive fill in.

The rules write the same paths where they make and use them. Patterns are relative to the working directory; ``{L}`` is
a label budget.
"""

#: Folder of the publications' tables, below the root of the repository.
PUBLISHED = "workflow/published"

# Datasets, the same for all studies
HEADER = "results/data/{dataset}/header.json"
HYPOTHESIS = "results/data/{dataset}/clustering_hypothesis.json"
FAILURES = "results/data/{dataset}/failures.log"

# One study's jobs
STUDY = "results/{study}"
LOGS = STUDY + "/logs"
BENCHMARKS = STUDY + "/benchmarks"
RANKINGS = STUDY + "/rankings/{dataset}/{method}.parquet"
STATUS = STUDY + "/rankings/{dataset}/{method}.status.csv"
RANKING_LOG = LOGS + "/rankings/{dataset}/{method}.log"
SCORES = STUDY + "/scores/{dataset}/{method}.csv"
SCORES_STATUS = STUDY + "/scores/{dataset}/{method}.status.csv"
SCORES_LOG = LOGS + "/scores/{dataset}/{method}.log"
#: Files of a method on a dataset: of its two jobs, and of the data and splits that they use.
PAIR = {
    "header": HEADER,
    "splits": STUDY + "/splits/{dataset}.json",
    "splits_log": LOGS + "/splits/{dataset}.log",
    "rankings": RANKINGS,
    "fits": STATUS,
    "ranking_log": RANKING_LOG,
    "ranking_benchmark": BENCHMARKS + "/rankings/{dataset}/{method}.tsv",
    "scores": SCORES,
    "scoring": SCORES_STATUS,
    "scoring_log": SCORES_LOG,
    "scoring_benchmark": BENCHMARKS + "/scores/{dataset}/{method}.tsv",
}
#: Files of a part of an experiment.
PART = {
    "tables": STUDY + "/experiment_parts/{experiment}/{part}",
    "log": LOGS + "/experiment_parts/{experiment}/{part}.log",
    "benchmark": BENCHMARKS + "/experiment_parts/{experiment}/{part}.tsv",
}

# Files that methods in other languages write
EXTERNAL = STUDY + "/exchange/{dataset}/{method}/L{L}.csv"
EXTERNAL_LOG = LOGS + "/exchange/{dataset}/{method}/L{L}.log"

# Results of a study
COLLECTED = STUDY + "/collected/{part}.csv"
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
    """List the curves of one dataset, from a study's block `figures`: ``k20``, ``k20-own`` or ``main``."""
    sizes = [f"k{k}" for k in figures.get("k") or []] or ["main"]
    return sizes + [f"{size}-{evaluator}" for evaluator in figures.get("evaluators") or {} for size in sizes]
