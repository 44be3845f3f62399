"""The library works with its own dependencies alone, and what needs more says what to install."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from sslrank.core.extras import MODULES

PROJECT = Path(__file__).parents[2] / "pyproject.toml"
#: Distributions whose modules have other names.
MODULE_NAMES = {"liac-arff": "arff", "pyyaml": "yaml"}
#: Put before code, hides what comes with the extras.
BARE = f"""
import sys
from importlib.machinery import PathFinder

class Hiding(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        hidden = {sorted({module for modules in MODULES.values() for module in modules})!r}
        return None if name.partition(".")[0] in hidden else PathFinder.find_spec(name, path, target)

sys.meta_path = [Hiding if finder is PathFinder else finder for finder in sys.meta_path]
"""

LIBRARY = """
import numpy as np
from sslrank import available_rankers, get_ranker, LabeledKFold
from sslrank.evaluation import compare_rankings, error_curves, knn_score
from sslrank.rankers.registry import RANKERS

rng = np.random.default_rng(0)
X = rng.normal(size=(30, 4))
y = {"classification": (X[:, 0] > 0).astype(int), "regression": X[:, 0], "multilabel": (X[:, :3] > 0).astype(float)}
for name in available_rankers():
    if RANKERS[name].needs:
        continue
    task = next(task for task in y if task in RANKERS[name].tasks)
    ranker = get_ranker(name)
    small = {"n_estimators": 3, "supervision": 0.5, "budget": 10, "sampling_times": 2, "max_iter": 2}
    ranker.set_params(task=task, **{key: value for key, value in small.items() if key in ranker.get_params()})
    ranker.fit(X, y[task])
for train, test in LabeledKFold(3).split(X, y["classification"]):
    knn_score(X[train], y["classification"][train], X[test], y["classification"][test], np.ones(4))
rankings = {"one": np.arange(4.0), "other": np.arange(4.0)[::-1]}
compare_rankings(error_curves("knn", X, y["classification"], rankings, cv=3), "one", "other")
"""


def bare(code):
    return subprocess.run([sys.executable, "-c", BARE + code], capture_output=True, text=True, check=False)


def distributions(requirements):
    return {re.match(r"[A-Za-z0-9._-]+", item)[0].lower() for item in requirements}


def test_the_modules_of_the_extras_are_those_of_pyproject():
    extras = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    for extra, modules in MODULES.items():
        named = {MODULE_NAMES.get(name, name) for name in distributions(extras[extra])}
        assert named - {"sslrank", "snakemake"} == set(modules)


def test_dependencies_of_the_library():
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    known = {"joblib", "numpy", "pandas", "scikit-learn", "scipy", "threadpoolctl"}
    assert distributions(project["dependencies"]) == known


def test_rankers_and_evaluation_need_no_extra():
    done = bare(LIBRARY)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("import sslrank; sslrank.rank", "ranking a table of your own needs .*pyarrow.*sslrank.readers."),
        ("import sslrank.datasets.readers", "reading data files needs pyarrow, .*sslrank.readers."),
        ("import sslrank.plotting", "drawing figures needs matplotlib, .*sslrank.plots."),
        ("import sslrank.benchmark.plan", "the workflow needs jinja2, .*sslrank.workflow."),
        ("from sslrank.cli import main; main(['rank', 'a.csv'])", "table of your own needs .*sslrank.readers."),
    ],
)
def test_a_missing_extra_is_named(code, message):
    done = bare(code)
    assert done.returncode != 0
    assert re.search(message, done.stderr.strip())
