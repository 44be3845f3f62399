"""Make the folds and label sets of one dataset."""

from pathlib import Path

from sslrank.benchmark.logs import log_to

with log_to(snakemake.log[0], snakemake) as tell:
    from sslrank.benchmark.steps.splits import splits_job

    problem = splits_job(
        Path(snakemake.input.table).parent,
        snakemake.output[0],
        protocol=snakemake.params.protocol,
        seed=snakemake.params.seed,
    )
    if problem:
        tell(f"data set {snakemake.wildcards.dataset!r} {problem}\nThe rest is made without it.")
