"""Recompute one random part of an experiment in the archive."""

import json
from pathlib import Path

from sslrank.benchmark.logs import log_to

with log_to(snakemake.log[0]):
    from sslrank.benchmark.steps.verify import verify_part

    given = snakemake
    found = verify_part(given.input.file, given.wildcards.part, n_jobs=given.threads, code=given.params.job_code)
    Path(given.output[0]).write_text(json.dumps(found) + "\n", encoding="utf-8")
