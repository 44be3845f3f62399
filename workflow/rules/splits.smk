# Folds, and the training rows that keep their labels; the same for every method.


use rule job as splits with:
    input:
        **DATA,
    output:
        "results/{study}/splits/{dataset}.json",
    log:
        "results/{study}/logs/splits/{dataset}.log",
    params:
        protocol=lambda w: PLAN.studies[w.study].splits.model_dump(),
        seed=lambda w: PLAN.studies[w.study].seed,
        code=step_code("splits"),
