# One job scores all rankings of one dataset and method, over all L, by one evaluator.


rule score:
    input:
        table="results/data/{dataset}/table.parquet",
        header="results/data/{dataset}/header.json",
        splits="results/{study}/splits/{dataset}.json",
        rankings=lambda w: [
            f"results/{w.study}/rankings/{w.dataset}/{w.method}/L{budget}.parquet"
            for budget in PLAN.budgets(w.study)
        ],
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
        budgets=lambda w: PLAN.budgets(w.study),
        seed=lambda w: PLAN.studies[w.study]["seed"],
        code=lambda w: PLAN.scoring_code(w.evaluator),
    script:
        "../scripts/score.py"
