"""Get the files of one dataset."""

from sslrank.benchmark.logs import log_to

with log_to(snakemake.log[0], snakemake, record=False) as tell:
    from sslrank.benchmark import paths
    from sslrank.benchmark.steps.download import download_job

    dataset = snakemake.wildcards.dataset
    problem = download_job(
        snakemake.params.catalogue,
        dataset,
        snakemake.output[0],
        paths.FAILURES.format(dataset=dataset),
        cache=snakemake.params.cache,
        mirror=snakemake.params.mirror,
        path=snakemake.params.path,
        content=snakemake.params.content,
        max_size=snakemake.resources.max_size or None,
    )
    if problem:
        tell(f"{problem}\nThe rest is made without {dataset!r}; the next run tries again.")
