"""Rankers as steps of scikit-learn's pipelines, with rows whose target is unknown."""

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.semi_supervised import LabelPropagation

from sslrank import LabeledKFold, get_ranker

RANKERS = {
    "genie3": {"n_estimators": 5, "supervision": 0.5, "random_state": 0},
    "relief": {"n_neighbors": 5, "w0": 0.0, "w1": 1.0},
    "information_gain": {},
}


@pytest.fixture
def data():
    """A table with two relevant features of six; 120 of 300 rows have labels."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(300, 6)), columns=[f"feature {j}" for j in range(6)])
    y = (X["feature 2"] + X["feature 4"] > 0).to_numpy().astype(int)
    y[rng.permutation(300)[120:]] = -1
    return X, y


def pipeline(name, *more):
    ranker = get_ranker(name, n_features_to_select=2, **RANKERS[name])
    return Pipeline([("scale", StandardScaler()), ("rank", ranker), *more])


@pytest.mark.parametrize("name", RANKERS)
def test_tables_keep_selected_feature_names(name, data):
    X, y = data
    steps = pipeline(name).set_output(transform="pandas")
    selected = steps.fit(X, y).transform(X)
    assert list(selected.columns) == list(steps.get_feature_names_out()) == ["feature 2", "feature 4"]
    assert list(selected.index) == list(X.index)


@pytest.mark.parametrize("name", RANKERS)
def test_search_and_cross_validation_accept_unlabelled_rows(name, data):
    X, y = data
    learner = pipeline(name, ("propagate", LabelPropagation("knn")))
    folds = LabeledKFold(4, random_state=0)
    assert cross_val_score(learner, X, y, cv=folds, error_score="raise").mean() > 0.7  # with -1 in tests: 0.4
    search = GridSearchCV(learner, {"rank__n_features_to_select": [1, 2]}, cv=folds, error_score="raise").fit(X, y)
    assert search.best_params_ == {"rank__n_features_to_select": 2}
    assert set(search.predict(X)) == {0, 1}
