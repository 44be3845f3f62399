"""Score all rankings of one dataset and method by one evaluator."""

from pathlib import Path

from sslrank.pipeline.logs import log_to

with log_to(snakemake.log[0]):
    from sslrank.pipeline.scoring import scoring_job

    scoring_job(
        Path(snakemake.input.table).parent,
        snakemake.input.splits,
        dict(zip(snakemake.params.budgets, snakemake.input.rankings, strict=True)),
        snakemake.params.evaluator,
        snakemake.output[0],
        names=dict(snakemake.wildcards.items()),
        seed=snakemake.params.seed,
        shared=next(iter(snakemake.input.shared), None),
    )
