# The archive of results in git. `archive` adds the results of the chosen studies, after running missing jobs.


localrules:
    archive,
    check_archive,


use rule job as archive with:
    input:
        lambda w: PLAN.join_chosen("files_to_archive"),
    output:
        "results/archived.csv",
    log:
        "results/logs/archive.log",
    params:
        pairs=lambda w: PLAN.join_chosen("to_archive"),
        experiments=lambda w: PLAN.join_chosen("experiments_to_archive"),


# Read every record of the archive, which checks that it is complete, and print the root hash.
use rule job as check_archive with:
    log:
        "results/logs/check_archive.log",
    params:
        verified="results/archive/verified.csv",
        planned=lambda w: intended(PLAN),


# Recompute a random sample of archived results of all studies from the data (--config sample=20 seed=1), and compare
# them. The table is not an output, because Snakemake would delete it if a difference fails the job.
use rule job as verify with:
    input:
        lambda w: cells(PLAN)[0],
    log:
        "results/logs/verify.log",
    params:
        left_out=lambda w: cells(PLAN)[1],
        output="results/archive/verified.csv",


use rule job as verify_cell with:
    input:
        **DATA,
        file="results/archive/{study}/{dataset}.parquet.zst",
    output:
        temp("results/verify/{study}/{dataset}/{method}/L{L}.json"),
    log:
        "results/logs/verify/{study}/{dataset}/{method}/L{L}.log",
    resources:
        mem_mb=partial(PLAN.resources.megabytes, "ranking"),
        runtime=partial(PLAN.resources.minutes, "ranking"),
    params:
        job_code=lambda w: PLAN.results(w.study).job_code(w.method),


use rule job as verify_part with:
    input:
        file="results/archive/{study}/experiments/{experiment}.parquet.zst",
    output:
        temp("results/verify/{study}/experiments/{experiment}/{part}.json"),
    log:
        "results/logs/verify/{study}/experiments/{experiment}/{part}.log",
    wildcard_constraints:
        part="[^/]+",
    resources:
        runtime=partial(PLAN.resources.minutes, "part"),
    params:
        job_code=lambda w: PLAN.results(w.study).part_code(w.experiment),
