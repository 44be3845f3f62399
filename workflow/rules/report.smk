# Figures, the manifest of the run, and the results page.


use rule job as figures with:
    input:
        rules.collect.output,
        experiments=expand(
            "results/{{study}}/experiments/{experiment}",
            experiment=lambda w: PLAN.joined_experiments(w.study),
        ),
    output:
        report(
            directory("results/{study}/figures"),
            patterns=["{kind}/{name}.svg"],
            caption="../report/figure.rst",
            category="{study}",
            subcategory="Figures",
            labels={"kind": "{kind}", "figure": "{name}"},
        ),
    log:
        "results/{study}/logs/figures.log",
    params:
        config=lambda w: PLAN.table_config(w.study),
        datasets=lambda w: PLAN.drawn_datasets(w.study),
        panels=lambda w: PLAN.panels(w.study),
        code=step_code("figures"),


use rule job as manifest with:
    input:
        rules.collect.output,
    output:
        "results/{study}/manifest.json",
    log:
        "results/{study}/logs/manifest.log",
    params:
        config=lambda w: PLAN.study_config(w.study),
        root=from_repository_root("."),
        code=step_code("manifest"),


use rule job as page with:
    input:
        rules.collect.output,
        rules.stability.output,
        "results/{study}/manifest.json",
        "results/{study}/tables",
        "results/{study}/figures",
        branch(
            lambda w: PLAN.publication(w.study).tables,
            then=[
                "results/{study}/compared",
                "results/{study}/published_figures",
            ],
        ),
    output:
        report(
            "results/{study}/report.html",
            caption="../report/page.rst",
            category="{study}",
            subcategory="Results page",
            labels={"page": "Results page"},
        ),
    log:
        "results/{study}/logs/page.log",
    params:
        config=lambda w: PLAN.study_config(w.study),
        code=step_code("page"),


# The summary of a finished study, the part to commit.
use rule job as study_summary with:
    input:
        manifest="results/{study}/manifest.json",
        page="results/{study}/report.html",
    output:
        directory("results/summaries/{study}"),
    log:
        "results/{study}/logs/study_summary.log",
    params:
        code=step_code("study_summary"),
