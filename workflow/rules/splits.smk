# Folds, and the training rows that keep their labels; the same for every method.


rule splits:
    input:
        **DATASET_TABLE,
    output:
        paths.SPLITS,
    log:
        paths.fill(paths.DATASET_LOG, step="splits"),
    conda:
        ENVIRONMENT
    params:
        protocol=lambda w: PLAN.studies[w.study].splits.model_dump(),
        seed=lambda w: PLAN.studies[w.study].seed,
        code=code_of("splits"),
    script:
        "../scripts/splits.py"
