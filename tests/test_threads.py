"""Rankings and scores have the same bits with one BLAS thread and with two."""

import json
import os
import subprocess
import sys

import pytest

PROGRAM = """
import hashlib, json, warnings
import numpy as np
from sklearn.datasets import load_digits
from sslrank import available_rankers, get_ranker
from sslrank.core.features import encode_features
from sslrank.core.targets import encode_targets
from sslrank.evaluation.evaluators import EVALUATORS, load_evaluator
from sslrank.rankers.registry import ranker_info

warnings.simplefilter("ignore")
X, digit = load_digits(return_X_y=True)
X, digit = X[:200] + np.random.default_rng(0).normal(scale=0.01, size=(200, 64)), digit[:200]
labels = np.stack([digit % 2 == 0, digit > 4, digit % 3 == 0], axis=1).astype(float)
targets = {"classification": digit.astype(float), "multilabel": labels, "regression": digit + X[:, 20] / 16}
targets["multitarget"] = X[:, :3] + labels
small = {"n_estimators": 3, "cv_folds": 2, "cv_levels": [0.5, 1.0], "n_pairs": 2, "n_permutations": 2}
found = {}
for name in available_rankers():
    task = next(task for task in targets if task in ranker_info(name).tasks)
    y = targets[task].copy()
    y[70:] = np.nan
    ranker = get_ranker(name, random_state=0, task=task)
    ranker.set_params(**{key: value for key, value in small.items() if key in ranker.get_params()})
    rows = slice(None) if name not in ("fwfs", "memetic", "csfs") else slice(0, 140)
    importances = ranker.fit(X[rows], y[rows]).feature_importances_
    found[name] = hashlib.sha256(importances.tobytes()).hexdigest()
order = np.arange(64.0)
params = {"eca": {"sizes": [4, 16, 64]}, "knn": {}, "multilabel": {"sizes": [4, 16]}, "top_features": {}}
for name in EVALUATORS:
    task = "multilabel" if name == "multilabel" else "classification"
    y = encode_targets(targets[task], len(X), task=task)
    given = encode_features(X), y, np.arange(140), np.arange(140, 200), np.arange(70), order
    scores = load_evaluator(name).evaluate(*given, params.get(name, {}), 0)
    found[name] = [value.hex() for _, _, value in scores]
print(json.dumps(found))
"""


def run(threads):
    environment = os.environ | {"OPENBLAS_NUM_THREADS": str(threads)}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.slow
def test_blas_threads_change_no_bit():
    one, two = run(1), run(2)
    assert [name for name in one if one[name] != two[name]] == []
