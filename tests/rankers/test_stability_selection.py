import numpy as np

from sslrank import get_ranker


def test_always_selected_features_rank_first():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 20))  # 4 features are selected in each half
    y = X[:, 3] - X[:, 7] + 0.3 * X[:, 11] + 0.5 * rng.normal(size=80)
    y[60:] = np.nan
    ranker = get_ranker("stability_selection", n_pairs=8, random_state=0).fit(X, y)
    assert set(np.argsort(ranker.ranking_)[:2]) == {3, 7}
    assert ranker.selected_[[3, 7]].tolist() == [1, 1]
    assert np.isclose(ranker.selected_.sum(), 4)
    order = np.lexsort((-ranker.feature_importances_, -ranker.selected_))
    assert np.argsort(ranker.ranking_).tolist() == order.tolist()  # ranks only decide between equal shares


def test_halves_with_few_rows_per_class_are_ranked():
    X = np.arange(12.0).reshape(4, 3) % 5
    ranker = get_ranker("stability_selection", n_pairs=3, random_state=0).fit(X, [0, 1, -1, 1])
    assert np.isfinite(ranker.feature_importances_).all()
