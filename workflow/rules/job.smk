# Base of all rules with a function of sslrank.benchmark.steps: its param `function`. It gets one job, whose fields are
# the names of input, output and params; files without a name are only what the job depends on.
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
