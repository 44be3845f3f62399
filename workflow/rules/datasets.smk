# Downloads, and tables that every later step reads without parsing text again.


localrules:
    download,


use rule job as download with:
    output:
        "results/data/{dataset}/source.json",
    log:
        "results/logs/download/{dataset}.log",
    retries: 2
    params:
        catalogue=from_repository_root(PLAN.data.catalogue),
        sources=lambda w: source_facts(PLAN.catalogue[w.dataset]),
        cache=PLAN.data.cache,
        mirror=PLAN.data.mirror,
        path=lambda w: PLAN.data.files.get(w.dataset),
        content=lambda w: PLAN.content(w.dataset),
        failures=lambda w: PLAN.failures(w.dataset, "download"),


use rule job as prepare with:
    input:
        source="results/data/{dataset}/source.json",
    output:
        table="results/data/{dataset}/table.parquet",
        header="results/data/{dataset}/header.json",
        benchmark="results/benchmarks/prepare/{dataset}.tsv",
    log:
        "results/logs/prepare/{dataset}.log",
    resources:
        mem_mb=memory(2000),
        runtime=60,
        attempt=this_attempt,
    params:
        catalogue=from_repository_root(PLAN.data.catalogue),
        failures=lambda w: PLAN.failures(w.dataset, "prepare"),
        content=lambda w: content_facts(PLAN.catalogue[w.dataset]),
        own=lambda w: PLAN.own_dataset(w.dataset),
        code=step_code("prepare"),
        used=lambda w: reader_code(
            PLAN.catalogue[w.dataset], PLAN.data.files.get(w.dataset)
        ),


# How far the clustering hypothesis holds, for the studies whose table of datasets has it.
use rule job as clustering_hypothesis with:
    input:
        **DATA,
    output:
        "results/data/{dataset}/clustering_hypothesis.json",
    log:
        "results/logs/clustering_hypothesis/{dataset}.log",
    resources:
        mem_mb=memory(2000),
        runtime=60,
    params:
        code=step_code("clustering_hypothesis"),
