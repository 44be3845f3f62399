# Figures, the manifest of the run, and the results page.


rule figures:
    input:
        rules.collect.output,
        experiments=lambda w: PLAN.experiment_folders(w.study),
    output:
        directory(paths.FIGURES),
    log:
        paths.fill(paths.STUDY_LOG, step="figures"),
    conda:
        ENVIRONMENT
    params:
        config=lambda w: PLAN.comparison_config(w.study),
        datasets=lambda w: PLAN.drawn_datasets(w.study),
        panels=lambda w: PLAN.panels(w.study),
        code=code_of("figures"),
    script:
        "../scripts/figures.py"


rule published_figures:
    input:
        paths.COMPARED,
    output:
        directory(paths.PUBLISHED_FIGURES),
    log:
        paths.fill(paths.STUDY_LOG, step="published_figures"),
    conda:
        ENVIRONMENT
    params:
        titles=lambda w: PLAN.publication(w.study).titles,
        code=code_of("published_figures"),
    script:
        "../scripts/published_figures.py"


rule manifest:
    input:
        rules.collect.output,
    output:
        paths.MANIFEST,
    log:
        paths.fill(paths.STUDY_LOG, step="manifest"),
    conda:
        ENVIRONMENT
    params:
        config=lambda w: PLAN.study_config(w.study),
        root=at_root("."),
        code=code_of("manifest"),
    script:
        "../scripts/manifest.py"


rule page:
    input:
        collected=rules.collect.output,
        condensed=rules.condense.output,
        manifest=paths.MANIFEST,
        parts=lambda w: PLAN.page_parts(w.study),
        estimate=lambda w: PLAN.sources.estimate(w.study),
    output:
        paths.PAGE,
    log:
        paths.fill(paths.STUDY_LOG, step="page"),
    conda:
        ENVIRONMENT
    params:
        config=lambda w: PLAN.study_config(w.study),
        code=code_of("page"),
        assets=page_assets(),
    script:
        "../scripts/page.py"


# What is worth committing of a study, once it is finished.
rule summarize:
    input:
        manifest=paths.MANIFEST,
        page=paths.PAGE,
        estimate=lambda w: PLAN.sources.estimate(w.study),
    output:
        directory(paths.SUMMARY),
    log:
        paths.fill(paths.STUDY_LOG, step="summarize"),
    conda:
        ENVIRONMENT
    params:
        code=code_of("summarize"),
    script:
        "../scripts/summarize.py"
