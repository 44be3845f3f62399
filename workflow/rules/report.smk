# Figures, the manifest of the run, and the results page.


use rule job as figures with:
    input:
        **COLLECTED,
    output:
        figures=reported(
            "results/{study}/figures", "Figures", "figure", "{kind}/{name}.svg", kind="{kind}", figure="{name}"
        ),
    log:
        "results/{study}/logs/figures.log",
    params:
        **step("report.figures"),
        config=of_study(StudyPlan.table_config),
        datasets=of_sources(ResultSources.drawn_datasets),


use rule job as manifest with:
    input:
        collected=rules.collect.output.collected,
    output:
        manifest="results/{study}/manifest.json",
    log:
        "results/{study}/logs/manifest.log",
    params:
        **step("report.manifest"),
        config=of_study(StudyPlan.config),
        root=from_repository_root("."),


COMPARED = branch(
    of_study(StudyPlan.published_tables),
    then=["results/{study}/compared", "results/{study}/published_figures"],
)


use rule job as page with:
    input:
        rules.collect.output.collected,
        rules.stability.output,
        "results/{study}/tables",
        "results/{study}/figures",
        COMPARED,
        manifest="results/{study}/manifest.json",
    output:
        page=reported("results/{study}/report.html", "Results page", "page", page="Results page"),
    log:
        "results/{study}/logs/page.log",
    params:
        **step("report.page"),
        config=of_study(StudyPlan.config),


# The summary of a finished study, the part to commit.
use rule job as study_summary with:
    input:
        *COLLECTED.values(),
        rules.stability.output,
        "results/{study}/tables",
        "results/{study}/figures",
        COMPARED,
        "results/{study}/report.html",
        manifest="results/{study}/manifest.json",
    output:
        summary=directory("results/summaries/{study}"),
    log:
        "results/{study}/logs/study_summary.log",
    params:
        **step("report.study_summary"),
