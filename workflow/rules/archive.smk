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
