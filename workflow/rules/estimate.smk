# What the studies will cost, from one short fit per dataset and method: make estimate.


rule calibrate:
    input:
        table="results/data/{dataset}/table.parquet",
        header="results/data/{dataset}/header.json",
        splits="results/{study}/splits/{dataset}.json",
    output:
        "results/{study}/calibration/{dataset}/{method}.csv",
    log:
        "results/{study}/logs/calibration/{dataset}/{method}.log",
    conda:
        "../../envs/sslrank.yaml"
    resources:
        mem_mb=lambda w, attempt: attempt * (1500 + PLAN.size(w.dataset) // 10_000),
    params:
        calibration=lambda w: PLAN.calibration(w.study, w.method),
        modes=lambda w: PLAN.studies[w.study]["modes"],
        seed=lambda w: PLAN.studies[w.study]["seed"],
        code=lambda w: PLAN.ranking_code(w.method),
    script:
        "../scripts/calibrate.py"


localrules:
    estimate_study,


rule estimate_study:
    input:
        lambda w: [
            f"results/{w.study}/calibration/{dataset}/{method}.csv"
            for dataset, method in PLAN.calibrated_pairs(w.study)
        ],
    output:
        "results/{study}/estimate.csv",
    log:
        "results/{study}/logs/estimate.log",
    conda:
        "../../envs/sslrank.yaml"
    script:
        "../scripts/estimate.py"
