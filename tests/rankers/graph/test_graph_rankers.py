import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import normalized_mutual_info_score

from references import graph as reference
from sslrank import get_ranker
from sslrank.rankers.graph import class_constraints
from sslrank.rankers.graph.affinity import row_graph
from sslrank.rankers.graph.csfs import best_clusters, coherent_constraints
from sslrank.rankers.graph.pair_constraints import PairConstraints, check_pairs, close_constraints
from sslrank.rankers.graph.scores import higher_is_better, lower_is_better
from sslrank.rankers.graph.ssl_laplacian import laplacian_quotients

K = 3
LABELINGS = ("some", "all", "none", "one class", "one row")


def make_case(labels, shape, n=24, seed=0):
    rng = np.random.default_rng([seed, LABELINGS.index(labels), reference.SHAPES.index(shape)])
    X, y = reference.shaped_rows(rng, shape, n), rng.integers(0, 3, size=n)
    if labels == "none":
        y[:] = -1
    elif labels == "some":
        y[rng.permutation(n)[: n // 2]] = -1
    elif labels == "one class":
        y = np.where(rng.random(n) < 0.5, 1, -1)
    elif labels == "one row":
        y[1:] = -1
    return X, y


CASES = pytest.mark.parametrize(("labels", "shape"), [(a, b) for a in LABELINGS for b in reference.SHAPES])


def check(name, X, y, expected, **params):
    ranker = get_ranker(name, **params).fit(X, y)
    np.testing.assert_allclose(ranker.scores_, expected, rtol=1e-8, atol=1e-14)
    assert np.isfinite(ranker.feature_importances_).all()
    return ranker


@CASES
def test_laplacian_score_matches_equations(labels, shape):
    X, y = make_case(labels, shape)
    S = reference.similarity(X, K, reference.percentile(X))
    expected = [reference.laplacian_score(f, S) for f in X.T]
    ranker = check("laplacian_score", X, y, expected, n_neighbors=K, scale=None)
    np.testing.assert_array_equal(ranker.feature_importances_, lower_is_better(ranker.scores_))


@CASES
def test_constraint_score_matches_equations(labels, shape):
    X, y = make_case(labels, shape)
    must, cannot = reference.pairs(y)
    expected = [reference.constraint_score(f, must, cannot) for f in X.T]
    check("constraint_score", X, y, expected)
    difference = [
        sum((f[i] - f[j]) ** 2 for i, j in must) - 0.3 * sum((f[i] - f[j]) ** 2 for i, j in cannot) for f in X.T
    ]
    ranker = get_ranker("constraint_score", variant="difference", balance=0.3).fit(X, y)
    np.testing.assert_allclose(ranker.scores_, difference, rtol=1e-8, atol=1e-9)


def test_rounding_noise_gives_zero_importance():
    X = np.random.default_rng(0).normal(size=(20, 8))  # one class: of standardized features all sums are n^2
    ranker = get_ranker("constraint_score", variant="difference", scale="standard").fit(X, np.zeros(20, dtype=int))
    np.testing.assert_allclose(ranker.scores_, 400.0)
    assert ranker.feature_importances_.tolist() == [0.0] * 8


@CASES
@pytest.mark.parametrize("part", ["unlabeled", "all"])
def test_sc4_matches_equations(labels, shape, part):
    X, y = make_case(labels, shape)
    used = X[y < 0] if part == "unlabeled" else X
    expected = np.ones(X.shape[1])
    if len(used) > 1:
        S = reference.similarity(used, K, 100.0)
        expected = np.array([reference.laplacian_score(f, S) for f in used.T])
    must, cannot = reference.pairs(y)
    if cannot:
        expected = expected * [reference.constraint_score(f, must, cannot) for f in X.T]
    check("sc4", X, y, expected, n_neighbors=K, laplacian_rows=part)


@CASES
def test_lsdf_matches_equations(labels, shape):
    X, y = make_case(labels, shape)
    expected = [reference.lsdf(f, X, y, K, 100.0) for f in X.T]
    check("lsdf", X, y, expected, n_neighbors=K)


@CASES
def test_cls_matches_equations(labels, shape, monkeypatch):
    X, y = make_case(labels, shape)
    must, cannot = reference.pairs(y)
    bandwidth = reference.percentile(X)
    expected = [reference.cls(f, X, must, cannot, K, bandwidth) for f in X.T]
    for block in (class_constraints.BLOCK, 5):  # fewer than the rows of a class
        monkeypatch.setattr(class_constraints, "BLOCK", block)
        check("cls", X, y, expected, n_neighbors=K, scale=None)


@CASES
@pytest.mark.parametrize("neighborhoods", ["clusters", "nearest"])
def test_csfs_matches_equations(labels, shape, neighborhoods):
    X, y = make_case(labels, shape)
    must, cannot = (np.array(p, dtype=int).reshape(-1, 2) for p in reference.pairs(y))
    kept = coherent_constraints(X, PairConstraints(len(X), must, cannot))
    if neighborhoods == "clusters":
        clusters = best_clusters(X)
        near = clusters[:, None] == clusters
    else:
        near = reference.neighbors(X, K, mutual=True)
    bandwidth = reference.percentile(X)
    expected = [reference.csfs(f, X, kept.must, kept.cannot, near, bandwidth) for f in X.T]
    ranker = get_ranker("csfs", n_neighbors=K, neighborhoods=neighborhoods).fit(X, y)
    finite = np.isfinite(expected)
    np.testing.assert_allclose(ranker.scores_[finite], np.array(expected)[finite], rtol=1e-7, atol=1e-12)
    assert ranker.n_coherent_ == (len(kept.must), len(kept.cannot))


@CASES
@pytest.mark.parametrize("balance", [0.0, 0.1, 1.0])
def test_sselect_matches_equations(labels, shape, balance):
    X, y = make_case(labels, shape)
    S = reference.similarity(X, K, reference.percentile(X))
    D, known = S.sum(axis=1), y >= 0
    expected = []
    for f in X.T:
        above = f[known] > f @ D / D.sum()
        agreement = 0.0  # of a single group
        if len(set(above)) > 1 and len(set(y[known])) > 1:
            agreement = normalized_mutual_info_score(y[known], above, average_method="geometric")
        expected.append(balance * reference.laplacian_score(f, S) + (1 - balance) * (1.0 - agreement))
    check("sselect", X, y, expected, n_neighbors=K, balance=balance)


def test_sselect_clusters_of_a_nominal_feature_are_its_categories():
    truth = np.arange(60) % 3
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(60, 6))).add_prefix("f")
    frame["colour"] = pd.Categorical(np.array(["red", "green", "blue"])[truth])
    for gaps in (0, 15):
        frame.loc[: 4 * gaps - 1 : 4, "colour"] = None
        ranker = get_ranker("sselect", balance=0.0).fit(frame, np.where(np.arange(60) < 15, truth, -1))
        assert ranker.ranking_[-1] == 1
        assert ranker.scores_[-1] == pytest.approx(0.0, abs=1e-12)


def overlap(onto, other):
    """The overlap of one segment over another by the projected end points, one pair at a time."""
    (p, q), (r, s) = onto, other
    length = np.linalg.norm(q - p)
    if length == 0:
        return 0.0
    direction = (q - p) / length
    ends = sorted([(r - p) @ direction, (s - p) @ direction])
    return max(0.0, min(ends[1], length) - max(ends[0], 0.0))


@pytest.mark.parametrize("seed", range(5))
def test_coherence_is_projected_overlap(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(14, 3))
    X[3] = X[2]
    must, cannot = (np.array(p) for p in reference.pairs(rng.integers(-1, 3, size=14)))
    kept = coherent_constraints(X, PairConstraints(14, must, cannot))
    table = np.array([[max(overlap(X[m], X[c]), overlap(X[c], X[m])) < 1e-12 for c in cannot] for m in must])
    np.testing.assert_array_equal(kept.must, must[table.all(axis=1)])
    np.testing.assert_array_equal(kept.cannot, cannot[table.all(axis=0)])


def test_best_clusters_finds_separate_groups():
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(12, 2)) + centre for centre in ([0, 0], [30, 0], [0, 30])])
    clusters = best_clusters(X)
    assert len(set(clusters)) == 3
    assert (clusters.reshape(3, 12) == clusters.reshape(3, 12)[:, :1]).all()
    assert set(best_clusters(np.ones((9, 2)))) == {0}
    assert set(best_clusters(np.eye(2))) == {0}


def test_constraints_are_limited():
    X, y = make_case("all", "random")
    one, two = (get_ranker("csfs", max_constraints=10, random_state=s).fit(X, y) for s in (1, 1))
    np.testing.assert_array_equal(one.scores_, two.scores_)
    assert max(one.n_coherent_) <= 10


# Limit cases that the thesis states (end of section 2.3.4).


def test_nominal_feature_has_one_importance():
    rng = np.random.default_rng(0)
    y = np.tile([0, 1, 2], 10)
    frame = pd.DataFrame({"noise": rng.normal(size=30), "kind": pd.Categorical(np.array(list("abc"))[y])})
    kinds = frame["kind"].cat.codes.to_numpy()
    score = get_ranker("constraint_score").fit(frame, np.roll(y, 1) * (np.arange(30) < 15)).scores_[1]
    must, cannot = reference.pairs(np.roll(y, 1) * (np.arange(30) < 15))
    differ = [sum(kinds[i] != kinds[j] for i, j in p) for p in (must, cannot)]
    assert score == pytest.approx(differ[0] / differ[1])


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ({"must_link": [[0, 9]]}, "outside 0..5"),
        ({"must_link": [[1, 1]]}, "links row 1 with itself"),
        ({"must_link": [[0, 1]], "cannot_link": [[1, 0]]}, r"\(0, 1\) is in must_link and in cannot_link"),
        ({"cannot_link": [[0.5, 1.0]]}, "integer pairs"),
        ({"cannot_link": [0, 1]}, "integer pairs"),
    ],
)
def test_invalid_constraints_raise(pairs, message):
    with pytest.raises(ValueError, match=message):
        get_ranker("cls").fit(np.eye(6), **pairs)
    with pytest.raises(ValueError, match="does not go with given pairs"):
        get_ranker("cls", supervised=True).fit(np.eye(6), must_link=[[0, 1]])


def test_repeated_pairs_count_once():
    found = check_pairs([[2, 1], [1, 2], [0, 1]], [], 4)
    np.testing.assert_array_equal(found.must, [[0, 1], [1, 2]])
    assert found.cannot.shape == (0, 2)


@pytest.mark.parametrize("name", ["laplacian_score", "sc4", "cls", "csfs"])
def test_empty_graph_gives_zero_importances(name):
    X, y = make_case("none", "random")
    ranker = get_ranker(name, bandwidth=1e-12).fit(X, y)
    np.testing.assert_array_equal(ranker.feature_importances_, 0.0)


@CASES
@pytest.mark.parametrize(
    ("name", "options"), [("constraint_score", {}), ("cls", {}), ("csfs", {}), ("sc4", {"laplacian_rows": "all"})]
)
def test_given_pairs_equal_those_of_labels(labels, shape, name, options):
    X, y = make_case(labels, shape)
    must, cannot = reference.pairs(y)
    of_labels, given = get_ranker(name, **options).fit(X, y), get_ranker(name, **options)
    given.fit(X, must_link=must, cannot_link=cannot)
    np.testing.assert_allclose(given.scores_, of_labels.scores_, rtol=1e-9)


def test_scores_become_nonnegative_importances():
    np.testing.assert_array_equal(lower_is_better(np.array([1.0, np.nan, 4.0, np.inf])), [4.0, 0.0, 1.0, 0.0])
    np.testing.assert_array_equal(higher_is_better(np.array([1.0, np.nan, 4.0, np.inf])), [1.0, 0.0, 4.0, 8.0])
    np.testing.assert_array_equal(higher_is_better(np.array([np.nan, np.inf])), [0.0, 1.0])
    np.testing.assert_array_equal(lower_is_better(np.full(3, np.nan)), [0.0, 0.0, 0.0])


def test_constraints_are_closed_transitively():
    must, cannot = close_constraints([[0, 1], [4, 1], [2, 3]], [[1, 3]], 6)
    assert must.tolist() == [[0, 1], [0, 4], [1, 4], [2, 3]]
    assert cannot.tolist() == [[0, 2], [0, 3], [1, 2], [1, 3], [2, 4], [3, 4]]
    must, cannot = close_constraints(None, [[0, 1], [1, 2]], 3)
    assert len(must) == 0
    assert cannot.tolist() == [[0, 1], [1, 2]]  # cannot-links are not transitive
    with pytest.raises(ValueError, match="connect row 0 with one that it cannot be linked to"):
        close_constraints([[0, 1], [1, 2]], [[0, 2]], 3)


def test_column_that_is_constant_on_the_rows_with_an_edge_has_no_quotient():
    graph = row_graph(np.array([[0.0], [1.0], [2.0], [9.0]]), 1)
    assert (graph.i.tolist(), graph.j.tolist()) == ([0, 1, 2], [1, 2, 3])
    values = np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0], [9.0, 3.0]])
    last_row_without_edge = np.array([1.0, 1.0, 0.0])
    assert np.isnan(laplacian_quotients(values, graph, last_row_without_edge)).tolist() == [True, False]
