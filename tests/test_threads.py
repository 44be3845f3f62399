"""Rankings and scores have the same bits with one BLAS thread and with two."""

import hashlib

import numpy as np
import pytest
from sklearn.datasets import load_digits
from threadpoolctl import threadpool_limits

from sslrank import available_rankers, get_ranker
from sslrank.core.features import encode_features
from sslrank.core.targets import encode_targets
from sslrank.evaluation.evaluators import EVALUATORS, load_evaluator
from sslrank.rankers.registry import RANKERS

SMALL = {"n_estimators": 3, "cv_folds": 2, "cv_levels": [0.5, 1.0], "n_pairs": 2, "n_permutations": 2, "max_iter": 3,
         "budget": 12}  # fmt: skip
EVALUATED = {"eca": {"sizes": [4, 16, 40]}, "multilabel": {"sizes": [4, 16]}}
#: Slow with all rows.
FEWER_ROWS = ("fwfs", "memetic", "csfs", "mutual_information")
#: Forests and other packages' programs, without any product of matrices.
LEFT_OUT = ("conditional_importance", "fsga", "multisurf")


def bits(threads):
    X, digit = load_digits(return_X_y=True)
    X, digit = X[:200, 8:48] + np.random.default_rng(0).normal(scale=0.01, size=(200, 40)), digit[:200]
    labels = np.stack([digit % 2 == 0, digit > 4, digit % 3 == 0], axis=1).astype(float)
    targets = {"classification": digit.astype(float), "multilabel": labels, "regression": digit + X[:, 20] / 16}
    targets["multitarget"] = X[:, :3] + labels
    found = {}
    with threadpool_limits(threads, "blas"):
        for name in [name for name in available_rankers() if name not in LEFT_OUT]:
            task = next(task for task in targets if task in RANKERS[name].tasks)
            y = targets[task].copy()
            y[40:] = np.nan
            ranker = get_ranker(name, random_state=0, task=task)
            ranker.set_params(**{key: value for key, value in SMALL.items() if key in ranker.get_params()})
            rows = slice(50 if name in FEWER_ROWS else None)
            found[name] = hashlib.sha256(ranker.fit(X[rows], y[rows]).feature_importances_.tobytes()).hexdigest()
        train, test, labeled, order = np.arange(140), np.arange(140, 200), np.arange(70), np.arange(40.0)
        for name in EVALUATORS:
            task = "multilabel" if name == "multilabel" else "classification"
            y = encode_targets(targets[task], len(X), task=task)
            given = encode_features(X), y, train, test, labeled, order, EVALUATED.get(name, {}), 0
            found[name] = [value.hex() for _, _, value in load_evaluator(name).evaluate(*given)]
    return found


@pytest.mark.slow
def test_results_do_not_depend_on_blas_threads():
    one, two = bits(1), bits(2)
    assert [name for name in one if one[name] != two[name]] == []
