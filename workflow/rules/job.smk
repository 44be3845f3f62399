# Base of all rules: each runs the function of its name in sslrank.benchmark.steps.
rule job:
    log:
        "results/logs/job.log",
    conda:
        ENVIRONMENT
    script:
        "../scripts/step.py"


# A prepared dataset, which most rules read.
DATA = {
    "table": "results/data/{dataset}/table.parquet",
    "header": "results/data/{dataset}/header.json",
}
