"""Score all rankings of one dataset and method by some evaluators."""

from pathlib import Path

from sslrank.pipeline.logs import log_to

with log_to(snakemake.log[0]):
    from sslrank.pipeline.jobs.scoring import scoring_job

    job = {key: snakemake.wildcards[key] for key in ("study", "dataset", "method")}
    for item, output in zip(snakemake.params.evaluators, snakemake.output, strict=True):
        scoring_job(
            Path(snakemake.input.table).parent,
            snakemake.input.splits,
            item["rankings"],
            item["evaluator"],
            output,
            names=job | {"evaluator": item["name"]},
            seed=snakemake.params.seed,
            shared=item["shared"],
        )
