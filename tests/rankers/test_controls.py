"""Control rankings: equal weights and random orders."""

import numpy as np
import pandas as pd
import pytest

from sslrank.rankers.controls import EqualWeights, RandomRanking, TrivialRanking

X = np.random.default_rng(0).normal(size=(12, 7))
Y = np.where(np.arange(12) < 8, np.arange(12) % 2, np.nan)


@pytest.mark.parametrize("supervised", [False, True])
@pytest.mark.parametrize("y", [None, Y, np.column_stack([Y, Y + 0.5])], ids=["none", "one", "two"])
def test_controls_ignore_the_target(y, supervised):
    settings = {"supervised": supervised and y is not None, "task": "auto"}
    assert (EqualWeights(**settings).fit(X, y).feature_importances_ == 1).all()
    order = RandomRanking(random_state=3, **settings).fit(X, y).feature_importances_
    assert sorted(order) == pytest.approx(np.arange(1, 8) / 7)
    np.testing.assert_array_equal(order, RandomRanking(random_state=3).fit(-X[:5]).feature_importances_)


def test_random_orders_differ():
    leaders = {RandomRanking(random_state=seed).fit(X).ranking_.argmin() for seed in range(60)}
    assert leaders == set(range(7))


def test_trivial_rankings_look_at_positions_and_variances():
    table = pd.DataFrame(X).rename(columns=str).assign(kind=pd.Categorical([0, 1] * 6), same=1.0)
    orders = {"first columns": np.arange(1, 10), "last columns": np.arange(9, 0, -1)}
    for order, ranking in orders.items():
        assert TrivialRanking(order=order).fit(table, Y).ranking_.tolist() == ranking.tolist()
    variances = [*X.var(axis=0), 0.5, 0.0]  # of the kind, the sum of the variances of two indicators
    assert (
        TrivialRanking(order="least variance").fit(table, Y).ranking_.argsort().tolist()
        == np.argsort(variances).tolist()
    )
    with pytest.raises(ValueError, match="order"):
        TrivialRanking(order="random").fit(X)
