# One job ranks the features of one dataset by one method, in all folds and both modes: for one L, or for all of them in
# studies with `joined_jobs`.


for NAME, STUDIES, BUDGETS, RECORD in PLAN.ranking_rules():

    rule:
        name:
            NAME
        input:
            **SPLIT_TABLE,
        output:
            rankings=[paths.fill(paths.RANKINGS, L=L) for L in BUDGETS],
            status=[paths.fill(paths.STATUS, L=L) for L in BUDGETS],
        log:
            paths.fill(paths.RANKING_LOG, record=RECORD),
        benchmark:
            paths.fill(paths.RANKING_BENCHMARK, record=RECORD)
        wildcard_constraints:
            study=one_of(STUDIES),
            method=one_of(PLAN.python_methods()),
        priority: large_first
        conda:
            ENVIRONMENT
        # More threads for the longest jobs: --set-threads rank=4. The result is the same.
        threads: 1
        resources:
            mem_mb=memory(1500),
            runtime=minutes(1440),
            # Not among the params, since another limit changes no ranking that is there.
            fit_limit=PLAN.limits.fit_seconds,
            attempt=minutes(1),
        params:
            budgets=lambda w: PLAN.job_budgets(w),
            spec=lambda w: PLAN.spec(w.study, w.method),
            modes=lambda w: PLAN.studies[w.study].modes,
            seed=lambda w: PLAN.studies[w.study].seed,
            code=code_of("rank"),
            ranker=lambda w: ranker_code(PLAN.methods[w.method].ranker),
        script:
            "../scripts/rank.py"


# Methods in other languages: see methods/_template. They read the files of these exports ...
rule export:
    input:
        **SPLIT_TABLE,
    output:
        directory(paths.EXPORT),
    log:
        paths.EXPORT_LOG,
    wildcard_constraints:
        form="csv|arff",
    conda:
        ENVIRONMENT
    params:
        code=code_of("export"),
    script:
        "../scripts/export.py"


# ... and the CSV that they write is checked and comes in here.
rule import_rankings:
    input:
        **SPLIT_TABLE,
        source=paths.EXTERNAL,
        benchmark=paths.EXTERNAL_BENCHMARK,
        # The program has read them without a check.
        exports=exports_of,
    output:
        rankings=paths.RANKINGS,
        status=paths.STATUS,
    log:
        paths.fill(paths.RANKING_LOG, record="L{L}"),
    benchmark:
        paths.fill(paths.RANKING_BENCHMARK, record="L{L}")
    wildcard_constraints:
        method=one_of(set(PLAN.methods) - set(PLAN.python_methods())),
    conda:
        ENVIRONMENT
    params:
        spec=lambda w: PLAN.spec(w.study, w.method),
        modes=lambda w: PLAN.studies[w.study].modes,
        code=code_of("import_rankings"),
    script:
        "../scripts/import_rankings.py"
