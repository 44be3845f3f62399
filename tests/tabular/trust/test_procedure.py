"""One procedure gives the order: what is printed for it holds on new rows."""

import numpy as np
import pandas as pd
import pytest

from sslrank import rank
from sslrank.core.features import encode_features
from sslrank.core.targets import encode_targets
from sslrank.evaluation.curve_problem import CurveProblem
from sslrank.hypothesis_tests.pairs import Pairs
from sslrank.hypothesis_tests.related import Related
from sslrank.tabular.fits.methods import RankingMethod
from sslrank.tabular.fits.work import ParallelFits
from sslrank.tabular.trust.dependence import Dependence
from sslrank.tabular.trust.joint import joint_test
from sslrank.tabular.trust.procedure import Procedure, joint_ranks

SIGNALS = {"product": lambda X: X[:, 0] * X[:, 1] + X[:, 2] / 2, "linear": lambda X: X[:, 0] + X[:, 1] + X[:, 2] / 2}


def table(n, D, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, D)), rng


def test_printed_score_holds_on_new_rows_with_delivered_features():
    differences = []
    for seed, (kind, signal) in enumerate(SIGNALS.items()):
        X, rng = table(1300, 8, seed)
        y = (signal(X) + 0.3 * rng.normal(size=1300) > 0).astype(int)
        ranking = rank(X[:300], y[:300], repeats=0)
        curve, kept = ranking.curve, ranking.order[: ranking.curve.enough]
        assert {0, 1} <= set(kept), kind
        assert ranking.conditional.n_rows == 300
        assert ranking.best(curve.enough) == [f"x{j + 1}" for j in kept]
        model = {"a linear model": "linear", "a forest": "forest"}.get(curve.predictor, "knn")
        assert f"by {curve.predictor} (" in str(ranking.answer)
        params = {"n_neighbors": int(curve.predictor.split()[0])} if model == "knn" else {}
        new = CurveProblem(
            encode_features(X[:, kept]), encode_targets(y, 1300), [(np.arange(300), np.arange(300, 1300))], model,
            predictor_params=params, measure=curve.measure, sizes=[len(kept)],
        )  # fmt: skip
        differences.append(curve.value(curve.enough) - new.scores(np.arange(len(kept))[None])[0, 0, 0])
    assert abs(np.mean(differences)) < 0.05


def test_folds_are_ranked_as_all_rows():
    X, rng = table(120, 6)
    y = (X[:, 2] * X[:, 4] + 0.2 * rng.normal(size=120) > 0).astype(int)
    ranking = rank(X, y, effort="order", methods="l1")
    procedure = Procedure(ranking.coded, Dependence(), [RankingMethod("l1")])
    with ParallelFits() as work:
        parts = [(np.arange(120), np.empty(0, dtype=int), 1)]
        ranks = procedure.joint_ranks(parts, work)[0]
    assert set(np.argsort(ranks)[:2]) == set(ranking.order[:2]) == {2, 4}


def test_joint_ranks_are_harmonic_means_with_shown_features_first():
    p = np.array([0.01, 0.5, 0.2, 0.9])
    related = Related({"alone": p}, p, np.array([0.04, 0.6, 0.4, 0.9]), np.full(4, 0.01), np.ones(4, dtype=bool))
    ranks = [np.array([4.0, 1, 2, 3]), np.array([4.0, 2, 1, 3])]
    of_p = np.array([1.0, 3, 2, 4])
    expected = 3 / (1 / ranks[0] + 1 / ranks[1] + 1 / of_p)
    np.testing.assert_allclose(joint_ranks(ranks, related, Pairs()), np.add(expected, [0, 4, 4, 4]))
    of_p = np.array([2.0, 4, 2, 2])  # features of the pair have the smallest p-value
    expected = 3 / (1 / ranks[0] + 1 / ranks[1] + 1 / of_p)
    pairs = Pairs(np.array([[2, 3]]), np.array([0.01]))
    np.testing.assert_allclose(joint_ranks(ranks, related, pairs), np.add(expected, [0, 4, 0, 0]))


def test_features_that_predict_together_are_not_called_unrelated():
    X, rng = table(300, 5)
    y = (X[:, :3] > 0).sum(axis=1) % 2
    ranking = rank(X, y, effort="quick", repeats=0)
    assert ranking.joint.is_shown
    assert "All features together predict it (balanced accuracy 0." in str(ranking.answer)
    assert "measure other features" not in ranking.answer.next_step
    nothing = rank(X, rng.permutation(y), effort="quick", repeats=0)
    assert not nothing.joint.is_shown
    assert "measure other features" in nothing.answer.next_step
    adjusted = rank(pd.DataFrame(X).add_prefix("x").assign(age=rng.normal(size=300)), y, adjust=["age"], effort="order")
    assert joint_test(Procedure(adjusted.coded, Dependence(), [])) is None


@pytest.mark.parametrize("is_alone", [False, True])
def test_third_class_names_pairs(is_alone):
    X, rng = table(250, 6, seed=1)
    y = X[:, 0] * X[:, 3] + is_alone * X[:, 0] + rng.normal(size=250) / 2
    ranking = rank(X, y, effort="quick", repeats=0)
    assert ranking.answer.together == (("x1", "x4"),)
    assert "only together (error rate 5%): x1 with x4" in str(ranking)
    assert set(ranking.order[:2]) == {0, 3}
    assert ranking.together.tolist() == ([3] if is_alone else list(ranking.order[:2]))
    assert ranking.to_dict()["pairs"]["pairs"] == [["x1", "x4"]]
    assert "related only together with others" in ranking._repr_html_()
