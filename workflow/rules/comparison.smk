# From scattered scores to tables, statistics and the comparison with the published values.


rule collect:
    input:
        headers=lambda w: PLAN.header_files(w.study),
        hypotheses=lambda w: PLAN.hypothesis_files(w.study),
        scores=lambda w: PLAN.score_files(w.study),
        status=lambda w: [path for _, path in PLAN.status_files(w.study)],
        scoring=lambda w: [path for _, path in PLAN.scoring_files(w.study)],
        benchmarks=lambda w: [path for _, path in PLAN.benchmark_files(w.study)],
    output:
        [paths.fill(paths.COLLECTED, part=part) for part in paths.COLLECTED_PARTS],
    log:
        paths.fill(paths.STUDY_LOG, step="collect"),
    conda:
        ENVIRONMENT
    params:
        datasets=lambda w: PLAN.dataset_facts(w.study),
        status=lambda w: PLAN.status_files(w.study),
        scoring=lambda w: PLAN.scoring_files(w.study),
        benchmarks=lambda w: PLAN.benchmark_files(w.study),
        code=code_of("collect"),
    script:
        "../scripts/collect.py"


# How stable every ranking is over the folds, and which features lead it.
rule condense:
    input:
        lambda w: [path for _, path in PLAN.ranking_files(w.study)],
    output:
        stability=paths.STABILITY,
        features=paths.FEATURES,
    log:
        paths.fill(paths.STUDY_LOG, step="condense"),
    conda:
        ENVIRONMENT
    params:
        rankings=lambda w: PLAN.ranking_files(w.study),
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
