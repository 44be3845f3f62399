# One job ranks the features of one dataset by one method for one L, in all folds and both modes.


rule rank:
    input:
        table="results/data/{dataset}/table.parquet",
        header="results/data/{dataset}/header.json",
        splits="results/{study}/splits/{dataset}.json",
    output:
        rankings="results/{study}/rankings/{dataset}/{method}/L{L}.parquet",
        status="results/{study}/rankings/{dataset}/{method}/L{L}.status.csv",
    log:
        "results/{study}/logs/rankings/{dataset}/{method}/L{L}.log",
    benchmark:
        "results/{study}/benchmarks/rankings/{dataset}/{method}/L{L}.tsv"
    wildcard_constraints:
        method=one_of(PLAN.python_methods()),
    priority: large_first
    group:
        short("ranking")
    conda:
        ENVIRONMENT
    # More of them for the longest jobs. The result is the same.
    threads: lambda w: PLAN.resources.threads(w)
    resources:
        mem_mb=megabytes("ranking"),
        runtime=walltime("ranking"),
        # Not among the params, since another limit changes no ranking that is there.
        fit_limit=PLAN.limits.fit_seconds,
        attempt=this_attempt,
    params:
        spec=lambda w: PLAN.spec(w.study, w.method),
        modes=lambda w: PLAN.studies[w.study].modes,
        seed=lambda w: PLAN.studies[w.study].seed,
        code=code_of("rank"),
        used=lambda w: PLAN.ranker_code(w.study, w.method),
        registered=lambda w: ranker_facts(PLAN.ranker(w.study, w.method)),
    script:
        "../scripts/rank.py"


# Methods in other languages: see methods/_template. They read the files of these exports ...
rule export:
    input:
        table="results/data/{dataset}/table.parquet",
        header="results/data/{dataset}/header.json",
        splits="results/{study}/splits/{dataset}.json",
    output:
        directory("results/{study}/exchange/{dataset}/L{L}-{form}"),
    log:
        "results/{study}/logs/exchange/{dataset}/L{L}-{form}.log",
    wildcard_constraints:
        form="csv|arff",
    conda:
        ENVIRONMENT
    params:
        code=code_of("export"),
    script:
        "../scripts/export.py"


# ... and the CSV that they write is checked and comes in here.
rule import_rankings:
    input:
        table="results/data/{dataset}/table.parquet",
        header="results/data/{dataset}/header.json",
        splits="results/{study}/splits/{dataset}.json",
        source="results/{study}/exchange/{dataset}/{method}/L{L}.csv",
        benchmark="results/{study}/benchmarks/exchange/{dataset}/{method}/L{L}.tsv",
    output:
        rankings="results/{study}/rankings/{dataset}/{method}/L{L}.parquet",
        status="results/{study}/rankings/{dataset}/{method}/L{L}.status.csv",
    log:
        "results/{study}/logs/rankings/{dataset}/{method}/L{L}.log",
    benchmark:
        "results/{study}/benchmarks/rankings/{dataset}/{method}/L{L}.tsv"
    wildcard_constraints:
        method=one_of(set(PLAN.methods) - set(PLAN.python_methods())),
    conda:
        ENVIRONMENT
    params:
        spec=lambda w: PLAN.spec(w.study, w.method),
        modes=lambda w: PLAN.studies[w.study].modes,
        code=code_of("import_rankings"),
    script:
        "../scripts/import_rankings.py"
