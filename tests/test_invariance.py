"""A score does not depend on the order of rows or columns, on names or units, on threads or the processor."""

import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__
from threadpoolctl import threadpool_limits

from coded import target_of
from rankers.test_order import all_bits as ranking_bits
from rankers.test_order import large_table
from references.neighbor_votes import shared_weights
from sslrank import rank
from sslrank.core.features import encode_features
from sslrank.core.stratified import stratified_folds
from sslrank.core.targets import encode_targets
from sslrank.evaluation.evaluators import EVALUATORS, eca, knn, load_evaluator, top_features_auc
from sslrank.models.multilabel.iblr import IBLR
from sslrank.models.multilabel.ml_knn import MLkNN
from sslrank.models.votes import nearest_votes
from sslrank.testing import HIERARCHY

N, N_TRAIN = 180, 120
IMPORTANCES = np.array([0.9, 0.7, 0.5, 0.3, 0.2, 0.1])
KINDS = ("nominal", "0/1", "rounded", "mixed")
TASKS = ("classification", "multilabel", "hierarchical", "regression", "multitarget")


def table(kind, n=N, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 6)) + 0.5 * rng.normal(size=(n, 1))
    levels = pd.DataFrame(np.array(list("abc"))[np.digitize(X, [-0.5, 0.5])]).astype("category")
    frame = {"nominal": levels, "0/1": pd.DataFrame((X > 0) * 1.0), "rounded": pd.DataFrame(X.round())}
    mixed = pd.concat([frame["rounded"].iloc[:, :2], levels.iloc[:, 2:4], pd.DataFrame(X[:, 4:])], axis=1)
    return X, (frame | {"mixed": mixed})[kind].set_axis(list("uvwxyz"), axis=1)


def target(X, task, seed=1):
    return target_of(task, X[:, :4] + np.random.default_rng(seed).normal(size=(len(X), 4)))


def scores(X, y, task, rows, importances=IMPORTANCES, n_jobs=1):
    """Scores of all evaluators by neighbours; `rows` are those of training, then those of the test."""
    features = encode_features(X)
    targets = encode_targets(y, len(X), task=task, hierarchy=HIERARCHY if task == "hierarchical" else None)
    train, test = np.sort(rows[:N_TRAIN]), np.sort(rows[N_TRAIN:])
    parts = features, targets, train, test, np.sort(rows[:50]), importances
    found = knn.evaluate(*parts, {"n_neighbors": [4, 10], "n_jobs": n_jobs}) + eca.evaluate(*parts, {"n_jobs": n_jobs})
    found += knn.evaluate(*parts, {"n_neighbors": 7, "neighbors": "all", "ranges": "train_and_test"})
    arena = top_features_auc.evaluate(*parts, {"n_estimators": 1})
    return np.array([value for name, _, value in [*found, *arena] if not name.startswith(("area", "extra", "ridge"))])


def renamed(column):
    return column.cat.rename_categories({"a": "z", "b": "k", "c": "a"}) if column.dtype == "category" else column * 37.3


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("kind", KINDS)
def test_scores_are_the_same_for_the_same_folds(kind, task):
    latent, X = table(kind)
    y, rows = target(latent, task), np.random.default_rng(2).permutation(N)
    expected = scores(X, y, task, rows)
    order = np.random.default_rng(3).permutation(N)
    by_class = np.lexsort(y.reshape(N, -1).T)
    changed = [scores(X.iloc[o], y[o], task, np.argsort(o)[rows]) for o in (order, by_class, by_class[::-1])]
    changed.append(scores(X.iloc[:, ::-1], y, task, rows, IMPORTANCES[::-1]))
    changed.append(scores(X.apply(renamed), y, task, rows))
    if task == "classification":
        changed.append(scores(X, np.array(["v", "u", "t"])[y.astype(int)], task, rows))
    elif task in ("regression", "multitarget"):
        changed.append(scores(X, 7.1 * y - 3, task, rows))
    for values in changed:  # sums of real numbers over the test rows are rounded
        np.testing.assert_allclose(values, expected, rtol=0, atol=1e-12 if task in ("regression", "multitarget") else 0)


@pytest.mark.parametrize("whole", [True, False])
def test_models_of_labels_do_not_see_the_order_of_rows(whole, monkeypatch):
    latent, X = table("0/1")
    X, Y = X.to_numpy() / (1 if whole else 3), target(latent, "multilabel").astype(int)
    order = np.random.default_rng(3).permutation(N_TRAIN)
    distances = ((X[:, None] - X[:N_TRAIN]) ** 2).sum(axis=2)
    np.fill_diagonal(distances, np.inf)
    monkeypatch.setattr("sslrank.models.votes.CACHED", 7 * N_TRAIN)  # blocks of 7 rows
    votes = [nearest_votes(X[:N_TRAIN], Y[:N_TRAIN], [3, 9], queries) for queries in (None, X[N_TRAIN:])]
    for k in (3, 9):
        found = np.concatenate([of_rows[k] for of_rows in votes])
        np.testing.assert_allclose(found, shared_weights(distances, k) @ Y[:N_TRAIN])
    for model in (MLkNN(), MLkNN(n_neighbors="cv", random_state=0, candidates=(5,)), IBLR()):
        found = [model.fit(X[o], Y[o]).predict_proba(X[N_TRAIN:]) for o in (np.arange(N_TRAIN), order)]
        np.testing.assert_allclose(*found, rtol=1e-4)


def printed(X, y, task):
    """The score in the first line of a ranking, with the fewest features that suffice."""
    curve = rank(X, y, task=task, time="none", effort="order", curve=True, repeats=0).curve
    return curve.value(curve.best) if curve.higher_is_better else -curve.value(curve.best)


@pytest.mark.parametrize(("kind", "task"), [("nominal", "classification"), ("rounded", "regression")])
def test_printed_score_does_not_depend_on_order_of_rows(kind, task):
    latent, X = table(kind, 600)
    changed = np.random.default_rng(4).random(600) < 0.2
    y = (latent[:, 0] > 0) * 1 ^ changed if task == "classification" else latent[:, 0]
    X, orders = X.iloc[:, :2], (np.random.default_rng(5).permutation(600), np.argsort(y, kind="stable"))
    found = [printed(X.iloc[o].reset_index(drop=True), y[o], task) for o in orders]
    assert max(found) - min(found) < 0.02


def test_study_of_sorted_rows_equals_that_of_shuffled_rows():
    """Folds are drawn anew."""
    latent, X = table("nominal", 1200)
    y = target(latent, "classification")
    means = []
    for order in (np.argsort(y, kind="stable"), np.random.default_rng(6).permutation(1200)):
        features, targets = encode_features(X.iloc[order]), encode_targets(y[order], 1200)
        values = []
        for train, test in stratified_folds(targets, 10, 0):
            labeled = np.sort(np.random.default_rng(7).permutation(train)[:400])
            values += [v for *_, v in knn.evaluate(features, targets, train, test, labeled, IMPORTANCES)]
        means.append(np.mean(values))
    assert abs(means[0] - means[1]) < 0.02


def own_table(n_jobs, task, **options):
    """Rank a generated table and return the whole result as text; `options` give columns another role."""
    latent, X = table("mixed", 90)
    y = np.digitize(latent[:, 0] + latent[:, 1], [-0.5, 0.5]) if task == "classification" else latent[:, 0]
    frame = X.assign(size=latent[:, 5] * latent[:, 4], visit=np.arange(90), person=np.arange(90) // 3)
    others = [name for name in ("size", "visit", "person") if name not in str(options)]
    return str(rank(frame.drop(columns=others), y, task=task, n_jobs=n_jobs, **options).to_dict())


def evaluated(name):
    """Scores of one ranking by an evaluator, of a table whose rows all have a target."""
    task = "multilabel" if name == "multilabel" else "classification"
    X, y = large_table(task)
    y = np.nan_to_num(y)
    rows, options = np.arange(len(X)), {"sizes": [4, 16]} if name in ("eca", "multilabel") else {}
    train = rows[rows % 3 > 0]
    parts = train, rows[::3], train[::2], np.arange(40.0)
    return load_evaluator(name).evaluate(encode_features(X), encode_targets(y, len(X), task=task), *parts, options)


def all_bits(n_jobs):
    """Bits of all rankings, of the scores for two kinds of features, and of what `rank` says of three tables.

    BLAS has as many threads as the fits.
    """
    with threadpool_limits(n_jobs, "blas"):
        tables = [(*table(kind), task) for kind in ("nominal", "mixed") for task in TASKS]
        found = [scores(X, target(latent, task), task, np.arange(N), n_jobs=n_jobs) for latent, X, task in tables]
        texts = {
            "adjusted": own_table(n_jobs, "classification", adjust=["size"]),
            "grouped": own_table(n_jobs, "classification", groups="person"),
            "in time": own_table(n_jobs, "regression", time="visit"),
            **{f"evaluator {name}": str(evaluated(name)) for name in EVALUATORS},
        }
        bits = {name: text.encode() for name, text in texts.items()}
        return ranking_bits(n_jobs) | bits | {"scores": np.concatenate(found).tobytes()}


@pytest.mark.slow
def test_bits_do_not_depend_on_processor_or_threads():
    wide = [name for name in __cpu_dispatch__ if __cpu_features__.get(name)]
    code = "import test_invariance as t; print({name: bits.hex() for name, bits in t.all_bits(2).items()})"
    environment = os.environ | {"NPY_DISABLE_CPU_FEATURES": " ".join(wide), "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = eval(done.stdout.strip().splitlines()[-1])
    assert [name for name, bits in all_bits(1).items() if found[name] != bits.hex()] == []
