# Collect the scores; compute tables, statistics (Friedman's and Nemenyi's tests are the tables friedman.csv and
# nemenyi.csv) and the comparison with the published values.


# The results of this run on one dataset, in the format of the archive's files.
use rule job as gather with:
    input:
        **DATA,
        splits="results/{study}/splits/{dataset}.json",
        splits_benchmark="results/{study}/benchmarks/splits/{dataset}.json",
        hypothesis=branch(
            of_study(StudyPlan.has_hypothesis),
            then="results/data/{dataset}/clustering_hypothesis.json",
        ),
        rankings=of_methods("results/{study}/rankings/{dataset}/{method}.parquet"),
        fits=of_methods("results/{study}/rankings/{dataset}/{method}.status.csv"),
        ranking_benchmark=of_methods("results/{study}/benchmarks/rankings/{dataset}/{method}.json"),
        scores=of_methods("results/{study}/scores/{dataset}/{method}.csv"),
        scoring=of_methods("results/{study}/scores/{dataset}/{method}.status.csv"),
        scoring_benchmark=of_methods("results/{study}/benchmarks/scores/{dataset}/{method}.json"),
    output:
        gathered="results/{study}/datasets/{dataset}.parquet.zst",
    log:
        "results/{study}/logs/datasets/{dataset}.log",
    params:
        **step("gather"),
        specs=of_sources(ResultSources.specs_here, "dataset"),


# The results of a study: of this run, and those of the archive.
RESULTS = {
    "gathered": expand(
        "results/{{study}}/datasets/{dataset}.parquet.zst",
        dataset=of_sources(ResultSources.datasets_here),
    ),
    "archived": expand(
        "results/archive/{{study}}/{dataset}.parquet.zst",
        dataset=of_sources(ResultSources.archived_datasets),
    ),
}


use rule job as collect with:
    input:
        **RESULTS,
        archived_experiments=expand(
            "results/archive/{{study}}/experiments/{experiment}.parquet.zst",
            experiment=of_sources(ResultSources.archived_experiments),
        ),
    output:
        collected=[
            "results/{study}/collected/datasets.csv",
            "results/{study}/collected/scores.csv",
            "results/{study}/collected/status.csv",
            "results/{study}/collected/scoring.csv",
            "results/{study}/collected/durations.csv",
            "results/{study}/collected/sources.csv",
        ],
    log:
        "results/{study}/logs/collect.log",
    params:
        **step("collect"),
        study="{study}",
        datasets=of_sources(ResultSources.described),
        pairs=of_sources(ResultSources.collected),
        experiments=of_sources(ResultSources.collected_experiments),


# Stability of every ranking over the folds, and its best features.
use rule job as stability with:
    input:
        **RESULTS,
    output:
        stability="results/{study}/collected/stability.csv",
        features="results/{study}/collected/features.parquet",
    log:
        "results/{study}/logs/stability.log",
    params:
        **step("collect.stability"),
        pairs=of_sources(ResultSources.collected),


# The collected tables of a study, and those of its experiments.
COLLECTED = {
    "collected": rules.collect.output.collected,
    "experiments": expand(
        "results/{{study}}/experiments/{experiment}",
        experiment=of_sources(ResultSources.joined_experiments),
    ),
}


use rule job as tables with:
    input:
        of_study(StudyPlan.entries),
        **COLLECTED,
    output:
        tables=reported("results/{study}/tables", "Tables", "table", "{name}.csv", table="{name}"),
    log:
        "results/{study}/logs/tables.log",
    params:
        **step("tables"),
        config=of_study(StudyPlan.table_config),
        blocks=of_study(StudyPlan.table_blocks),


use rule job as compare_published with:
    input:
        of_study(StudyPlan.published_files),
        made="results/{study}/tables",
        # A publication whose names are those of the study has no such file.
        spelling=lambda w: [*filter(os.path.exists, [PLAN.study(w.study).published_names()])],
    output:
        compared=reported(
            "results/{study}/compared", "Published and reproduced", "compared", "{name}.csv", table="{name}"
        ),
        figures=reported(
            "results/{study}/published_figures",
            "Published and reproduced",
            "published_figure",
            "{name}.svg",
            figure="{name}",
        ),
    log:
        "results/{study}/logs/compare_published.log",
    params:
        **step("compare_published"),
        blocks=of_study(StudyPlan.published_tables),
        datasets=of_study(StudyPlan.published_datasets),


# Target: the tests of the chosen studies, with their other tables.
rule friedman_nemenyi:
    input:
        expand("results/{study}/tables", study=PLAN.chosen),
