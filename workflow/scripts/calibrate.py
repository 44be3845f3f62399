"""Measure one short fit of a method on a dataset."""

from pathlib import Path

from sslrank.pipeline.logs import log_to

with log_to(snakemake.log[0]):
    from sslrank.pipeline.estimate import calibrate_job

    calibrate_job(
        Path(snakemake.input.table).parent,
        snakemake.input.splits,
        snakemake.output[0],
        calibration=snakemake.params.calibration,
        method=snakemake.wildcards.method,
        modes=snakemake.params.modes,
        seed=snakemake.params.seed,
    )
