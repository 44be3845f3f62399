"""Get the files of one dataset."""

from sslrank.pipeline.logs import log_to

with log_to(snakemake.log[0]):
    from sslrank.pipeline.jobs.downloading import download_job

    download_job(
        snakemake.params.catalogue,
        snakemake.wildcards.dataset,
        snakemake.output[0],
        cache=snakemake.params.cache,
        mirror=snakemake.params.mirror,
        path=snakemake.params.path,
        content=snakemake.params.content,
    )
