"""Experiment: semi-supervised compared with supervised rankings (paper ssl-ranking) by several predictors.

On one half of the datasets, the predictor that best separates an oracle from random rankings is chosen.
"""

from dataclasses import replace

import numpy as np
import pandas as pd

#: Rankings by name: ranker, parameters, kept rankings, and "all" if no label is hidden.
SPECS = {
    "forest": {"ranker": "genie3", "params": {"cv_levels": [0.0, 0.5, 1.0], "n_jobs": 1}, "rankings": ["genie3"]},
    "relief": {"ranker": "relief", "params": {"n_neighbors": "cv", "w0": "cv", "w1": "cv"}},
    "random": {"ranker": "random_ranking", "params": {}},
    "oracle": {"ranker": "genie3", "params": {"supervised": True}, "rankings": ["genie3"], "labels": "all"},
}
RANKINGS = ("forest", "relief")
ARENA = {"n_estimators": 10, "max_train": 500, "max_test": 500, "n_sizes": 6}
KNN = {"n_neighbors": [20, 40]}
#: A tenth of the distance between random rankings and the oracle: the smallest gain of interest.
LEAST_SHARE = 0.1


def parts(datasets, L=(50, 200), folds=10, used_folds=3, catalogue="workflow/datasets.yaml"):
    """List one part for each dataset; the first `used_folds` of `folds` splits are used."""
    options = {"L": [str(budget) for budget in L], "folds": folds, "used_folds": used_folds, "catalogue": catalogue}
    return {name: {"dataset": name} | options for name in datasets}


def experiment(dataset, L, folds, used_folds, catalogue, *, seed=0, n_jobs=1):
    """Compute mean "scores" over folds of each ranking, mode and predictor for each L; higher is better."""
    from sslrank.benchmark.experiments.data import load_dataset
    from sslrank.benchmark.fits import rank_dataset
    from sslrank.benchmark.scoring import evaluate_rankings
    from sslrank.model_selection.splits import make_splits

    data = load_dataset(dataset, catalogue)
    split_options = {"task": data.task, "dataset": dataset, "parts": data.parts, "seed": seed}
    splits = make_splits(data.y, scheme="ssl-cross-validation", folds=folds, budgets=L, **split_options)
    splits = replace(splits, folds=splits.folds[:used_folds])
    rows = []
    for name, spec in SPECS.items():
        modes = ("ssl", "sl") if name in RANKINGS else ("sl",)
        if name == "random":
            modes = ("ssl",)
        tables = {
            budget: rank_dataset(data, splits, budget, spec, modes=modes, seed=seed, n_jobs=n_jobs)[0] for budget in L
        }
        for evaluator, params in (("knn", KNN), ("top_features_auc", ARENA)):
            values = evaluate_rankings(data, splits, tables, {"evaluator": evaluator, "params": params}, seed=seed)
            values = pd.DataFrame(values).rename(columns={"ranking": "score"})
            rows.append(_by_predictor(values, evaluator).assign(ranking=name))
    scores = pd.concat(rows).groupby(["ranking", "mode", "L", "predictor"], sort=False)["value"].mean().reset_index()
    return {"scores": scores.assign(task=data.task, dataset=dataset)}


def _by_predictor(scores, evaluator):
    """Return scores with the columns mode, L, fold, predictor, value; higher is better."""
    from sslrank.metrics.averages import area_under_curve
    from sslrank.metrics.single import MEASURES

    keys = ["mode", "L", "fold", "predictor"]
    if evaluator == "knn":
        sign = np.where(scores["measure"].map(lambda name: MEASURES[name].higher_is_better), 1, -1)
        names = scores["k"].map("{:.0f} neighbours, weighted".format)
        return scores.assign(predictor=names, value=sign * scores["value"])[[*keys, "value"]]
    points = scores[scores["measure"].str.count(" ") == 2]
    points = points.assign(predictor=points["measure"].str.rsplit(n=1).str[0].str.replace("_", " "))
    curves = points.groupby(keys, sort=False)[["k", "value"]]
    areas = curves.apply(lambda curve: area_under_curve(curve["k"], curve["value"], spacing="log"))
    return areas.rename("value").reset_index()


def join(tables):
    """Make the tables "scores" and "summary"; the latter has room and SSL minus SL by predictor.

    `room` is the oracle minus random rankings, averaged over the datasets, and `distance` the room divided by its
    standard error. `chosen` is the predictor with the largest distance on the half "choose" of the datasets (by a hash
    of their names). `gain` is SSL minus SL, averaged over rankings and L. `n_needed` is the number of datasets needed
    to detect a gain of a tenth of the room at a level of 5 % with a power of 80 %, given the spread of the gains.
    """
    from sslrank.datasets.arena import arena_part
    from sslrank.stats.rank_tests import wilcoxon_test

    scores, rows = tables["scores"], []
    means = scores.groupby(["predictor", "task", "dataset", "ranking", "mode"])["value"].mean().reset_index()
    for predictor, part in means.groupby("predictor", sort=False):
        of_ranking = part.groupby(["dataset", "ranking", "mode"])["value"].mean().unstack(["ranking", "mode"])
        room = of_ranking["oracle", "sl"] - of_ranking["random", "ssl"]
        gain = sum(of_ranking[name, "ssl"] - of_ranking[name, "sl"] for name in RANKINGS) / len(RANKINGS)
        forest = of_ranking["forest", "ssl"] - of_ranking["forest", "sl"]
        halves = room.index.map(arena_part) == "choose"
        for half, chosen in (("choose", halves), ("confirm", ~halves), ("all", halves | ~halves)):
            r, g, f = room[chosen], gain[chosen], forest[chosen]
            rows.append(
                {
                    "half": half,
                    "predictor": predictor,
                    "n_datasets": len(r),
                    "room": r.mean(),
                    "distance": r.mean() / r.sem(),
                    "flat": int((r.abs() < 1e-12).sum()),
                    "gain": g.mean(),
                    "standard_error": g.sem(),
                    "better": int((g > 0).sum()),
                    "worse": int((g < 0).sum()),
                    "p_value": wilcoxon_test(g, np.zeros(len(g))).p_value,
                    "share_of_room": g.mean() / r.mean(),
                    "forest_gain": f.mean(),
                    "forest_standard_error": f.sem(),
                    "n_needed": np.ceil((2.8 * g.std() / (LEAST_SHARE * r.mean())) ** 2),
                }
            )
    summary = pd.DataFrame(rows)
    best = summary[summary["half"] == "choose"].set_index("predictor")["distance"].idxmax()
    return {"scores": scores, "summary": summary.assign(chosen=summary["predictor"] == best)}
