"""The registry and the contract of rankers: every registered ranker is tested."""

import importlib
import inspect
import pkgutil
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import sslrank
from sslrank import BaseRanker, available_rankers, get_ranker
from sslrank.core.messages import RENAMED
from sslrank.rankers.controls import EqualWeights
from sslrank.rankers.registry import ADDRESSES, RANKERS, ranker_info
from sslrank.testing import ranker_checks

CASES = [(name, task) for name in available_rankers() for task in sorted(RANKERS[name].tasks)]

# Smaller than the papers' numbers: these tests are about the contract, not about quality.
SMALL = {
    "n_estimators": 3, "supervision": 0.5, "w0": 0.0, "w1": 1.0, "max_iter": 2, "budget": 12, "n_candidates": 9,
    "n_generations": 1, "n_pairs": 1, "n_permutations": 2, "population_size": 4, "sampling_times": 2,
    "members": {"forest": {"ranker": "genie3", "supervised": True, "n_estimators": 3}, "l1": "l1"},
}  # fmt: skip


def make_ranker(name, **params):
    ranker = get_ranker(name, **params)
    known = ranker.get_params()
    small = {key: value for key, value in SMALL.items() if key in known}
    if name == "relief":
        small["n_neighbors"] = 5
    return ranker.set_params(**small, **({"hierarchy": None} if "hierarchy" in known else {}))


#: Checks that a ranker need not pass, by name, and why.
SKIPPED = {
    "l1": ("order", "coordinate descent stops at a tolerance"),
    "lightgbm_gain": ("order", "of equally good splits the first column's is taken"),
    "lightgbm_shap": ("order", "of equally good splits the first column's is taken"),
    "mean_rank": ("order", "one of its members draws features by their number"),
}


#: One ranker of each class; the others have other parameters.
OF_EACH_CLASS = {RANKERS[name].path: name for name in reversed(available_rankers())}


#: Other packages' programs in Python loops.
SLOW = ("conditional_importance", "multisurf")


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.exhaustive if name in SLOW else ()) for name in OF_EACH_CLASS.values()],
)
def test_rankers_follow_the_contract(name):
    """An error names the check and the kind of target."""
    for check, _, function in ranker_checks(make_ranker(name)):
        if check != SKIPPED.get(name, ("", ""))[0]:
            function()


@pytest.mark.parametrize("name", available_rankers())
def test_supported_tasks_match_the_registry(name):
    info = ranker_info(name)
    assert info.tasks == info.load()(**info.params).tasks


#: They rank whatever the targets are, by the depth of a tree's tests alone, or by random thirds of three features.
BLIND = ("laplacian_score", "symbolic", "3_3fs", "random_ranking")
#: They judge each category's column alone.
BY_CATEGORY = ("mrmr", "fastcan")


@pytest.mark.parametrize(
    ("name", "task"),
    [(n, t) for n, t in CASES if t not in ("hierarchical", "none") and n not in (*BLIND, *BY_CATEGORY, *SLOW)],
)
def test_more_than_64_categories_are_accepted(name, task):
    """The upper half of 96 categories is one class; a second column of 96 categories is noise."""
    rng = np.random.default_rng(0)
    names = [f"c{i:02d}" for i in range(96)]
    noise, kind = rng.permutation(np.repeat(np.arange(96), 4)), rng.permutation(np.repeat(np.arange(96), 4))
    X = pd.DataFrame({"number": rng.normal(size=384)})
    X["noise"], X["kind"] = (pd.Categorical.from_codes(codes, names) for codes in (noise, kind))
    upper = (kind >= 48).astype(float)
    y = np.column_stack([upper, 1 - upper])
    if task in ("regression", "multitarget"):
        y += 0.01 * rng.normal(size=y.shape)
    ranker = make_ranker(name, random_state=0, task=task)
    _, of_noise, of_kind = ranker.fit(X, y if task in ("multilabel", "multitarget") else y[:, 0]).feature_importances_
    assert of_kind > of_noise


@pytest.mark.parametrize("name", [name for name, new in RENAMED.items() if new in RANKERS])
def test_removed_name_suggests_the_new_one(name):
    with pytest.raises(ValueError, match=f"unknown ranker {name!r}; it is called {RENAMED[name]!r} now"):
        get_ranker(name)


#: Rankers without a name: they explain published numbers, are no ranking that one would want, or rank censored times.
BASES = {"ConstraintRanker", "GraphRanker", "TreeEstimator", "Peer"}
UNNAMED = {"CoxScore", "EqualWeights", "OriginalForest", "OriginalTree", "PCT", "TrivialRanking"}


def test_every_ranker_is_registered():
    for _, module, _ in pkgutil.walk_packages(sslrank.rankers.__path__, "sslrank.rankers."):
        importlib.import_module(module)
    found, todo = set(), [BaseRanker]
    while todo:
        todo += (kinds := todo.pop().__subclasses__())
        kinds = [kind for kind in kinds if kind.__module__.startswith("sslrank.rankers.")]
        found |= {kind.__name__ for kind in kinds if not inspect.isabstract(kind) and not kind.__name__.startswith("_")}
    registered = {info.path.partition(":")[2] for info in RANKERS.values()}
    assert found - registered - UNNAMED == {kind for kind in found if kind in BASES}
    assert found > UNNAMED


@pytest.mark.parametrize("name", [name for name in RANKERS if RANKERS[name].needs])
def test_ranker_reports_missing_package(name, monkeypatch):
    monkeypatch.setattr("sslrank.core.extras.find_spec", lambda module: None)
    with pytest.raises(ImportError, match=rf"the ranker '{name}' needs \w+, .*pip install 'sslrank\[arena\]'"):
        get_ranker(name)


def test_own_ranker_class_is_loaded_by_path():
    ranker = get_ranker("sslrank.rankers.graph.cls:CLS", n_neighbors=3)
    assert (type(ranker).__name__, ranker.n_neighbors) == ("CLS", 3)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("sslrank.rankers.graph.cls:CSL", "has no class 'CSL'; did you mean 'CLS'"),
        ("sklearn.dummy:DummyClassifier", "derive the class from sslrank.core.base.BaseRanker"),
    ],
)
def test_wrong_ranker_path_raises(path, message):
    with pytest.raises(ValueError, match=message):
        get_ranker(path)


def test_rankers_use_unlabelled_rows_by_default():
    rankers = [*map(get_ranker, available_rankers()), EqualWeights()]
    assert {ranker.get_params().get("supervised", False) for ranker in rankers} == {False}


def test_ranker_classes_are_importable_from_package():
    for info in RANKERS.values():
        name = info.path.partition(":")[2]
        assert getattr(sslrank, name) is info.load()
        assert name in dir(sslrank)
        assert name in sslrank.__all__
    assert {"PCT", "BaseRanker", "get_ranker", "__version__"} <= set(dir(sslrank))
    with pytest.raises(AttributeError, match="no attribute 'Relief'"):
        sslrank.Relief  # noqa: B018


def test_package_import_loads_no_ranker():
    registry = {"sslrank.rankers", "sslrank.rankers.registry"}
    code = "import sys, sslrank; print([m for m in sys.modules if m.startswith(('sslrank.rankers', 'sklearn'))"
    code += f" and m not in {registry}])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"


def test_every_ranker_says_its_paper_and_its_use():
    assert all(info.paper and info.use for info in RANKERS.values())
    assert set(ADDRESSES) <= {info.paper for info in RANKERS.values()}


def test_rankers_can_be_listed_by_task():
    assert {"relief", "rrelieff"} <= set(available_rankers("regression")) <= set(available_rankers()) - {"relieff"}
    with pytest.raises(ValueError, match="there is no kind of target 'regresion'; did you mean 'regression'"):
        available_rankers("regresion")
