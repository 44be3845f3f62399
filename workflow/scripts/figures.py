"""Draw a study's curves and critical-distance diagrams."""

from pathlib import Path

from sslrank.benchmark.logs import log_to

with log_to(snakemake.log[0], snakemake, record=False):
    from sslrank.benchmark.report.figures import figures_job

    figures_job(
        Path(snakemake.input[0]).parent,
        snakemake.output[0],
        study=snakemake.wildcards.study,
        config=snakemake.params.config,
        experiments={Path(folder).name: folder for folder in snakemake.input.experiments},
        datasets=snakemake.params.datasets,
        panels=snakemake.params.panels,
    )
