# Downloads, and tables that every later step reads without parsing text again.


localrules:
    download,


rule download:
    output:
        "results/data/{dataset}/source.json",
    log:
        "results/logs/download/{dataset}.log",
    retries: 2
    conda:
        "../../envs/sslrank.yaml"
    params:
        catalogue=at_root(PLAN.data.catalogue),
        sources=lambda w: source_facts(PLAN.catalogue[w.dataset]),
        cache=PLAN.data.cache,
        mirror=PLAN.data.mirror,
        path=lambda w: PLAN.data.files.get(w.dataset),
    script:
        "../scripts/download.py"


rule prepare:
    input:
        "results/data/{dataset}/source.json",
    output:
        table="results/data/{dataset}/table.parquet",
        header="results/data/{dataset}/header.json",
    log:
        "results/logs/prepare/{dataset}.log",
    benchmark:
        "results/benchmarks/prepare/{dataset}.tsv"
    conda:
        "../../envs/sslrank.yaml"
    resources:
        mem_mb=lambda w, attempt: attempt * (2000 + PLAN.size(w.dataset) // 10_000),
        runtime=60,
    params:
        catalogue=at_root(PLAN.data.catalogue),
        content=lambda w: content_facts(PLAN.catalogue[w.dataset]),
        code=code_of("prepare"),
        readers=lambda w: PLAN.preparing_code(w.dataset),
    script:
        "../scripts/prepare.py"


# How far the clustering hypothesis holds, for the studies whose table of datasets says it.
rule clustering_hypothesis:
    input:
        table="results/data/{dataset}/table.parquet",
        header="results/data/{dataset}/header.json",
    output:
        "results/data/{dataset}/clustering_hypothesis.json",
    log:
        "results/logs/clustering_hypothesis/{dataset}.log",
    conda:
        "../../envs/sslrank.yaml"
    resources:
        mem_mb=lambda w, attempt: attempt * (2000 + PLAN.size(w.dataset) // 10_000),
        runtime=60,
    params:
        code=code_of("clustering_hypothesis"),
    script:
        "../scripts/clustering_hypothesis.py"
