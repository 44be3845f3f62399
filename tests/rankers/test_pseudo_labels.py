import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import f_classif
from sklearn.preprocessing import minmax_scale
from sklearn.semi_supervised import LabelSpreading, SelfTrainingClassifier

from sslrank.rankers.pseudo_labels import LabelPropagation, SelfTraining


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 5))
    y = (X[:, 1] > 0).astype(int)
    X[:, 1] += 3 * y
    return X, np.where(np.arange(90) < 30, y, -1)


def test_self_training_equals_scikit_learn(data):
    X, y = data
    found = SelfTraining(n_estimators=20, random_state=1).fit(X, y)
    forest = RandomForestClassifier(20, random_state=found.resolve_seed() % 2**31)
    model = SelfTrainingClassifier(forest, threshold=0.75, max_iter=10).fit(minmax_scale(X), y)
    np.testing.assert_allclose(found.feature_importances_, model.estimator_.feature_importances_)
    assert found.n_labeled_ > 60


def test_label_propagation_is_f_score_of_scikit_learn_labels(data):
    X, y = data
    y[:10] = 1 - y[:10]  # wrong labels, which a large alpha changes
    seen = set()
    for n_neighbors, alpha in ((7, 0.2), (7, 0.8), (3, 0.2)):
        found = LabelPropagation(n_neighbors=n_neighbors, alpha=alpha).fit(X, y)
        model = LabelSpreading(kernel="knn", n_neighbors=n_neighbors, alpha=alpha).fit(minmax_scale(X), y)
        np.testing.assert_array_equal(found.labels_, model.transduction_)
        np.testing.assert_allclose(found.feature_importances_, f_classif(X, model.transduction_)[0])
        seen.add(tuple(found.labels_))
    assert len(seen) == 3


@pytest.mark.parametrize("ranker", [SelfTraining, LabelPropagation])
def test_missing_constant_and_single_class_data_are_accepted(data, ranker):
    X, y = data
    frame = pd.DataFrame(X).rename(columns=str)
    frame["kind"], frame["same"] = pd.Categorical(np.arange(90) % 3), 1.0
    frame.loc[::7, "1"] = np.nan
    assert ranker(random_state=0).fit(frame, y).ranking_[1] == 1
    labels = np.where(y == 1, "a", None)
    assert not ranker(task="classification").fit(X, labels).feature_importances_.any()
