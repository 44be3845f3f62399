# One job ranks the features of one dataset by one method, in all folds and both modes: for one L, or for all of them in
# studies with `joined_jobs`.


for NAME, STUDIES, BUDGETS, RECORD in PLAN.ranking_rules():

    rule:
        name:
            NAME
        input:
            table="results/data/{dataset}/table.parquet",
            header="results/data/{dataset}/header.json",
            splits="results/{study}/splits/{dataset}.json",
        output:
            rankings=expand(
                "results/{{study}}/rankings/{{dataset}}/{{method}}/L{L}.parquet",
                L=BUDGETS,
            ),
            status=expand(
                "results/{{study}}/rankings/{{dataset}}/{{method}}/L{L}.status.csv",
                L=BUDGETS,
            ),
        log:
            f"results/{{study}}/logs/rankings/{{dataset}}/{{method}}/{RECORD}.log",
        benchmark:
            f"results/{{study}}/benchmarks/rankings/{{dataset}}/{{method}}/{RECORD}.tsv"
        wildcard_constraints:
            study=one_of(STUDIES),
            method=one_of(PLAN.python_methods()),
        # Large datasets first, so that no long job is left over at the end.
        priority: lambda w: min(PLAN.size(w.dataset) // 1000, 100_000)
        conda:
            "../../envs/sslrank.yaml"
        # More threads for the longest jobs: --set-threads rank=4. The result is the same.
        threads: 1
        resources:
            mem_mb=lambda w, attempt: attempt * (1500 + PLAN.size(w.dataset) // 10_000),
            runtime=lambda w, attempt: attempt * 1440,
        params:
            budgets=lambda w: PLAN.job_budgets(w),
            spec=lambda w: PLAN.spec(w.study, w.method),
            modes=lambda w: PLAN.studies[w.study].modes,
            seed=lambda w: PLAN.studies[w.study].seed,
            code=code_of("rank"),
            ranker=lambda w: PLAN.ranking_code(w.method),
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
        "../../envs/sslrank.yaml"
    params:
        code=code_of("export"),
    script:
        "../scripts/export.py"


# ... and the CSV that they write is checked and comes in here.
rule import_rankings:
    input:
        source="results/{study}/exchange/{dataset}/{method}/L{L}.csv",
        benchmark="results/{study}/benchmarks/exchange/{dataset}/{method}/L{L}.tsv",
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
        method=one_of(set(PLAN.methods) - set(PLAN.python_methods())),
    conda:
        "../../envs/sslrank.yaml"
    params:
        modes=lambda w: PLAN.studies[w.study].modes,
        code=code_of("import_rankings"),
    script:
        "../scripts/import_rankings.py"
