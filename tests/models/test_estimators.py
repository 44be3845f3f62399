"""Predictors by name, and what they are trained on."""

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.svm import SVC

from sslrank.core.targets import encode_targets
from sslrank.models.estimators import fit_predict, make_predictor, quadratic_svm, training_targets


def test_make_predictor_builds_estimators():
    forest = make_predictor(RandomForestClassifier(n_estimators=3), "classification", seed=5)
    assert forest.random_state == 5
    assert make_predictor("knn", "regression", n_neighbors=3).n_neighbors == 3
    svm = make_predictor("svm", "classification", C=2.0)
    assert isinstance(svm, SVC)
    assert (svm.C, svm.degree, quadratic_svm().C) == (2.0, 2, 0.1)
    targets = encode_targets(np.array(["b", "a"]), 2)
    rows, y = training_targets(targets)
    only_b = fit_predict(svm, np.zeros((1, 1)), y[:1], np.zeros((2, 1)), targets)
    np.testing.assert_array_equal(only_b, [[0, 1], [0, 1]])
    np.testing.assert_array_equal(rows, [0, 1])
