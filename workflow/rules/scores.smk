# One job scores all rankings of one dataset and method, over all L, by one evaluator.


# Computations of an evaluator that all rankings of a dataset share, such as the curves of random rankings.
rule share:
    input:
        table="results/data/{dataset}/table.parquet",
        header="results/data/{dataset}/header.json",
        splits="results/{study}/splits/{dataset}.json",
    output:
        "results/{study}/shared/{dataset}/{evaluator}.csv",
    log:
        "results/{study}/logs/shared/{dataset}/{evaluator}.log",
    benchmark:
        "results/{study}/benchmarks/shared/{dataset}/{evaluator}.tsv"
    priority: large_first
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory(1500),
        runtime=walltime("shared"),
        attempt=this_attempt,
    params:
        evaluator=lambda w: PLAN.evaluator(w.evaluator),
        budgets=lambda w: PLAN.scored_budgets(w.study, w.evaluator),
        seed=lambda w: PLAN.studies[w.study].seed,
        code=code_of("share"),
        used=lambda w: evaluator_code(PLAN.evaluator(w.evaluator)),
    script:
        "../scripts/share.py"


rule score:
    input:
        table="results/data/{dataset}/table.parquet",
        header="results/data/{dataset}/header.json",
        splits="results/{study}/splits/{dataset}.json",
        rankings=expand(
            "results/{{study}}/rankings/{{dataset}}/{{method}}/L{L}.parquet",
            L=lambda w: PLAN.scored_budgets(w.study, w.evaluator),
        ),
        shared=branch(
            lambda w: PLAN.shares(w.evaluator),
            then="results/{study}/shared/{dataset}/{evaluator}.csv",
        ),
    output:
        scores="results/{study}/scores/{dataset}/{method}/{evaluator}.csv",
        status="results/{study}/scores/{dataset}/{method}/{evaluator}.status.csv",
    log:
        "results/{study}/logs/scores/{dataset}/{method}/{evaluator}.log",
    benchmark:
        "results/{study}/benchmarks/scores/{dataset}/{method}/{evaluator}.tsv"
    group:
        short("scores")
    conda:
        ENVIRONMENT
    resources:
        mem_mb=megabytes("scores"),
        runtime=walltime("scores"),
        score_limit=PLAN.limits.score_seconds,
        attempt=this_attempt,
    params:
        evaluator=lambda w: PLAN.evaluator(w.evaluator),
        budgets=lambda w: PLAN.scored_budgets(w.study, w.evaluator),
        seed=lambda w: PLAN.studies[w.study].seed,
        code=code_of("score"),
        used=lambda w: evaluator_code(PLAN.evaluator(w.evaluator)),
    script:
        "../scripts/score.py"
