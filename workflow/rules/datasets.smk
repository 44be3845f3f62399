# Downloads, and tables that every later step reads without parsing text again.


localrules:
    download,


rule download:
    output:
        paths.SOURCE,
    log:
        paths.fill(paths.DATA_LOG, step="download"),
    retries: 2
    conda:
        ENVIRONMENT
    resources:
        max_size=PLAN.data.max_bytes,
    params:
        catalogue=at_root(PLAN.data.catalogue),
        sources=lambda w: source_facts(PLAN.catalogue[w.dataset]),
        cache=PLAN.data.cache,
        mirror=PLAN.data.mirror,
        path=lambda w: PLAN.data.files.get(w.dataset),
        content=lambda w: PLAN.content(w.dataset),
        failures=lambda w: PLAN.failures(w.dataset, "download"),
    script:
        "../scripts/download.py"


rule prepare:
    input:
        paths.SOURCE,
    output:
        **DATASET_TABLE,
    log:
        paths.fill(paths.DATA_LOG, step="prepare"),
    benchmark:
        paths.fill(paths.DATA_BENCHMARK, step="prepare")
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory(2000),
        runtime=60,
        attempt=minutes(1),
        max_size=PLAN.data.max_bytes,
    params:
        catalogue=at_root(PLAN.data.catalogue),
        failures=lambda w: PLAN.failures(w.dataset, "prepare"),
        content=lambda w: content_facts(PLAN.catalogue[w.dataset]),
        own=lambda w: PLAN.own_dataset(w.dataset),
        code=code_of("prepare"),
        readers=lambda w: reader_code(
            PLAN.catalogue[w.dataset], PLAN.data.files.get(w.dataset)
        ),
    script:
        "../scripts/prepare.py"


# How far the clustering hypothesis holds, for the studies whose table of datasets says it.
rule clustering_hypothesis:
    input:
        **DATASET_TABLE,
    output:
        paths.HYPOTHESIS,
    log:
        paths.fill(paths.DATA_LOG, step="clustering_hypothesis"),
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory(2000),
        runtime=60,
    params:
        code=code_of("clustering_hypothesis"),
    script:
        "../scripts/clustering_hypothesis.py"
