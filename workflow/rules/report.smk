# Figures, the manifest of the run, and the results page.


rule figures:
    input:
        rules.collect.output,
        experiments=lambda w: PLAN.experiment_folders(w.study),
    output:
        directory("results/{study}/figures"),
    log:
        "results/{study}/logs/figures.log",
    conda:
        "../../envs/sslrank.yaml"
    params:
        config=lambda w: PLAN.comparison_config(w.study),
        datasets=lambda w: PLAN.drawn_datasets(w.study),
        panels=lambda w: PLAN.panels(w.study),
        code=code_of("figures"),
    script:
        "../scripts/figures.py"


rule published_figures:
    input:
        "results/{study}/compared",
    output:
        directory("results/{study}/published_figures"),
    log:
        "results/{study}/logs/published_figures.log",
    conda:
        "../../envs/sslrank.yaml"
    params:
        titles=lambda w: PLAN.compared_titles(w.study),
        code=code_of("published_figures"),
    script:
        "../scripts/published_figures.py"


rule manifest:
    input:
        rules.collect.output,
    output:
        "results/{study}/manifest.json",
    log:
        "results/{study}/logs/manifest.log",
    conda:
        "../../envs/sslrank.yaml"
    params:
        config=lambda w: PLAN.study_config(w.study),
        root=at_root("."),
        code=code_of("manifest"),
    script:
        "../scripts/manifest.py"


rule page:
    input:
        collected=rules.collect.output,
        manifest="results/{study}/manifest.json",
        parts=lambda w: PLAN.page_parts(w.study),
        template=at_root("workflow/report/page.html.j2"),
    output:
        "results/{study}/report.html",
    log:
        "results/{study}/logs/page.log",
    conda:
        "../../envs/sslrank.yaml"
    params:
        config=lambda w: PLAN.study_config(w.study),
        code=code_of("page"),
    script:
        "../scripts/page.py"


# What is worth committing of a study, once it is finished.
rule summarize:
    input:
        manifest="results/{study}/manifest.json",
        page="results/{study}/report.html",
    output:
        directory("results/summaries/{study}"),
    log:
        "results/{study}/logs/summarize.log",
    conda:
        "../../envs/sslrank.yaml"
    params:
        code=code_of("summarize"),
    script:
        "../scripts/summarize.py"
