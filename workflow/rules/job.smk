# Base of all rules with a function of sslrank.benchmark.steps: its param `function`, which gets input, output and params.
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
