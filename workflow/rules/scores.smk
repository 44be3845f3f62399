# One job scores all rankings of one dataset and method, over all L: by one evaluator, or by all of them in studies with
# `joined_jobs`.


# What an evaluator needs once for all of them, such as the curves of random rankings.
rule share:
    input:
        **SPLIT_TABLE,
    output:
        paths.SHARED,
    log:
        paths.SHARED_LOG,
    benchmark:
        paths.SHARED_BENCHMARK
    priority: large_first
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory(1500),
        runtime=minutes(1440),
        attempt=minutes(1),
    params:
        evaluator=lambda w: PLAN.judge(w.evaluator),
        budgets=lambda w: PLAN.scored_budgets(w.study, w.evaluator),
        seed=lambda w: PLAN.studies[w.study].seed,
        code=code_of("share"),
        used=lambda w: evaluator_code(PLAN.judge(w.evaluator)),
    script:
        "../scripts/share.py"


for NAME, STUDIES, EVALUATORS, RECORD in PLAN.scoring_rules():

    rule:
        name:
            NAME
        input:
            **SPLIT_TABLE,
            used=lambda w: PLAN.job_inputs(w),
        output:
            scores=[paths.fill(paths.SCORES, evaluator=name) for name in EVALUATORS],
            status=[
                paths.fill(paths.SCORES_STATUS, evaluator=name) for name in EVALUATORS
            ],
        log:
            paths.fill(paths.SCORES_LOG, record=RECORD),
        benchmark:
            paths.fill(paths.SCORES_BENCHMARK, record=RECORD)
        wildcard_constraints:
            study=one_of(STUDIES),
        conda:
            ENVIRONMENT
        resources:
            mem_mb=memory(1500),
            runtime=minutes(480),
            score_limit=PLAN.limits.score_seconds,
            attempt=minutes(1),
        params:
            evaluators=lambda w: PLAN.job_evaluators(w),
            seed=lambda w: PLAN.studies[w.study].seed,
            code=code_of("score"),
        script:
            "../scripts/score.py"
