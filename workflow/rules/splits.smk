# Folds, and the training rows that keep their labels; the same for every method.


use rule job as splits with:
    input:
        **DATA,
    output:
        splits="results/{study}/splits/{dataset}.json",
        benchmark="results/{study}/benchmarks/splits/{dataset}.json",
    log:
        "results/{study}/logs/splits/{dataset}.log",
    params:
        **step("splits"),
        protocol=of_study(StudyPlan.protocol),
        seed=of_study(StudyPlan.seed),
