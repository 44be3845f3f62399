# The archive of results in git. `archive` adds the results of the chosen studies; what of them is missing is run first.


localrules:
    archive,


rule archive:
    input:
        lambda w: PLAN.sources.archive_inputs(),
    output:
        "results/archived.csv",
    log:
        "results/logs/archive.log",
    conda:
        ENVIRONMENT
    params:
        pairs=lambda w: [
            pair for study in PLAN.chosen for pair in PLAN.sources.to_archive(study)
        ],
        experiments=lambda w: [
            each
            for study in PLAN.chosen
            for each in PLAN.sources.experiments_to_archive(study)
        ],
    script:
        "../scripts/archive.py"


# Recompute random cells of the archive from the data on (--config sample=20 seed=1), and compare them with it. The table
# is no output, as Snakemake would delete it where a difference fails the job.
rule verify:
    input:
        lambda w: PLAN.sources.cells(),
    log:
        "results/logs/verify.log",
    conda:
        ENVIRONMENT
    params:
        output=paths.VERIFIED,
    script:
        "../scripts/verify.py"


rule verify_cell:
    input:
        table="results/data/{dataset}/table.parquet",
        header="results/data/{dataset}/header.json",
        file=paths.ARCHIVED,
    output:
        temp(paths.CELL),
    log:
        paths.CELL_LOG,
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory(1500),
        runtime=minutes(1440),
    params:
        archive=lambda w: paths.ARCHIVE,  # the linter takes a plain path for that of an input
        file=lambda w: PLAN.sources.archived_file(w),
        seed=PLAN.seed,
        job_code=lambda w: PLAN.sources.job_code(w.study, w.dataset, w.method),
    script:
        "../scripts/verify_cell.py"


rule verify_part:
    input:
        file=paths.ARCHIVED_EXPERIMENT,
    output:
        temp(paths.PART_CELL),
    log:
        paths.PART_CELL_LOG,
    wildcard_constraints:
        part="[^/]+",
    conda:
        ENVIRONMENT
    resources:
        runtime=1440,
    params:
        job_code=lambda w: PLAN.sources.part_code(w.study, w.experiment),
    script:
        "../scripts/verify_part.py"
