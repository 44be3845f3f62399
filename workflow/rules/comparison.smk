# From scattered scores to tables, statistics and the comparison with the published values.


rule collect:
    input:
        datasets=lambda w: PLAN.sources.dataset_files(w.study),
        results=lambda w: PLAN.sources.files(w.study),
    output:
        [paths.fill(paths.COLLECTED, part=part) for part in paths.COLLECTED_PARTS],
    log:
        paths.fill(paths.STUDY_LOG, step="collect"),
    conda:
        ENVIRONMENT
    params:
        datasets=lambda w: PLAN.sources.dataset_facts(w.study),
        pairs=lambda w: PLAN.sources.collected(w.study),
        experiments=lambda w: PLAN.sources.collected_experiments(w.study),
        code=code_of("collect"),
    script:
        "../scripts/collect.py"


# How stable every ranking is over the folds, and which features lead it.
rule condense:
    input:
        lambda w: PLAN.sources.condensed_files(w.study),
    output:
        stability=paths.STABILITY,
        features=paths.FEATURES,
    log:
        paths.fill(paths.STUDY_LOG, step="condense"),
    conda:
        ENVIRONMENT
    params:
        pairs=lambda w: PLAN.sources.condensed(w.study),
        code=code_of("condense"),
    script:
        "../scripts/condense.py"


rule tables:
    input:
        rules.collect.output,
        experiments=lambda w: PLAN.experiment_folders(w.study),
    output:
        directory(paths.TABLES),
    log:
        paths.fill(paths.STUDY_LOG, step="tables"),
    conda:
        ENVIRONMENT
    params:
        config=lambda w: PLAN.comparison_config(w.study),
        tables=lambda w: PLAN.table_blocks(w.study),
        code=code_of("tables"),
        makers=lambda w: PLAN.tables_code(w.study),
    script:
        "../scripts/tables.py"


rule compare:
    input:
        tables=paths.TABLES,
        files=lambda w: PLAN.publication(w.study).files,
        names=lambda w: PLAN.publication(w.study).names,
    output:
        directory(paths.COMPARED),
    log:
        paths.fill(paths.STUDY_LOG, step="compare"),
    conda:
        ENVIRONMENT
    params:
        tables=lambda w: PLAN.publication(w.study).tables,
        datasets=lambda w: PLAN.publication(w.study).datasets,
        code=code_of("compare"),
        makers=lambda w: PLAN.publication(w.study).code,
    script:
        "../scripts/compare.py"
