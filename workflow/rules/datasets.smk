# Downloads, and tables that every later step reads without parsing text again.


localrules:
    download,


use rule job as download with:
    input:
        catalogue=ancient(from_repository_root(PLAN.data.catalogue)),
    output:
        source="results/data/{dataset}/source.json",
        failures=update("results/data/{dataset}/download_failures.log"),
    log:
        "results/logs/download/{dataset}.log",
    retries: 2
    params:
        function="download_job",
        dataset="{dataset}",
        cache=PLAN.data.cache,
        mirror=PLAN.data.mirror,
        file=of_dataset(PLAN.data.files.get),
        content=of_dataset(PLAN.content),
        sources=lambda w: source_facts(PLAN.catalogue[w.dataset]),
        n_failures=failures("download"),


use rule job as prepare with:
    input:
        source="results/data/{dataset}/source.json",
        catalogue=ancient(from_repository_root(PLAN.data.catalogue)),
    output:
        table="results/data/{dataset}/table.parquet",
        header="results/data/{dataset}/header.json",
        failures=update("results/data/{dataset}/prepare_failures.log"),
        benchmark="results/benchmarks/prepare/{dataset}.json",
    log:
        "results/logs/prepare/{dataset}.log",
    resources:
        mem_mb=memory(2000),
        runtime=60,
        attempt=this_attempt,
    params:
        **step("prepare"),
        dataset="{dataset}",
        own=of_dataset(PLAN.own_dataset),
        content=lambda w: content_facts(PLAN.catalogue[w.dataset]),
        n_failures=failures("prepare"),
        used=lambda w: reader_code(PLAN.catalogue[w.dataset], PLAN.data.files.get(w.dataset)),


# How far the clustering hypothesis holds, for the studies whose table of datasets has it.
use rule job as clustering_hypothesis with:
    input:
        **DATA,
    output:
        hypothesis="results/data/{dataset}/clustering_hypothesis.json",
    log:
        "results/logs/clustering_hypothesis/{dataset}.log",
    resources:
        mem_mb=memory(2000),
        runtime=60,
    params:
        **step("clustering_hypothesis"),
