# What the studies will cost, from short fits of every method on every dataset: make estimate.


rule calibrate:
    input:
        table="results/data/{dataset}/table.parquet",
        header="results/data/{dataset}/header.json",
        splits="results/{study}/splits/{dataset}.json",
    output:
        "results/{study}/calibration/{dataset}.csv",
    log:
        "results/{study}/logs/calibration/{dataset}.log",
    # Large datasets first, so that no long job is left over at the end.
    priority: lambda w: min(PLAN.size(w.dataset) // 1000, 100_000)
    conda:
        "../../envs/sslrank.yaml"
    resources:
        mem_mb=lambda w, attempt: attempt * (1500 + PLAN.size(w.dataset) // 10_000),
    params:
        methods=lambda w: PLAN.calibrations(w.study, w.dataset),
        evaluators=lambda w: PLAN.calibrated_evaluators(w.study),
        modes=lambda w: PLAN.studies[w.study].modes,
        seed=lambda w: PLAN.studies[w.study].seed,
        code=code_of("calibrate"),
    script:
        "../scripts/calibrate.py"


localrules:
    estimate_study,


rule estimate_study:
    input:
        lambda w: [
            f"results/{w.study}/calibration/{dataset}.csv"
            for dataset in PLAN.datasets(w.study)
        ],
    output:
        "results/{study}/estimate.csv",
    log:
        "results/{study}/logs/estimate.log",
    conda:
        "../../envs/sslrank.yaml"
    params:
        code=code_of("estimate"),
    script:
        "../scripts/estimate.py"
