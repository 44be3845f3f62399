"""What every registered ranker must do, whatever its method: a new ranker is tested by being registered."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from sslrank import available_rankers, get_ranker
from sslrank.rankers.registry import RANKERS, ranker_info

CASES = [(name, task) for name in available_rankers() for task in sorted(RANKERS[name].tasks)]
HIERARCHY = [[], [0], [0], [1, 2]]

# Smaller than the papers' numbers: these tests are about the contract, not about quality.
SMALL = {
    "forest": {"n_estimators": 5, "supervision": 0.5},
    "relief": {"n_neighbors": 5, "w0": 0.0, "w1": 1.0},
}


def make_ranker(name, **params):
    ranker = get_ranker(name, **params)
    known = ranker.get_params()
    small = {k: v for values in SMALL.values() for k, v in values.items() if k in known}
    for key, value in {"max_iter": 2, "n_trees": 5, "budget": 30}.items():
        if key in known:
            small[key] = value
    if name != "relief":
        small.pop("n_neighbors", None)
    return ranker.set_params(**small, **({"hierarchy": None} if "hierarchy" in known else {}))


def make_data(task, n_rows=60, n_features=7, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_features))
    signal = X[:, [0, 1, 2, 3]] + 0.3 * rng.normal(size=(n_rows, 4))
    unlabeled = rng.permutation(n_rows)[: n_rows // 3]
    if task == "none":
        return X, None, {}
    if task == "classification":
        y = (signal[:, 0] > 0).astype(int)
        y[unlabeled] = -1
        return X, y, {}
    if task == "regression":
        y = signal[:, 0].copy()
    elif task == "multitarget":
        y = signal[:, :3].copy()
    else:
        y = (signal > 0).astype(float)
    y[unlabeled] = np.nan
    return X, y, {"hierarchy": HIERARCHY} if task == "hierarchical" else {}


@pytest.mark.parametrize(("name", "task"), CASES)
def test_contract(name, task):
    X, y, options = make_data(task)
    options = {"task": task, **options} if task != "none" else {}
    ranker = make_ranker(name, random_state=0)
    ranker.set_params(**{k: v for k, v in options.items() if k in ranker.get_params()})
    importances = ranker.fit(X, y).feature_importances_
    assert importances.dtype == np.float64
    assert importances.shape == (X.shape[1],)
    assert np.isfinite(importances).all()
    assert sorted(ranker.ranking_) == list(range(1, X.shape[1] + 1))
    assert (np.diff(importances[np.argsort(ranker.ranking_)]) <= 0).all()
    again = clone(ranker).set_params(n_jobs=2).fit(X, y)
    np.testing.assert_array_equal(importances, again.feature_importances_)
    frame = pd.DataFrame(X, columns=[f"f{j}" for j in range(X.shape[1])])
    named = clone(ranker).set_params(n_features_to_select=3).fit(frame, y)
    np.testing.assert_array_equal(importances, named.feature_importances_)
    assert len(named.get_feature_names_out()) == named.transform(frame).shape[1] == 3


@pytest.mark.parametrize("name", available_rankers())
def test_kinds_of_target_are_as_registered(name):
    info = ranker_info(name)
    assert info.tasks == info.load()(**info.params)._tasks


@pytest.mark.parametrize(
    ("name", "task"),
    [
        (name, task)
        for name in available_rankers()
        for task in ("classification", "regression", "multitarget", "multilabel")
        if task not in RANKERS[name].tasks
    ],
)
def test_unsupported_target_is_one_clear_message(name, task):
    X, y, _ = make_data(task)
    ranker = make_ranker(name)
    if "task" in ranker.get_params():
        ranker.set_params(task=task)
    with pytest.raises(ValueError, match=f"does not support targets of kind '{task}'"):
        ranker.fit(X, y)


@pytest.mark.parametrize("name", [name for name in available_rankers() if "none" not in RANKERS[name].tasks])
def test_a_missing_target_is_asked_for(name):
    with pytest.raises(ValueError, match="requires y to be passed"):
        make_ranker(name).fit(make_data("none")[0])


#: They rank whatever the targets are, by the depth of a tree's tests alone, or by random thirds of three features.
BLIND = ("laplacian_score", "symbolic", "3_3fs")


@pytest.mark.parametrize(
    ("name", "task"), [(n, t) for n, t in CASES if t not in ("hierarchical", "none") and n not in BLIND]
)
def test_more_than_64_categories(name, task):
    """The upper half of 96 categories is one class; another column has as many and no meaning."""
    rng = np.random.default_rng(0)
    names = [f"c{i:02d}" for i in range(96)]
    noise, kind = rng.permutation(np.repeat(np.arange(96), 4)), rng.permutation(np.repeat(np.arange(96), 4))
    X = pd.DataFrame({"number": rng.normal(size=384)})
    X["noise"], X["kind"] = (pd.Categorical.from_codes(codes, names) for codes in (noise, kind))
    upper = (kind >= 48).astype(float)
    y = np.column_stack([upper, 1 - upper])
    if task in ("regression", "multitarget"):
        y += 0.01 * rng.normal(size=y.shape)
    ranker = make_ranker(name, random_state=0)
    ranker.set_params(**{"task": task} if "task" in ranker.get_params() else {})
    _, of_noise, of_kind = ranker.fit(X, y if task in ("multilabel", "multitarget") else y[:, 0]).feature_importances_
    assert of_kind > of_noise


def test_unknown_name_suggests_the_nearest():
    with pytest.raises(ValueError, match="unknown ranker 'gennie3'"):
        get_ranker("gennie3")


def test_a_class_of_ones_own_is_found_by_path():
    ranker = get_ranker("sslrank.rankers.graph.cls:CLS", n_neighbors=3)
    assert (type(ranker).__name__, ranker.n_neighbors) == ("CLS", 3)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("sslrank.rankers.graph.cls:CSL", "has no class 'CSL'; did you mean 'CLS'"),
        ("sklearn.dummy:DummyClassifier", "derive the class from sslrank.core.base.BaseRanker"),
    ],
)
def test_a_wrong_path_says_what_is_wrong(path, message):
    with pytest.raises(ValueError, match=message):
        get_ranker(path)


def test_unknown_parameter_is_refused():
    for name in available_rankers():
        with pytest.raises(TypeError):
            get_ranker(name, no_such_parameter=1)
