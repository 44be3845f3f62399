# The archive of results in git. `archive` adds the results of the chosen studies, after running missing jobs.


localrules:
    archive,
    check_archive,


use rule job as archive with:
    input:
        gathered=lambda w: [
            f"results/{study}/datasets/{dataset}.parquet.zst"
            for study in PLAN.chosen
            for dataset in PLAN.sources(study).datasets_here()
        ],
        part_tables=parts_of_chosen("results/{study}/experiment_parts/{experiment}/{part}"),
        part_benchmarks=parts_of_chosen("results/{study}/benchmarks/experiment_parts/{experiment}/{part}.json"),
    output:
        outcome="results/archived.csv",
    log:
        "results/logs/archive.log",
    params:
        function="archive_job",
        experiments=lambda w: [
            spec for study in PLAN.chosen for spec in PLAN.sources(study).experiments_here().values()
        ],


# Read every record of the archive, which checks that it is complete, and print the root hash.
use rule job as check_archive with:
    log:
        "results/logs/check_archive.log",
    params:
        function="archive.check_archive_job",
        verified="results/archive/verified.csv",
        planned=lambda w: intended(PLAN),
        unplanned=lambda w: unplanned(PLAN),


# Recompute a random sample of archived results of all studies from the data (--config sample=20 seed=1), and compare
# them. The table is not an output, because Snakemake would delete it if a difference fails the job.
use rule job as verify with:
    input:
        cells=drawn_cells,
    log:
        "results/logs/verify.log",
    params:
        function="verify_job",
        left_out=lambda w: cells(PLAN)[1],
        verified="results/archive/verified.csv",


use rule job as verify_cell with:
    input:
        **DATA,
        archived="results/archive/{study}/{dataset}.parquet.zst",
    output:
        row=temp("results/verify/{study}/{dataset}/{method}/L{L}.json"),
    log:
        "results/logs/verify/{study}/{dataset}/{method}/L{L}.log",
    resources:
        mem_mb=partial(PLAN.resources.megabytes, "ranking"),
        runtime=partial(PLAN.resources.minutes, "ranking"),
    params:
        function="verify_cell_job",
        method="{method}",
        L="{L}",
        job_code=of_sources(ResultSources.job_code, "method"),


use rule job as verify_part with:
    input:
        archived="results/archive/{study}/experiments/{experiment}.parquet.zst",
    output:
        row=temp("results/verify/{study}/experiments/{experiment}/{part}.json"),
    log:
        "results/logs/verify/{study}/experiments/{experiment}/{part}.log",
    resources:
        runtime=partial(PLAN.resources.minutes, "part"),
    params:
        function="verify_cell.verify_part_job",
        part="{part}",
        job_code=of_sources(ResultSources.part_code, "experiment"),
