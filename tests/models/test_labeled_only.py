"""Predictors that learn from the labelled rows only."""

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import is_classifier, is_regressor
from sklearn.datasets import load_breast_cancer
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import get_tags

from sslrank import LabeledKFold, LabeledOnly, get_ranker

X, CLASSES = load_breast_cancer(return_X_y=True)
UNLABELED = np.random.default_rng(0).random(len(X)) < 0.7


def marked(kind):
    if kind == "-1":
        return np.where(UNLABELED, -1, CLASSES)
    if kind == "NaN":
        return np.where(UNLABELED, np.nan, CLASSES)
    texts = np.array(["malignant", "benign"], dtype=object)[CLASSES]
    texts[UNLABELED] = -1 if kind == "objects" else None
    return texts


@pytest.mark.parametrize("kind", ["-1", "NaN", "objects", "None"])
def test_pipeline_ignores_unlabelled_code_as_class(kind):
    ranker = get_ranker("information_gain", n_features_to_select=5)
    learner = make_pipeline(StandardScaler(), ranker, LabeledOnly(KNeighborsClassifier()))
    y = marked(kind)
    scores = cross_val_score(learner, X, y, cv=LabeledKFold(3, random_state=0))
    assert scores.min() > 0.85
    learner.fit(X, y)
    assert len(learner[-1].classes_) == 2
    assert set(learner.predict(X)) == set(y[~UNLABELED])
    known = ~UNLABELED
    alone = KNeighborsClassifier().fit(learner[:-1].transform(X[known]), CLASSES[known])
    np.testing.assert_array_equal(
        learner.predict_proba(X).max(axis=1), alone.predict_proba(learner[:-1].transform(X)).max(axis=1)
    )
    assert learner.score(X, y) == alone.score(learner[:-1].transform(X[known]), CLASSES[known])


def test_regression_and_multioutput_are_supported():
    y = X[:, 0] * 0.5
    y[UNLABELED] = np.nan
    model = LabeledOnly(LinearRegression()).fit(X[:, :3], y)
    np.testing.assert_allclose(model.predict(X[:, :3]), X[:, 0] * 0.5)
    both = np.column_stack([y, y])
    partly = np.flatnonzero(~UNLABELED)[:5]
    both[partly, 1] = np.nan
    both[partly, 0] = 1e6  # would be learned
    np.testing.assert_allclose(LabeledOnly(LinearRegression()).fit(X[:, :3], both).predict(X[:, :3])[:, 0], X[:, 0] / 2)
    assert LabeledOnly(LinearRegression()).fit(X[:, :3], both).predict(X[:2, :3]).shape == (2, 2)


def test_labeled_only_has_the_type_of_its_estimator():
    assert is_classifier(LabeledOnly(KNeighborsClassifier()))
    assert is_regressor(LabeledOnly(LinearRegression()))
    assert not hasattr(LabeledOnly(LinearRegression()), "predict_proba")
    with pytest.raises(ValueError, match="needs at least one labelled row"):
        LabeledOnly(LinearRegression()).fit(X, np.full(len(X), np.nan))


def test_weights_are_subset_with_rows():
    weights = np.where(CLASSES == 1, 10.0, 1e-3)
    y = marked("-1")
    with config_context(enable_metadata_routing=True):
        inner = LogisticRegression(max_iter=5000).set_fit_request(sample_weight=True)
        model = LabeledOnly(inner).fit(X[:, :2], y, sample_weight=weights)
    assert (model.predict(X[:, :2]) == 1).mean() > 0.9
    model = LabeledOnly(DummyClassifier()).fit(X, y, sample_weight=1.0 * (CLASSES == 0))
    assert set(model.predict(X)) == {0}


def test_input_tags_are_those_of_the_predictor():
    assert get_tags(LabeledOnly(HistGradientBoostingClassifier())).input_tags.allow_nan
    assert not get_tags(LabeledOnly(LogisticRegression())).input_tags.allow_nan
