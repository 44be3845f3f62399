"""Count false discoveries and omissions of rankings that are cut where they say "enough".

Targets are made of a few columns of a real table, beside which its own columns stand with their rows shuffled: these
are certainly unrelated, and what is cut off of them is a false discovery. A column that the target was made of and
that is not among the chosen ones is an omission. Datasets are those that scikit-learn brings.
"""

import numpy as np
import pandas as pd
from scipy.stats import rankdata
from sklearn import datasets, ensemble, feature_selection

from sslrank.benchmark.experiments.known_truth import beside_shuffled
from sslrank.core.random_state import derive_seed
from sslrank.rankers.registry import get_ranker

#: Columns that a target is made of, and the share of its variance that they explain.
N_TRUE, STRENGTH = 4, 0.6
FDR = 0.1


def parts(data, L, public, repetitions=5, rounds=50):
    """One part for each dataset of scikit-learn and number L of labelled rows.

    `public` is the class ("module:Class") whose attributes `n_related_` and `n_enough_` say where it cuts its ranking;
    `rounds` are Boruta's, at most.
    """
    options = {"public": public, "repetitions": repetitions, "rounds": rounds}
    return {f"{name}-{labels}": {"name": name, "L": labels, **options} for name in data for labels in L}


def experiment(name, L, public, repetitions, rounds, *, seed=0, n_jobs=1):
    """Make a target of two classes, choose features by each rule, and count.

    "found" has data, theta (L), ranking, repetition, chosen, false (share of the chosen that are shuffled) and omitted
    (share of the true columns that are not chosen).
    """
    X, rows = getattr(datasets, f"load_{name}")().data, []
    for repetition in range(repetitions):
        rng = np.random.default_rng(derive_seed(seed, "cut rankings", name, L, repetition))
        table, real = beside_shuffled(X, rng)
        true = rng.choice(np.flatnonzero(real), N_TRUE, replace=False)
        y = made_target(table[:, true], rng)
        labeled = rng.permutation(len(y))[:L]
        known = np.full(len(y), np.nan)
        known[labeled] = y[labeled]
        random_state = derive_seed(seed, "ranking", name, L, repetition) % 2**32
        for rule, chosen in _chosen(table, y, known, labeled, public, rounds, random_state, n_jobs):
            false = 0.0 if len(chosen) == 0 else 1 - real[chosen].mean()
            rows.append((name, L, rule, repetition, len(chosen), false, 1 - np.isin(true, chosen).mean()))
    columns = ["data", "theta", "ranking", "repetition", "chosen", "false", "omitted"]
    return {"found": pd.DataFrame(rows, columns=columns)}


def made_target(columns, rng):
    """Two classes as large: a sum of columns with random signs, one by its distance from the middle, and noise.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> float(made_target(rng.normal(size=(100, 4)), rng).mean())
    0.5
    """
    ranks = rankdata(columns, axis=0) / len(columns) - 0.5
    ranks[:, 0] = np.abs(ranks[:, 0])
    units = (ranks - ranks.mean(axis=0)) / np.maximum(ranks.std(axis=0), 1e-12)
    score = units @ rng.choice([-1.0, 1.0], units.shape[1])
    score = score / score.std() * np.sqrt(STRENGTH) + rng.normal(size=len(score)) * np.sqrt(1 - STRENGTH)
    return (rankdata(score, method="ordinal") > len(score) / 2).astype(float)


def _chosen(table, y, known, labeled, public, rounds, random_state, n_jobs):
    """(rule, indices of the features that it chooses)."""
    frame = pd.DataFrame(table).add_prefix("x")
    options = {"task": "classification", "random_state": random_state, "n_jobs": n_jobs}
    ours = get_ranker(public, curve=True, **options).fit(frame, known)
    order = np.argsort(ours.ranking_, kind="stable")
    yield "sslrank: related", order[: ours.n_related_]
    yield "sslrank: enough", order[: ours.n_enough_ or 0]
    X, classes = table[labeled], y[labeled].astype(int)
    yield (
        "F + Benjamini-Hochberg",
        np.flatnonzero(
            feature_selection.SelectFdr(feature_selection.f_classif, alpha=FDR).fit(X, classes).get_support()
        ),
    )
    forest = ensemble.RandomForestClassifier(200, random_state=random_state, n_jobs=n_jobs).fit(X, classes)
    above = forest.feature_importances_ > forest.feature_importances_.mean()
    yield "forest above its mean importance", np.flatnonzero(above)
    boruta = get_ranker("boruta", n_estimators=50, max_iter=rounds, **options).fit(frame, known)
    yield "Boruta: confirmed", np.flatnonzero(boruta.confirmed_)


def join(tables):
    """The "summary": means over the repetitions, by data, L (`theta`) and rule (`ranking`), and of all.

    `false_discoveries` and `omissions` are shares, with the standard errors of both over the tables.
    """
    found = tables["found"]
    everything = found.assign(data="all", theta="all")
    parts = pd.concat([everything, found.astype({"theta": str})]).groupby(["data", "theta", "ranking"], sort=False)
    summary = parts.agg(
        tables=("false", "size"),
        chosen=("chosen", "mean"),
        false_discoveries=("false", "mean"),
        false_error=("false", "sem"),
        omissions=("omitted", "mean"),
        omissions_error=("omitted", "sem"),
    )
    return {"summary": summary.reset_index()}
