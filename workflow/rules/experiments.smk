# Experiments that need neither datasets nor ranking methods, such as those on synthetic data. Each part is a job.


use rule job as experiment_part with:
    output:
        tables=directory("results/{study}/experiment_parts/{experiment}/{part}"),
        benchmark="results/{study}/benchmarks/experiment_parts/{experiment}/{part}.tsv",
    log:
        "results/{study}/logs/experiment_parts/{experiment}/{part}.log",
    wildcard_constraints:
        part="[^/]+",
    resources:
        runtime=partial(PLAN.resources.minutes, "part"),
    params:
        name=lambda w: PLAN.studies[w.study].experiments[w.experiment].experiment,
        part=lambda w: PLAN.experiment_parts(w.study, w.experiment)[w.part],
        seed=lambda w: PLAN.studies[w.study].seed,
        code=step_code("experiment_part"),
        used=lambda w: experiment_code(
            PLAN.studies[w.study].experiments[w.experiment].experiment
        ),


# Archived parts are read from the archive instead of being run.
use rule job as experiment with:
    input:
        lambda w: sorted(
            set(PLAN.results(w.study).experiment_parts(w.experiment).values())
        ),
    output:
        directory("results/{study}/experiments/{experiment}"),
    log:
        "results/{study}/logs/experiments/{experiment}.log",
    params:
        parts=lambda w: PLAN.results(w.study).experiment_parts(w.experiment),
        name=lambda w: PLAN.studies[w.study].experiments[w.experiment].experiment,
        code=step_code("experiment"),
        used=lambda w: experiment_code(
            PLAN.studies[w.study].experiments[w.experiment].experiment
        ),
