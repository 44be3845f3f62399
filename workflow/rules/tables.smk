# Collect the scores; compute tables, statistics (Friedman's and Nemenyi's tests are the tables friedman.csv and
# nemenyi.csv) and the comparison with the published values.


use rule job as collect with:
    input:
        datasets=lambda w: PLAN.results(w.study).dataset_files(),
        results=lambda w: PLAN.results(w.study).collected_files(),
    output:
        "results/{study}/collected/datasets.csv",
        "results/{study}/collected/scores.csv",
        "results/{study}/collected/status.csv",
        "results/{study}/collected/scoring.csv",
        "results/{study}/collected/durations.csv",
        "results/{study}/collected/sources.csv",
    log:
        "results/{study}/logs/collect.log",
    params:
        datasets=lambda w: PLAN.results(w.study).datasets(),
        pairs=lambda w: PLAN.results(w.study).collected(),
        experiments=lambda w: PLAN.results(w.study).collected_experiments(),
        code=step_code("collect"),


# Stability of every ranking over the folds, and its best features.
use rule job as stability with:
    input:
        lambda w: PLAN.results(w.study).files("rankings"),
    output:
        stability="results/{study}/collected/stability.csv",
        features="results/{study}/collected/features.parquet",
    log:
        "results/{study}/logs/stability.log",
    params:
        pairs=lambda w: PLAN.results(w.study).collected(),
        code=step_code("stability"),


use rule job as tables with:
    input:
        rules.collect.output,
        experiments=expand(
            "results/{{study}}/experiments/{experiment}",
            experiment=lambda w: PLAN.joined_experiments(w.study),
        ),
        entries=lambda w: PLAN.entries(w.study),
    output:
        report(
            directory("results/{study}/tables"),
            patterns=["{name}.csv"],
            caption="../report/table.rst",
            category="{study}",
            subcategory="Tables",
            labels={"table": "{name}"},
        ),
    log:
        "results/{study}/logs/tables.log",
    params:
        config=lambda w: PLAN.table_config(w.study),
        tables=lambda w: PLAN.table_blocks(w.study),
        code=step_code("tables"),


use rule job as compare_published with:
    input:
        made="results/{study}/tables",
        files=lambda w: PLAN.publication(w.study).files,
        spelling=lambda w: PLAN.publication(w.study).names,
    output:
        report(
            directory("results/{study}/compared"),
            patterns=["{name}.csv"],
            caption="../report/compared.rst",
            category="{study}",
            subcategory="Published and reproduced",
            labels={"table": "{name}"},
        ),
        figures=report(
            directory("results/{study}/published_figures"),
            patterns=["{name}.svg"],
            caption="../report/published_figure.rst",
            category="{study}",
            subcategory="Published and reproduced",
            labels={"figure": "{name}"},
        ),
    log:
        "results/{study}/logs/compare_published.log",
    params:
        tables=lambda w: PLAN.publication(w.study).tables,
        datasets=lambda w: PLAN.publication(w.study).datasets,
        code=step_code("compare_published"),


# Target: the tests of the chosen studies, with their other tables.
rule friedman_nemenyi:
    input:
        expand("results/{study}/tables", study=PLAN.chosen),
