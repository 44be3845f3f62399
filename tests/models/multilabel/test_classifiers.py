import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import KFold
from sklearn.multioutput import ClassifierChain, MultiOutputClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from sslrank.core.random_state import derive_seed
from sslrank.metrics.multilabel import macro_auc
from sslrank.models.multilabel.ecc import EnsembleOfClassifierChains
from sslrank.models.multilabel.homer import HOMER, balanced_k_means
from sslrank.models.multilabel.iblr import IBLR
from sslrank.models.multilabel.ml_knn import MLkNN
from sslrank.models.multilabel.rakel import RAkEL, draw_labelsets

ALL = [MLkNN(), RAkEL(random_state=0), EnsembleOfClassifierChains(random_state=0), HOMER(random_state=0), IBLR()]
IDS = [type(c).__name__ for c in ALL]


def make_data(n=150, n_labels=5, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 6))
    Y = (X[:, :n_labels] + X[:, 1:2] + 0.4 * rng.normal(size=(n, n_labels)) > 0.3).astype(int)
    return X, Y


@pytest.mark.parametrize("classifier", ALL, ids=IDS)
def test_classifiers_learn_and_follow_the_api(classifier):
    X, Y = make_data(300)
    fitted = clone(classifier).fit(X[:200], Y[:200])
    F = fitted.predict_proba(X[200:])
    assert F.shape == (100, 5)
    assert repr(type(classifier)()) == f"{type(classifier).__name__}()"
    assert ((F >= 0) & (F <= 1)).all()
    assert macro_auc(Y[200:], F) > 0.8
    P = fitted.predict(X[200:])
    assert set(np.unique(P)) <= {0, 1}
    assert fitted.score(X[200:], Y[200:]) == (Y[200:] == P).all(axis=1).mean()
    again = clone(classifier).fit(X[:200], Y[:200])
    np.testing.assert_array_equal(F, again.predict_proba(X[200:]))
    if "n_jobs" in classifier.get_params():
        threads = clone(classifier).set_params(n_jobs=2).fit(X[:200], Y[:200])
        np.testing.assert_array_equal(F, threads.predict_proba(X[200:]))


@pytest.mark.parametrize("classifier", ALL, ids=IDS)
@pytest.mark.parametrize("n_labels", [1, 2, 4])
def test_constant_labels_are_predicted(classifier, n_labels):
    X, _ = make_data(40)
    Y = np.zeros((40, n_labels), dtype=int)
    Y[:, -1] = 1
    fitted = clone(classifier).fit(X, Y)
    np.testing.assert_array_equal(fitted.predict(X), Y)


@pytest.mark.parametrize("classifier", ALL, ids=IDS)
def test_single_label_may_be_one_dimensional(classifier):
    X, Y = make_data(60)
    one, two = clone(classifier).fit(X, Y[:, 0]), clone(classifier).fit(X, Y[:, :1])
    np.testing.assert_array_equal(one.predict_proba(X), two.predict_proba(X))


def test_base_learner_without_random_state_is_accepted():
    X, Y = make_data(60)
    fitted = HOMER(GaussianNB(), random_state=0).fit(X, Y)
    assert fitted.predict(X).shape == Y.shape


@pytest.mark.parametrize("classifier", ALL, ids=IDS)
def test_invalid_input_raises(classifier):
    X, Y = make_data(20)
    with pytest.raises(ValueError, match="0 or 1"):
        clone(classifier).fit(X, Y + 1)
    with pytest.raises(ValueError, match="inconsistent"):
        clone(classifier).fit(X[:-1], Y)
    fitted = clone(classifier).fit(X, Y)
    with pytest.raises(ValueError, match="features"):
        fitted.predict(X[:, 1:])


@pytest.mark.parametrize(
    ("classifier", "message"),
    [
        (MLkNN(n_neighbors=0), "n_neighbors"),
        (MLkNN(n_neighbors="best"), "n_neighbors"),
        (RAkEL(labelset_size=0), "labelset_size"),
        (EnsembleOfClassifierChains(n_chains=0), "n_chains"),
        (HOMER(n_clusters=1), "n_clusters"),
        (IBLR(n_neighbors=0), "n_neighbors"),
    ],
)
def test_invalid_parameters_raise(classifier, message):
    with pytest.raises(ValueError, match=message):
        classifier.fit(*make_data(20))


@pytest.mark.parametrize("classifier", [MLkNN(), IBLR()])
def test_single_row_raises(classifier):
    with pytest.raises(ValueError, match="at least 2 rows"):
        classifier.fit([[1.0]], [[1]])


# ML-kNN


def reference_ml_knn(X, Y, test, k, s):
    def near(x, rows):
        order = sorted(rows, key=lambda j: ((X[j] - x) ** 2).sum())
        return order[:k]

    n, C = Y.shape
    result = np.empty((len(test), C))
    counts = [Y[near(X[i], [j for j in range(n) if j != i])].sum(axis=0) for i in range(n)]
    for label in range(C):
        prior = (s + Y[:, label].sum()) / (2 * s + n)
        table = {0: np.zeros(k + 1), 1: np.zeros(k + 1)}
        for i in range(n):
            table[Y[i, label]][counts[i][label]] += 1
        for t, x in enumerate(test):
            c = Y[near(x, range(n)), label].sum()
            with_, without = ((s + table[v][c]) / (s * (k + 1) + table[v].sum()) for v in (1, 0))
            result[t, label] = prior * with_ / (prior * with_ + (1 - prior) * without)
    return result


def test_ml_knn_equals_plain_implementation():
    X, Y = make_data(60)
    fitted = MLkNN(n_neighbors=5, smoothing=0.5).fit(X[:40], Y[:40])
    expected = reference_ml_knn(X[:40], Y[:40], X[40:], 5, 0.5)
    np.testing.assert_allclose(fitted.predict_proba(X[40:]), expected)


def test_ml_knn_selects_k_by_cross_validation():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 1))
    Y = (X + 1.5 * rng.normal(size=(200, 3)) > 0).astype(int)  # noisy: more neighbours are better
    fitted = MLkNN(n_neighbors="cv", candidates=(40, 1), random_state=0).fit(X, Y)
    assert fitted.n_neighbors_ == 40
    losses = {k: [] for k in (1, 5, 40)}
    seed = derive_seed(0, "ml_knn", "folds") % 2**31
    for train, test in KFold(3, shuffle=True, random_state=seed).split(X):
        for k, values in losses.items():
            P = MLkNN(n_neighbors=k).fit(X[train], Y[train]).predict(X[test])
            values.append((Y[test] != P).mean())
    by_loss = MLkNN(n_neighbors="cv", candidates=(1, 5, 40), scoring="hamming_loss", random_state=0)
    assert by_loss.fit(X, Y).n_neighbors_ == min(losses, key=lambda k: np.mean(losses[k]))
    never = np.zeros_like(Y)  # every k is right
    equal = MLkNN(n_neighbors="cv", candidates=(15, 5, 10), scoring="hamming_loss", random_state=0)
    assert equal.fit(X, never).n_neighbors_ == 5
    assert MLkNN(n_neighbors="cv").fit(X[:3], Y[:3]).n_neighbors_ == 2
    assert MLkNN(n_neighbors="cv").fit(X[:2], Y[:2]).n_neighbors_ == 1


# RAkEL


def test_rakel_of_all_labels_equals_label_powerset():
    X, Y = make_data()
    tree = DecisionTreeClassifier(min_samples_leaf=2, random_state=0)
    fitted = RAkEL(tree, labelset_size=9, random_state=0).fit(X[:100], Y[:100])
    assert len(fitted.models_) == 1
    powers = 2 ** np.arange(5)
    tree = clone(tree).set_params(random_state=fitted.models_[0].random_state)
    codes = tree.fit(X[:100], Y[:100] @ powers).predict(X[100:])
    np.testing.assert_array_equal(fitted.predict(X[100:]), codes[:, None] >> np.arange(5) & 1)


def test_rakel_equals_scikit_multilearn():
    ensemble = pytest.importorskip("skmultilearn.ensemble")
    cluster = pytest.importorskip("skmultilearn.cluster")
    transform = pytest.importorskip("skmultilearn.problem_transform")
    X, Y = make_data()
    mine = RAkEL(LogisticRegression(), n_models=7, random_state=0).fit(X[:100], Y[:100])
    sets = [labels.tolist() for labels in mine.labelsets_]
    other = ensemble.MajorityVotingClassifier(
        classifier=transform.LabelPowerset(LogisticRegression()),
        clusterer=cluster.FixedLabelSpaceClusterer(clusters=sets),
    )
    other.fit(X[:100], Y[:100])
    np.testing.assert_array_equal(mine.predict(X[100:]), other.predict(X[100:]).toarray())


def test_labelsets_are_distinct_and_cover_all_labels():
    for seed in range(10):
        sets = draw_labelsets(12, 3, 4, np.random.default_rng(seed))
        assert len({tuple(s) for s in sets}) == len(sets) >= 4
        assert set(np.concatenate(sets)) == set(range(12))
    assert len(draw_labelsets(4, 3, 8, np.random.default_rng(0))) == 4


# Chains


def test_chain_equals_scikit_learn():
    X, Y = make_data()
    mine = EnsembleOfClassifierChains(LogisticRegression(), n_chains=1, bootstrap=False, random_state=0)
    mine.fit(X[:100], Y[:100])
    other = ClassifierChain(LogisticRegression(), order=mine.orders_[0]).fit(X[:100], Y[:100])
    np.testing.assert_allclose(mine.predict_proba(X[100:]), other.predict_proba(X[100:]), rtol=1e-9)
    np.testing.assert_array_equal(mine.predict(X[100:]), other.predict(X[100:]))


def test_chain_accepts_base_learner_without_probabilities():
    X, Y = make_data()
    fitted = EnsembleOfClassifierChains(RidgeClassifier(), n_chains=4, random_state=0).fit(X, Y)
    assert set(np.unique(fitted.predict_proba(X) * 4)) <= set(range(5))


# HOMER


def test_homer_of_few_labels_equals_binary_relevance():
    X, Y = make_data(n_labels=3)
    fitted = HOMER(LogisticRegression(), n_clusters=3).fit(X, Y)
    expected = MultiOutputClassifier(LogisticRegression()).fit(X, Y)
    np.testing.assert_array_equal(fitted.predict(X), expected.predict(X))


def test_homer_nodes_train_on_rows_with_their_labels():
    X, Y = make_data(n_labels=5)
    fitted = HOMER(DecisionTreeClassifier(), n_clusters=2, random_state=0).fit(X, Y)
    assert len(np.concatenate(fitted.nodes_[0][0])) == 5
    for groups, models in fitted.nodes_:
        labels = np.concatenate(groups)
        rows = Y[:, labels].any(axis=1) if len(labels) < 5 else np.ones(len(X), dtype=bool)
        assert all(model.tree_.n_node_samples[0] == rows.sum() for model in models)
    inner = [set(np.concatenate(groups)) for groups, _ in fitted.nodes_]
    singles = [set(g) for groups, _ in fitted.nodes_ for g in groups if len(g) == 1]
    assert sorted(next(iter(s)) for s in singles) == list(range(5))
    assert inner[0] == set(range(5))


@pytest.mark.parametrize("seed", range(20))
def test_balanced_k_means_limits_cluster_size(seed):
    rng = np.random.default_rng(seed)
    points = rng.integers(0, 2, size=(int(rng.integers(1, 15)), 4)).astype(float)
    groups = balanced_k_means(points, 3, 3, rng)
    assert sorted(np.concatenate(groups)) == list(range(len(points)))
    assert max(map(len, groups)) <= max(1, -(-len(points) // 3))
    assert len(groups) >= min(2, len(points))


# IBLR


def test_iblr_equals_logistic_regression_on_neighbour_labels():
    X, Y = make_data(80)
    fitted = IBLR(n_neighbors=4, C=3.0).fit(X[:60], Y[:60])
    distances = ((X[:, None] - X[None, :60]) ** 2).sum(axis=2)
    distances[np.arange(60), np.arange(60)] = np.inf
    shares = np.array([Y[np.argsort(row)[:4]].mean(axis=0) for row in distances])
    for label in range(5):
        model = LogisticRegression(C=3.0, max_iter=1000).fit(shares[:60], Y[:60, label])
        expected = model.predict_proba(shares[60:])[:, 1]
        np.testing.assert_allclose(fitted.predict_proba(X[60:])[:, label], expected, rtol=1e-6)
