# What the studies will cost, from short fits of every method on every dataset: make estimate.


rule calibrate:
    input:
        **SPLIT_TABLE,
    output:
        paths.CALIBRATION,
    log:
        paths.fill(paths.DATASET_LOG, step="calibration"),
    priority: large_first
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory(1500),
    params:
        methods=lambda w: PLAN.calibrations(w.study, w.dataset),
        evaluators=lambda w: PLAN.calibrated_evaluators(w.study),
        modes=lambda w: PLAN.studies[w.study].modes,
        seed=lambda w: PLAN.studies[w.study].seed,
        code=code_of("calibrate"),
    script:
        "../scripts/calibrate.py"


localrules:
    estimate_study,


rule estimate_study:
    input:
        lambda w: PLAN.sources.estimate_inputs(w.study),
    output:
        paths.ESTIMATE,
    log:
        paths.fill(paths.STUDY_LOG, step="estimate"),
    conda:
        ENVIRONMENT
    params:
        code=code_of("estimate"),
    script:
        "../scripts/estimate.py"
