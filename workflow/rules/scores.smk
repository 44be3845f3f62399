# One job scores all rankings of one dataset and method, over all L, by one evaluator.


# What an evaluator needs once for all of them, such as the curves of random rankings.
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
    priority: lambda w: min(PLAN.size(w.dataset) // 1000, 100_000)
    conda:
        "../../envs/sslrank.yaml"
    resources:
        mem_mb=lambda w, attempt: attempt * (1500 + PLAN.size(w.dataset) // 10_000),
        runtime=lambda w, attempt: attempt * 1440,
    params:
        evaluator=lambda w: PLAN.evaluators[w.evaluator],
        budgets=lambda w: PLAN.scored_budgets(w.study, w.evaluator),
        seed=lambda w: PLAN.studies[w.study]["seed"],
        code=code_fingerprint("sslrank.pipeline.sharing"),
    script:
        "../scripts/share.py"


rule score:
    input:
        table="results/data/{dataset}/table.parquet",
        header="results/data/{dataset}/header.json",
        splits="results/{study}/splits/{dataset}.json",
        rankings=lambda w: [
            f"results/{w.study}/rankings/{w.dataset}/{w.method}/L{budget}.parquet"
            for budget in PLAN.scored_budgets(w.study, w.evaluator)
        ],
        shared=lambda w: PLAN.shared_files(w.study, w.dataset, w.evaluator),
    output:
        "results/{study}/scores/{dataset}/{method}/{evaluator}.csv",
    log:
        "results/{study}/logs/scores/{dataset}/{method}/{evaluator}.log",
    benchmark:
        "results/{study}/benchmarks/scores/{dataset}/{method}/{evaluator}.tsv"
    conda:
        "../../envs/sslrank.yaml"
    resources:
        mem_mb=lambda w, attempt: attempt * (1500 + PLAN.size(w.dataset) // 10_000),
        runtime=lambda w, attempt: attempt * 480,
    params:
        evaluator=lambda w: PLAN.evaluators[w.evaluator],
        budgets=lambda w: PLAN.scored_budgets(w.study, w.evaluator),
        seed=lambda w: PLAN.studies[w.study]["seed"],
        code=lambda w: PLAN.scoring_code(w.evaluator),
    script:
        "../scripts/score.py"
