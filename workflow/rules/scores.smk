# One job scores all rankings of one dataset and method, over all L, by one evaluator of workflow/evaluators.yaml, which
# names a module of sslrank.evaluation.evaluators: weighted nearest neighbours (knn), error curves (eca), classifiers on
# the top features (top_features, top_features_auc, multilabel).


# Computations of an evaluator that all rankings of a dataset share, such as the curves of random rankings.
rule share:
    input:
        table="results/data/{dataset}/table.parquet",
        header="results/data/{dataset}/header.json",
        splits="results/{study}/splits/{dataset}.json",
    output:
        table="results/{study}/shared/{dataset}/{evaluator}.csv",
        benchmark="results/{study}/benchmarks/shared/{dataset}/{evaluator}.tsv",
    log:
        "results/{study}/logs/shared/{dataset}/{evaluator}.log",
    priority: large_first
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory(1500),
        runtime=walltime("shared"),
        attempt=this_attempt,
    params:
        job=lambda w: PLAN.scoring_job(w.study, w.evaluator),
        code=step_code("share"),
    script:
        "../scripts/step.py"


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
        benchmark="results/{study}/benchmarks/scores/{dataset}/{method}/{evaluator}.tsv",
    log:
        "results/{study}/logs/scores/{dataset}/{method}/{evaluator}.log",
    group:
        short("scores")
    conda:
        ENVIRONMENT
    resources:
        mem_mb=megabytes("scores"),
        runtime=walltime("scores"),
        attempt=this_attempt,
    params:
        job=lambda w: PLAN.scoring_job(w.study, w.evaluator),
        code=step_code("score"),
    script:
        "../scripts/step.py"


# Targets: the scores of the chosen studies by nearest neighbours, and their error curves.
rule knn_scores:
    input:
        scores_by("knn"),


rule eca_scores:
    input:
        scores_by("eca"),
