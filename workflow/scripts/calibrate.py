"""Measure short fits of all methods on a dataset, and what judging them takes."""

from pathlib import Path

from sslrank.benchmark.logs import log_to

with log_to(snakemake.log[0], snakemake, record=False):
    from sslrank.benchmark.steps.calibrate import calibrate_job

    calibrate_job(
        Path(snakemake.input.table).parent,
        snakemake.input.splits,
        snakemake.output[0],
        methods=snakemake.params.methods,
        evaluators=snakemake.params.evaluators,
        modes=snakemake.params.modes,
        seed=snakemake.params.seed,
    )
