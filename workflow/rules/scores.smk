# One job scores all rankings of one dataset and method, over all L: by one evaluator, or by all of them in studies with
# `joined_jobs`.


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
        evaluator=lambda w: PLAN.judge(w.evaluator),
        budgets=lambda w: PLAN.scored_budgets(w.study, w.evaluator),
        seed=lambda w: PLAN.studies[w.study].seed,
        code=code_of("share"),
        used=lambda w: PLAN.scoring_code(w.evaluator),
    script:
        "../scripts/share.py"


for NAME, STUDIES, EVALUATORS, RECORD in PLAN.scoring_rules():

    rule:
        name:
            NAME
        input:
            table="results/data/{dataset}/table.parquet",
            header="results/data/{dataset}/header.json",
            splits="results/{study}/splits/{dataset}.json",
            used=lambda w: PLAN.job_inputs(w),
        output:
            expand(
                "results/{{study}}/scores/{{dataset}}/{{method}}/{evaluator}.csv",
                evaluator=EVALUATORS,
            ),
        log:
            f"results/{{study}}/logs/scores/{{dataset}}/{{method}}/{RECORD}.log",
        benchmark:
            f"results/{{study}}/benchmarks/scores/{{dataset}}/{{method}}/{RECORD}.tsv"
        wildcard_constraints:
            study=one_of(STUDIES),
        conda:
            "../../envs/sslrank.yaml"
        resources:
            mem_mb=lambda w, attempt: attempt * (1500 + PLAN.size(w.dataset) // 10_000),
            runtime=lambda w, attempt: attempt * 480,
        params:
            evaluators=lambda w: PLAN.job_evaluators(w),
            seed=lambda w: PLAN.studies[w.study].seed,
            code=code_of("score"),
        script:
            "../scripts/score.py"
