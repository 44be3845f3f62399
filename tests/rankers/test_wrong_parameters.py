"""Invalid parameter values of rankers are refused by a message that names the parameter."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeClassifier

from sslrank import get_ranker
from sslrank.rankers.registry import RANKERS

WRONG = {
    "3_3fs": {"n_estimators": [0]},
    "cls": {"bandwidth": [0.0, "median"], "n_neighbors": [0], "scale": ["max"]},
    "constraint_score": {"variant": ["sum"]},
    "csfs": {"neighborhoods": ["far"]},
    "distilled": {"teacher": ["boosting", LinearRegression()]},
    "fwfs": {
        "n_selected": [0], "sampling_rate": [0, 1.5], "sampling_times": [0.5], "forward_steps": [0],
        "start_features": [0], "cv": [1], "estimator": ["tree"],
    },
    "genie3": {
        "ensemble": ["forest"], "importance": ["gini"], "supervision": [2], "n_estimators": [0],
        "max_features": ["log"], "max_samples": [0], "bootstrap": ["yes"], "min_samples_leaf": [0],
        "cv_folds": [1], "cv_levels": [[0.5, 3]],
    },
    "information_gain": {"discretization": ["width"], "n_bins": [1]},
    "l1": {"n_alphas": [1], "eps": [0, 1.5]},
    "memetic": {"budget": [0], "scoring": ["F1"]},
    "ml_mi": {"n_bins": [1]},
    "permutation_importance": {"max_features": ["third"], "n_estimators": [0, "many"]},
    "relief": {
        "n_neighbors": [0, "all"], "w0": [-0.1], "w1": ["high"], "cv": [1], "scoring_neighbors": [0],
        "n_iterations": [0],
    },
    "relieff": {"n_neighbors": [0, 2.5], "n_iterations": [0]},
    "rrelieff": {"sigma": [0.0], "n_neighbors": [True]},
    "s_cls": {"n_prototypes": [0], "label_weights": ["rarity"]},
    "sc4": {"laplacian_rows": ["some"]},
    "sselect": {"balance": [-0.1, 1.1, "half"]},
    "ssfi": {
        "max_features": [0, "log2"], "n_estimators": [0, "many"], "max_iter": [-1], "n_confident": [0],
        "estimator": ["tree"], "min_samples_split": [1],
    },
    "ssl_laplacian": {"n_neighbors": [0, 2.0], "lam": [0.0], "label_weight": [-1]},
    "svm_rfe": {"step": [0, 1.5, True, "one"], "C": [0]},
}  # fmt: skip
CASES = [
    (name, {parameter: value}, parameter)
    for name, found in WRONG.items()
    for parameter, values in found.items()
    for value in values
]
#: Values that do not go with each other.
CASES += [
    ("relief", {"w0": 0.6, "w1": 0.5}, "w0 must not exceed w1"),
    ("ssfi", {"min_samples_split": 10, "estimator": DecisionTreeClassifier()}, "min_samples_split"),
    ("genie3", {"importance": "random_forest", "bootstrap": False, "supervision": 0.5}, "bootstrap samples"),
    ("genie3", {"ensemble": "extra_trees", "bootstrap": False, "supervision": "oob"}, "needs bootstrap samples"),
]


@pytest.mark.parametrize(("name", "parameters", "message"), CASES)
def test_invalid_values_are_refused(name, parameters, message):
    X = np.random.default_rng(0).normal(size=(30, 4))
    tasks = RANKERS[name].tasks
    if "classification" in tasks:
        y = np.arange(30) % 3
    else:
        y = X[:, 0] if "regression" in tasks else (X[:, :2] > 0).astype(float)
    with pytest.raises(ValueError, match=rf"\b{message}\b"):
        get_ranker(name, **parameters).fit(X, y)
