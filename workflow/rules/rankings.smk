# One job ranks the features of one dataset by one method for every L, in all folds and both modes. The method names a
# ranker of the library (`sslrank methods`) or a class of one's own. Fits of a job that was stopped are not repeated.


use rule job as rank with:
    input:
        **DATA,
        splits="results/{study}/splits/{dataset}.json",
    output:
        rankings="results/{study}/rankings/{dataset}/{method}.parquet",
        status="results/{study}/rankings/{dataset}/{method}.status.csv",
        benchmark="results/{study}/benchmarks/rankings/{dataset}/{method}.json",
    log:
        "results/{study}/logs/rankings/{dataset}/{method}.log",
    wildcard_constraints:
        method=one_of(PLAN.methods_of_rule(None)),
    priority: large_first
    group:
        short("ranking")
    # More threads for the longest jobs; results do not depend on it.
    threads: PLAN.resources.threads
    resources:
        mem_mb=partial(PLAN.resources.megabytes, "ranking"),
        runtime=partial(PLAN.resources.minutes, "ranking"),
        attempt=this_attempt,
    params:
        **step("rank"),
        spec=of_study(StudyPlan.spec, "method"),
        budgets=of_study(StudyPlan.budgets),
        modes=of_study(StudyPlan.modes),
        seed=of_study(StudyPlan.seed),
        used=of_study(StudyPlan.ranker_code, "method"),


# Methods in other languages (see methods/_template) read the files exported here.
use rule job as export with:
    input:
        **DATA,
        splits="results/{study}/splits/{dataset}.json",
    output:
        exported=directory("results/{study}/exchange/{dataset}/L{L}-csv"),
    log:
        "results/{study}/logs/exchange/{dataset}/L{L}-csv.log",
    params:
        **step("export"),
        L="{L}",


# Evaluators in other languages (see evaluators/_template) read all rows, and the rankings of a method.
use rule export as export_rows with:
    output:
        exported=directory("results/{study}/exchange/{dataset}/rows-csv"),
    log:
        "results/{study}/logs/exchange/{dataset}/rows-csv.log",
    params:
        **step("export"),
        L=None,


use rule job as export_rankings with:
    input:
        rankings="results/{study}/rankings/{dataset}/{method}.parquet",
    output:
        exported="results/{study}/exchange/{dataset}/{method}/rankings.csv",
    log:
        "results/{study}/logs/exchange/{dataset}/{method}/rankings.log",
    params:
        function="rankings_csv_job",
        code=step_code("export"),


# Check and convert the CSV files that such a method writes, one for each L.
use rule job as import_rankings with:
    input:
        **DATA,
        splits="results/{study}/splits/{dataset}.json",
        sources=expand(
            "results/{{study}}/exchange/{{dataset}}/{{method}}/L{L}.csv",
            L=of_study(StudyPlan.budgets),
        ),
        benchmarks=expand(
            "results/{{study}}/benchmarks/exchange/{{dataset}}/{{method}}/L{L}.tsv",
            L=of_study(StudyPlan.budgets),
        ),
    output:
        rankings="results/{study}/rankings/{dataset}/{method}.parquet",
        status="results/{study}/rankings/{dataset}/{method}.status.csv",
        benchmark="results/{study}/benchmarks/rankings/{dataset}/{method}.json",
    log:
        "results/{study}/logs/rankings/{dataset}/{method}.log",
    wildcard_constraints:
        method=one_of(set(PLAN.methods) - set(PLAN.methods_of_rule(None))),
    params:
        **step("import_rankings"),
        spec=of_study(StudyPlan.spec, "method"),
        budgets=of_study(StudyPlan.budgets),
        modes=of_study(StudyPlan.modes),
