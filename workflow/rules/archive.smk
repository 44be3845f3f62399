# The archive of results: what has finished goes in. What is not finished is not run for it.


localrules:
    archive,


rule archive:
    log:
        paths.fill(paths.ARCHIVE_LOG, step="archive"),
    conda:
        ENVIRONMENT
    params:
        folder=paths.ARCHIVE,
        pairs=lambda w: [
            pair for study in PLAN.chosen for pair in PLAN.sources.pairs(study)
        ],
        experiments=lambda w: [
            experiment
            for study in PLAN.chosen
            for experiment in PLAN.sources.experiments(study).values()
        ],
        results=PLAN.results,
        estimates={study: paths.ESTIMATE.format(study=study) for study in PLAN.chosen},
    script:
        "../scripts/archive.py"


# Random cells of the archive (--config sample=20 seed=1), recomputed from the data on and compared with it.
rule verify:
    input:
        lambda w: PLAN.sources.cells(),
    log:
        paths.fill(paths.ARCHIVE_LOG, step="verify"),
    conda:
        ENVIRONMENT
    params:
        output=paths.VERIFIED,
    script:
        "../scripts/verify.py"


rule verify_cell:
    input:
        **DATASET_TABLE,
        file=paths.ARCHIVED,
    output:
        paths.CELL,
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
        paths.PART_CELL,
    log:
        paths.PART_CELL_LOG,
    wildcard_constraints:
        experiment=one_of(PLAN.experiments()),
        part="[^/]+",
    conda:
        ENVIRONMENT
    resources:
        runtime=1440,
    params:
        job_code=lambda w: PLAN.sources.part_code(w.study, w.experiment),
    script:
        "../scripts/verify_part.py"
