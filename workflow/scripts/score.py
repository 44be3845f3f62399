"""Score all rankings of one dataset and method by some evaluators."""

import os
from pathlib import Path

from sslrank.benchmark.logs import log_to

with log_to(snakemake.log[0], snakemake):
    from sslrank.benchmark.steps.score import supervised_scoring

    given, files = snakemake.params, snakemake.output
    supervised_scoring(
        Path(snakemake.input.table).parent,
        snakemake.input.splits,
        [
            {**item, "scores": scores, "status": status}
            for item, scores, status in zip(given.evaluators, files.scores, files.status, strict=True)
        ],
        names={key: snakemake.wildcards[key] for key in ("study", "dataset", "method")},
        seed=given.seed,
        limit=snakemake.resources.score_limit,
        # Slurm's jobs are repeated with more memory, twice.
        may_retry="SLURM_JOB_ID" in os.environ and snakemake.resources.attempt < 3,
    )
