import sys

import numpy as np
import pytest
from scipy.stats import rankdata

from references import graph as reference
from sslrank import get_ranker
from sslrank.core.columns import numeric_rows
from sslrank.core.features import encode_features
from sslrank.core.random_state import derive_seed
from sslrank.rankers.graph.scores import lower_is_better
from sslrank.rankers.multilabel.prototypes import with_prototypes
from sslrank.rankers.multilabel.s_cls import s_cls_scores, weighted_labels

K = 3
LABELINGS = ("some", "all", "none", "one row", "holes", "nothing relevant")
CASES = pytest.mark.parametrize(("labels", "shape"), [(a, b) for a in LABELINGS for b in reference.SHAPES])


def make_case(labels, shape, n=24, seed=0):
    rng = np.random.default_rng([seed, LABELINGS.index(labels), reference.SHAPES.index(shape)])
    X, Y = reference.shaped_rows(rng, shape, n), (rng.random((n, 4)) < 0.4).astype(float)
    if labels == "some":
        Y[rng.permutation(n)[: n // 2]] = np.nan
    elif labels == "none":
        Y[:] = np.nan
    elif labels == "one row":
        Y[1:] = np.nan
    elif labels == "nothing relevant":
        Y[:8], Y[8:] = np.nan, 0.0
    elif labels == "holes":
        Y[rng.random(Y.shape) < 0.3] = np.nan
    return X, Y


def reference_s_cls(X, Y, k=K):
    labeled = ~np.isnan(Y).all(axis=1)
    bandwidth = reference.percentile(X)
    return [reference.s_cls(f, X, Y == 1, labeled, k, bandwidth) for f in X.T]


def reference_cls(X, codes):
    bandwidth, links = reference.percentile(X), reference.pairs(np.where(np.isnan(codes), -1, codes))
    return [reference.cls(f, X, *links, K, bandwidth) for f in X.T]


@CASES
def test_s_cls_matches_equations(labels, shape):
    X, Y = make_case(labels, shape)
    ranker = get_ranker("s_cls", scale=None, n_neighbors=K).fit(X, Y)
    np.testing.assert_allclose(ranker.scores_, reference_s_cls(X, Y), rtol=1e-8)


@CASES
def test_br_cls_matches_equations(labels, shape):
    X, Y = make_case(labels, shape)
    scores = np.array([reference_cls(X, label) for label in Y.T])
    ranks = rankdata(np.where(np.isnan(scores), np.inf, scores), axis=1)
    ranker = get_ranker("br_cls", n_neighbors=K, scale=None).fit(X, Y)
    np.testing.assert_allclose(ranker.scores_, np.mean(ranks, axis=0))


@CASES
def test_lp_cls_matches_equations(labels, shape):
    X, Y = make_case(labels, shape)
    sets = [-1 if np.isnan(row).any() else int(row @ [1, 2, 4, 8]) for row in Y]
    ranker = get_ranker("lp_cls", n_neighbors=K, scale=None).fit(X, Y)
    np.testing.assert_allclose(ranker.scores_, reference_cls(X, sets), rtol=1e-8)


@pytest.mark.parametrize("share", [0.02, 0.5])
@pytest.mark.parametrize("labels", ["some", "all", "holes"])
def test_br_cls_accepts_sparse_word_counts(labels, share):
    # Columns with few entries other than 0 are computed separately; here they stand next to full ones.
    X, Y = make_case(labels, "random", n=60)
    rng = np.random.default_rng(2)
    words = rng.integers(1, 4, (60, 6)) * (rng.random((60, 6)) < share)
    words[0] = np.arange(1, 7)
    X = np.column_stack([words, np.round(X)])
    ranker = get_ranker("br_cls", n_neighbors=K, scale=None).fit(X, Y)
    for label, scores in zip(Y.T, ranker.label_scores_, strict=True):
        np.testing.assert_allclose(scores, reference_cls(X, label), rtol=1e-8)


# Limit cases that the thesis states (section 4.3).


def test_constant_labels_give_zero_importance():
    """No pair of rows should differ, so the denominator is zero and not what rounding leaves of it."""
    X, _ = make_case("all", "random")
    ranker = get_ranker("s_cls").fit(X, np.ones((len(X), 4)))
    assert np.isposinf(ranker.scores_).all()
    assert (ranker.feature_importances_ == 0).all()


def test_3_3fs_averages_its_members():
    X, Y = make_case("some", "random")
    ranker = get_ranker("3_3fs", scale=None, n_estimators=20, n_neighbors=K, random_state=3).fit(X, Y)
    labeled = ~np.isnan(Y).all(axis=1)
    sums, times = np.zeros(5), np.zeros(5)
    for member in range(20):
        rng = np.random.default_rng(derive_seed(3, "3_3fs", member))
        features = rng.choice(5, 2, replace=False)
        labels = np.sort(rng.choice(4, 2, replace=False))
        known = np.flatnonzero(labeled)
        index = np.concatenate([np.sort(rng.choice(known, len(known))), np.flatnonzero(~labeled)])
        columns = np.sort(features)
        part = X[np.ix_(index, columns)]
        marked = np.arange(len(index)) < len(known)
        bandwidth = reference.percentile(part)
        Yi = Y[np.ix_(index, labels)] == 1
        scores = [reference.s_cls(f, part, Yi, marked, K, bandwidth) for f in part.T]
        sums[columns] += scores
        times[columns] += 1
    np.testing.assert_allclose(ranker.scores_, sums / times, rtol=1e-8)
    np.testing.assert_array_equal(ranker.feature_importances_, lower_is_better(ranker.scores_))


def test_ensemble_size_follows_equation_5_1():
    X, Y = make_case("some", "random")
    assert get_ranker("3_3fs", random_state=0).fit(X, Y).n_members_ == 80  # Eq. (5.1) for 5 features


@pytest.mark.parametrize("name", ["s_cls", "3_3fs"])
def test_scores_are_scale_invariant_by_default(name):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(60, 5))
    Y = np.where(np.arange(60)[:, None] < 12, (X[:, :2] > 0).astype(float), np.nan)
    scores = get_ranker(name, random_state=0).fit(X, Y).scores_
    other_units = get_ranker(name, random_state=0).fit(X * [1, 1024, 1, 0.5, 1], Y).scores_
    np.testing.assert_allclose(other_units, scores, rtol=1e-9)


def test_prototypes_replace_unlabelled_rows():
    pytest.importorskip("minisom")
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(60, 3)) + 20 * i for i in range(3)])
    Y = np.full((180, 2), np.nan)
    Y[::6] = rng.random((30, 2)) < 0.5
    labeled = ~np.isnan(Y[:, 0])
    rows = numeric_rows(encode_features(X))
    fewer, _, mask = with_prototypes(rows, np.nan_to_num(Y), labeled, 12, 0)
    assert mask.sum() == 30
    assert 3 <= (~mask).sum() <= 12
    np.testing.assert_array_equal(fewer.values[mask], rows.values[labeled])
    free = rows.values[~labeled]
    near = ((fewer.values[~mask][:, None] - free[None]) ** 2).sum(axis=2).min(axis=1)
    assert near.max() < 30  # prototypes lie on the data, clusters are 1200 apart
    one, two = (get_ranker("s_cls", scale=None, n_prototypes=12, random_state=5).fit(X, Y) for _ in range(2))
    np.testing.assert_array_equal(one.scores_, two.scores_)
    seed = derive_seed(5, "s_cls", "map")
    np.testing.assert_array_equal(
        one.scores_, s_cls_scores(*with_prototypes(rows, np.nan_to_num(Y), labeled, 12, seed))
    )
    plain = get_ranker("s_cls", scale=None).fit(X, Y)
    enough = get_ranker("s_cls", scale=None, n_prototypes=150).fit(X, Y)
    np.testing.assert_array_equal(enough.scores_, plain.scores_)


def test_prototypes_need_the_optional_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "minisom", None)
    X, Y = make_case("some", "random")
    with pytest.raises(ImportError, match="n_prototypes needs minisom"):
        get_ranker("s_cls", n_prototypes=2).fit(X, Y)


@pytest.mark.parametrize("name", ["3_3fs", "br_cls", "lp_cls", "s_cls"])
@pytest.mark.parametrize("label", [1.0, np.nan])
def test_single_row_gives_equal_importances(name, label):
    X = np.random.default_rng(0).normal(size=(1, 4))
    importances = get_ranker(name, random_state=0).fit(X, np.full((1, 2), label)).feature_importances_
    assert importances.tolist() == [importances[0]] * 4
    assert np.isfinite(importances[0])


@pytest.mark.parametrize("Y", [None, np.full((20, 2), np.nan)])
def test_s_cls_accepts_one_prototype_without_labels(Y):
    X = np.random.default_rng(0).normal(size=(20, 4))
    assert get_ranker("s_cls", n_prototypes=1).fit(X, Y).feature_importances_.tolist() == [0.0] * 4


@pytest.mark.parametrize("weighting", ["frequency", "entropy"])
def test_s_cls_uses_label_importance(weighting):
    X, Y = make_case("all", "random")
    share = Y.mean(axis=0)
    weights = share if weighting == "frequency" else -(share * np.log(share) + (1 - share) * np.log(1 - share))
    labels = weighted_labels(Y, np.ones(len(Y), dtype=bool), weighting)
    np.testing.assert_allclose(labels @ labels.T / labels.shape[1], (Y * weights) @ Y.T / weights.sum())
    assert np.isfinite(get_ranker("s_cls", label_weights=weighting).fit(X, Y).feature_importances_).all()


@pytest.mark.parametrize("n_labeled", [12, 30])
def test_s_cls_supports_multitarget_regression(n_labeled):
    # By the equations: P_ij is one minus the mean distance of the targets over their ranges.
    rng = np.random.default_rng(n_labeled)
    X, Y = rng.normal(size=(30, 3)), rng.normal(size=(30, 2))
    Y[n_labeled:] = np.nan
    ranker = get_ranker("s_cls", scale=None, n_neighbors=30, bandwidth=2.0).fit(X, Y)
    known = np.arange(30) < n_labeled
    scaled = Y / np.ptp(Y[known], axis=0)
    P = 1 - np.abs(scaled[:, None] - scaled[None]).mean(axis=2)
    both = known[:, None] & known[None]
    S = np.exp(-((X[:, None] - X[None]) ** 2).sum(axis=2) / 2.0) * np.where(both, P, 1.0)
    np.fill_diagonal(S, 0.0)
    D = S.sum(axis=1)
    for f, score in zip(X.T, ranker.scores_, strict=True):
        gaps, mean = f[:, None] - f[None], D @ f / D.sum()
        bottom = np.where(both, (gaps * (1 - P)) ** 2, ((f - mean) ** 2)[:, None])
        assert score == pytest.approx((gaps**2 * S).sum() / (D[:, None] * bottom).sum(), rel=1e-9)


# Limit cases that the thesis states (section 4.3).


@pytest.mark.parametrize("Y", [np.full((30, 3), np.nan), None])
@pytest.mark.parametrize(("name", "factor"), [("s_cls", 2 / 30), ("lp_cls", 2.0), ("br_cls", None)])
def test_unlabelled_scores_equal_laplacian_score(Y, name, factor):
    X = np.random.default_rng(0).normal(size=(30, 6)) * np.arange(1, 7)
    expected = get_ranker("laplacian_score", n_neighbors=4, scale=None).fit(X)
    ranker = get_ranker(name, n_neighbors=4, scale=None).fit(X, Y)
    np.testing.assert_array_equal(ranker.ranking_, expected.ranking_)
    if factor:
        np.testing.assert_allclose(ranker.scores_, factor * expected.scores_, rtol=1e-12)


def test_s_cls_equals_constraint_score_for_equal_classes():
    # One label per row, classes of one size, a wide Gaussian: with a the sum over must-links, b that over
    # cannot-links and P = 1/C within a class, the score is a / (C D (b + (1 - 1/C)^2 a)), D = 9 / C.
    rng = np.random.default_rng(0)
    classes = rng.permutation(np.repeat([0, 1, 2], 10))
    X = rng.normal(size=(30, 8)) + rng.random(8) * rng.normal(size=(3, 8))[classes]
    ranker = get_ranker("s_cls", scale=None, bandwidth=1e12).fit(X, np.eye(3)[classes])
    expected = get_ranker("constraint_score").fit(X, classes)
    odds = expected.scores_
    np.testing.assert_allclose(ranker.scores_, odds / (9 * (1 + (2 / 3) ** 2 * odds)), rtol=1e-7)
    np.testing.assert_array_equal(ranker.ranking_, expected.ranking_)


@pytest.mark.parametrize(("bandwidth", "sizes"), [(None, (10, 10, 10)), (1e12, (16, 9, 5))])
def test_s_cls_differs_from_constraint_score_otherwise(bandwidth, sizes):
    rng = np.random.default_rng(0)
    classes = rng.permutation(np.repeat([0, 1, 2], sizes))
    X = rng.normal(size=(30, 40)) + rng.random(40) * rng.normal(size=(3, 40))[classes]
    options = {} if bandwidth is None else {"bandwidth": bandwidth}
    ranker = get_ranker("s_cls", scale=None, **options).fit(X, np.eye(3)[classes])
    assert (ranker.ranking_ != get_ranker("constraint_score").fit(X, classes).ranking_).any()


def test_s_cls_with_hard_constraints_is_not_cls():
    # All labels or none, as in section 4.3: the links are those of CLS, but no factor makes one score of the other.
    rng = np.random.default_rng(1)
    X = rng.normal(size=(20, 8))
    links = [(i, j) for i in range(20) for j in range(i + 1, 20)]
    must, cannot = [pair for pair in links if pair[1] < 10], [pair for pair in links if pair[1] >= 10]
    options = {"scale": None, "bandwidth": 1e12}
    soft = get_ranker("s_cls", **options).fit(X, np.repeat([[1.0], [0.0]], 10, axis=0) * np.ones(3)).scores_
    hard = get_ranker("cls", **options).fit(X, must_link=must, cannot_link=cannot).scores_
    assert np.ptp(soft / hard) > 0.1 * np.mean(soft / hard)
