# Experiments that need neither datasets nor ranking methods, such as those on synthetic data.


rule experiment:
    output:
        directory(paths.EXPERIMENT),
    log:
        paths.EXPERIMENT_LOG,
    benchmark:
        paths.EXPERIMENT_BENCHMARK
    wildcard_constraints:
        experiment=one_of(PLAN.experiments()),
    conda:
        ENVIRONMENT
    threads: 2
    resources:
        runtime=2880,
    params:
        block=lambda w: PLAN.studies[w.study].experiments[w.experiment].model_dump(),
        seed=lambda w: PLAN.studies[w.study].seed,
        code=code_of("experiment"),
        used=lambda w: experiment_code(
            PLAN.studies[w.study].experiments[w.experiment].experiment
        ),
    script:
        "../scripts/experiment.py"
