# One job scores all rankings of one dataset and method, over all L, by the study's evaluators. Each of them names in
# workflow/evaluators.yaml a module of sslrank.evaluation.evaluators: weighted nearest neighbours (knn), error curves
# (eca), classifiers on the top features (top_features, top_features_auc, multilabel).


# Computations of an evaluator that all rankings of a dataset share, such as the curves of random rankings.
use rule job as share with:
    input:
        **DATA,
        splits="results/{study}/splits/{dataset}.json",
    output:
        shared="results/{study}/shared/{dataset}/{evaluator}.csv",
        benchmark="results/{study}/benchmarks/shared/{dataset}/{evaluator}.json",
    log:
        "results/{study}/logs/shared/{dataset}/{evaluator}.log",
    priority: large_first
    resources:
        mem_mb=memory(1500),
        runtime=240,
        attempt=this_attempt,
    params:
        **step("share"),
        scoring=of_study(StudyPlan.scoring, "evaluator"),


use rule job as score with:
    input:
        **DATA,
        splits="results/{study}/splits/{dataset}.json",
        rankings="results/{study}/rankings/{dataset}/{method}.parquet",
        shared=expand(
            "results/{{study}}/shared/{{dataset}}/{evaluator}.csv",
            evaluator=of_study(StudyPlan.sharing, "method"),
        ),
        imported=expand(
            "results/{{study}}/exchange/{{dataset}}/{{method}}/scores/{evaluator}.csv",
            evaluator=of_study(StudyPlan.scored_by_rules, "method"),
        ),
        import_benchmarks=expand(
            "results/{{study}}/benchmarks/exchange/{{dataset}}/{{method}}/scores/{evaluator}.tsv",
            evaluator=of_study(StudyPlan.scored_by_rules, "method"),
        ),
    # A change of one evaluator does not repeat the scores of the others.
    output:
        scores=update("results/{study}/scores/{dataset}/{method}.csv"),
        status=update("results/{study}/scores/{dataset}/{method}.status.csv"),
        benchmark="results/{study}/benchmarks/scores/{dataset}/{method}.json",
    log:
        "results/{study}/logs/scores/{dataset}/{method}.log",
    group:
        short("scores")
    resources:
        mem_mb=partial(PLAN.resources.megabytes, "scores"),
        runtime=partial(PLAN.resources.minutes, "scores"),
        attempt=this_attempt,
    params:
        **step("score"),
        study="{study}",
        dataset="{dataset}",
        method="{method}",
        evaluators=of_study(StudyPlan.scorings, "method"),


# Targets: the scores of the chosen studies by nearest neighbours, and their error curves.
rule knn_scores:
    input:
        scores_by("knn"),


rule eca_scores:
    input:
        scores_by("eca"),
