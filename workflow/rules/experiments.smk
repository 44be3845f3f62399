# Experiments that need neither datasets nor ranking methods, such as those on synthetic data. Each part is a job.


rule experiment_part:
    output:
        directory(paths.EXPERIMENT_PART),
    log:
        paths.EXPERIMENT_PART_LOG,
    benchmark:
        paths.EXPERIMENT_PART_BENCHMARK
    wildcard_constraints:
        experiment=one_of(PLAN.experiments()),
        part="[^/]+",
    conda:
        ENVIRONMENT
    resources:
        runtime=1440,
    params:
        name=lambda w: PLAN.studies[w.study].experiments[w.experiment].experiment,
        part=lambda w: PLAN.experiment_parts(w.study, w.experiment)[w.part],
        seed=lambda w: PLAN.studies[w.study].seed,
        code=code_of("experiment_part"),
        used=lambda w: experiment_code(
            PLAN.studies[w.study].experiments[w.experiment].experiment
        ),
    script:
        "../scripts/experiment_part.py"


rule experiment:
    input:
        lambda w: list(
            dict.fromkeys(
                PLAN.sources.experiment_parts(w.study, w.experiment).values()
            )
        ),
    output:
        directory(paths.EXPERIMENT),
    log:
        paths.EXPERIMENT_LOG,
    wildcard_constraints:
        experiment=one_of(PLAN.experiments()),
    conda:
        ENVIRONMENT
    params:
        parts=lambda w: PLAN.sources.experiment_parts(w.study, w.experiment),
        name=lambda w: PLAN.studies[w.study].experiments[w.experiment].experiment,
        code=code_of("experiment"),
        used=lambda w: experiment_code(
            PLAN.studies[w.study].experiments[w.experiment].experiment
        ),
    script:
        "../scripts/experiment.py"
