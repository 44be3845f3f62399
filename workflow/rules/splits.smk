# Folds, and the training rows that keep their labels; the same for every method.


rule splits:
    input:
        table="results/data/{dataset}/table.parquet",
        header="results/data/{dataset}/header.json",
    output:
        "results/{study}/splits/{dataset}.json",
    log:
        "results/{study}/logs/splits/{dataset}.log",
    conda:
        ENVIRONMENT
    params:
        protocol=lambda w: PLAN.studies[w.study].splits.model_dump(),
        seed=lambda w: PLAN.studies[w.study].seed,
        code=step_code("splits"),
    script:
        "../scripts/step.py"
