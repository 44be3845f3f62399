# Experiments that need neither datasets nor ranking methods, such as those on synthetic data. Each part is a job.


use rule job as experiment_part with:
    output:
        tables=directory("results/{study}/experiment_parts/{experiment}/{part}"),
        benchmark="results/{study}/benchmarks/experiment_parts/{experiment}/{part}.json",
    log:
        "results/{study}/logs/experiment_parts/{experiment}/{part}.log",
    resources:
        runtime=partial(PLAN.resources.minutes, "part"),
    params:
        **step("experiment_part"),
        name=of_study(StudyPlan.experiment, "experiment"),
        part=of_study(StudyPlan.experiment_part, "experiment", "part"),
        seed=of_study(StudyPlan.seed),
        used=of_study(StudyPlan.experiment_code, "experiment"),


# Archived parts are read from the archive instead of being run.
use rule job as experiment with:
    input:
        archived=branch(
            of_sources(ResultSources.is_archived, "experiment"),
            then="results/archive/{study}/experiments/{experiment}.parquet.zst",
        ),
        computed=expand(
            "results/{{study}}/experiment_parts/{{experiment}}/{part}",
            part=of_sources(ResultSources.parts_here, "experiment"),
        ),
    output:
        tables=directory("results/{study}/experiments/{experiment}"),
    log:
        "results/{study}/logs/experiments/{experiment}.log",
    params:
        **step("experiment"),
        name=of_study(StudyPlan.experiment, "experiment"),
        parts=of_study(StudyPlan.experiment_parts, "experiment"),
        used=of_study(StudyPlan.experiment_code, "experiment"),
