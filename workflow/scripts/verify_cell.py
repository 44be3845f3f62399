"""Recompute one random cell of the archive."""

import json
from pathlib import Path

from sslrank.benchmark.logs import log_to

with log_to(snakemake.log[0]):
    from sslrank.benchmark.steps.verify import verify_cell

    given = snakemake.params
    found = verify_cell(
        given.archive,
        given.file,
        snakemake.wildcards.L,
        Path(snakemake.input.table).parent,
        seed=given.seed,
        n_jobs=snakemake.threads,
        code=given.job_code,
    )
    Path(snakemake.output[0]).write_text(json.dumps(found) + "\n", encoding="utf-8")
