"""Variants of S-CLS and 3-3FS that the thesis scls names without results, judged on one half of the rows.

Prototypes of a self-organising map instead of the unlabelled rows (section 4.3), label importance (conclusions of
chapters 5 and 6), members of 3-3FS with and without replacement (conclusion of chapter 6), and several numbers as
targets (future work).
"""

import time

import numpy as np
import pandas as pd

from sslrank.core.random_state import derive_seed

#: Numbers of best features that are judged.
SIZES = (5, 10, 15, 20, 30)
LABELED_SHARE = 0.1
UNITS = (25, 50, 100, 200, 400)
NEIGHBORS = 20
MEASURE = {"multilabel": "macro_auc", "multitarget": "rrmse"}
#: Members of 3-3FS, and how their labelled rows are drawn.
MEMBERS = 300
SCENARIOS = {
    "with replacement": "3_3fs",
    "without replacement": "sslrank.rankers.multilabel.three_way:WithoutReplacement",
}


def parts(labels=(), numbers=(), units=UNITS, repetitions=2, catalogue="workflow/datasets.yaml"):
    """One part for each dataset: multi-label ones in `labels`, those with several numbers as targets in `numbers`.

    `units` are numbers of units of the map; `repetitions` counts random halves of the rows.
    """
    options = {"repetitions": repetitions, "catalogue": catalogue}
    found = {name: {"dataset": name, "units": list(units)} | options for name in labels}
    return found | {name: {"dataset": name, "units": []} | options for name in numbers}


def variants(task, units):
    """Name -> (ranker, parameters) of the variants that a kind of target ("multilabel" or "multitarget") has."""
    found = {"S-CLS": ("s_cls", {}), "Laplacian score": ("laplacian_score", {"scale": "range"})}
    if task == "multilabel":
        found |= {f"{n} units": ("s_cls", {"n_prototypes": n}) for n in units}
        found |= {f"label {name}": ("s_cls", {"label_weights": name}) for name in ("frequency", "entropy")}
        found |= {f"3-3FS, {name}": (ranker, {"n_estimators": MEMBERS}) for name, ranker in SCENARIOS.items()}
    else:
        found |= {"genie3, supervised": ("genie3", {"supervised": True, "n_estimators": 50})}
    return found | {"random": (None, {})}


def experiment(dataset, units, repetitions, catalogue, *, seed=0, n_jobs=1):
    """Quality and processor seconds of the variants on one dataset, with one thread.

    A tenth of the training rows is labelled. The judge knows all training labels: ML-kNN (macro AUC) for labels, kNN
    (RRMSE) for numbers, on the best features divided by their range, mean over :data:`SIZES`. In "scores", `agreement`
    is Spearman's correlation with the plain S-CLS.
    """
    from scipy.stats import spearmanr

    from sslrank.core.features import encode_features
    from sslrank.core.targets import encode_targets
    from sslrank.datasets.catalogue import load_catalogue
    from sslrank.datasets.download import DEFAULT_CACHE, fetch
    from sslrank.datasets.prepare import prepare
    from sslrank.rankers.registry import get_ranker

    entry = load_catalogue(catalogue)[dataset]
    data = prepare(entry, fetch(entry, DEFAULT_CACHE, progress=False))
    features, targets = encode_features(data.X), encode_targets(data.y, len(data.X), task=data.task)
    get_ranker("s_cls", task=data.task).fit(data.X.iloc[:50], targets.values[:50])  # the first fit has the imports
    rows = []
    for repetition in range(repetitions):
        rng = np.random.default_rng(derive_seed(seed, dataset, repetition))
        train, test = np.array_split(rng.permutation(len(data.X)), 2)
        known = targets.values[train].copy()
        known[max(2, round(LABELED_SHARE * len(train))) :] = np.nan
        plain = None
        for name, (ranker, params) in variants(data.task, units).items():
            started = time.process_time()
            if ranker is None:
                importances = rng.random(features.shape[1])
            else:
                model = get_ranker(ranker, task=data.task, random_state=0, n_jobs=1, **params)
                importances = model.fit(data.X.iloc[train].reset_index(drop=True), known).feature_importances_
            seconds = time.process_time() - started
            plain = importances if plain is None else plain
            agreement = spearmanr(plain, importances).statistic
            value = _score(features, targets, train, test, importances)
            row = (data.task, dataset, name, repetition, len(train), features.shape[1])
            rows.append((*row, MEASURE[data.task], value, seconds, agreement))
    about = ["task", "dataset", "variant", "repetition", "rows", "features"]
    return {"scores": pd.DataFrame(rows, columns=[*about, "measure", "value", "seconds", "agreement"])}


def _score(features, targets, train, test, importances):
    """The mean over the numbers of best features."""
    from sslrank.evaluation.evaluators import multilabel
    from sslrank.metrics.single import score
    from sslrank.models.knn import knn_predict

    order = np.argsort(-importances, kind="stable")
    sizes = [size for size in SIZES if size <= len(order)]
    if targets.task == "multilabel":
        params = {"sizes": sizes, "measures": ["macro_auc"], "train": "all", "scale": "range"}
        params |= {"classifier_params": {"n_neighbors": 10}}
        found = multilabel.evaluate(features, targets, train, test, train, importances, params)
        return float(np.mean([value for _, _, value in found]))
    values = []
    for size in sizes:
        weights = np.zeros(len(order))
        weights[order[:size]] = 1.0
        given = (features.rows(train), targets.rows(train), features.rows(test), weights, [NEIGHBORS])
        values.append(score(targets.rows(test), knn_predict(*given)[NEIGHBORS], "rrmse"))
    return float(np.mean(values))


def join(tables):
    """The "scores"; their "summary", means over the repetitions; and "lines", seconds and macro AUC over units."""
    scores = tables["scores"]
    keys = ["task", "dataset", "variant", "measure", "rows", "features"]
    summary = scores.groupby(keys, sort=False)[["value", "seconds", "agreement"]].mean().reset_index()
    units = summary["variant"].str.extract(r"^(\d+) units$")[0]
    found = summary[units.notna()].assign(units=units.dropna().astype(int)).sort_values(["dataset", "units"])
    lines = [
        pd.DataFrame({"panel": panel, "line": found["dataset"], "x": found["units"], "y": found[column]}).assign(
            xlabel="units of the map", ylabel=panel, log=log
        )
        for column, panel, log in (("seconds", "processor seconds", True), ("value", "macro AUC", False))
    ]
    return {"scores": scores, "summary": summary, "lines": pd.concat(lines, ignore_index=True)}
