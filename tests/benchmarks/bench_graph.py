"""Time the graph scores: against the plain formulas, and as rows, features and labels grow.

Run ``python tests/benchmarks/bench_graph.py [--large]``. Ratios and growth are printed, since seconds are the
machine's; ``--large`` adds 20,000 rows of 1,000 features, with the peak memory.
"""

import argparse
import resource
import time

import numpy as np

from sslrank import get_ranker
from sslrank.metrics.multilabel import all_measures
from sslrank.models.multilabel.ml_knn import MLkNN


def make_data(n_rows, n_features, n_labels, share=0.1, words=False, seed=0):
    """Features that follow the labels, and labels of a share of the rows."""
    rng = np.random.default_rng(seed)
    Y = (rng.random((n_rows, n_labels)) < min(0.3, 1.5 / n_labels)).astype(float)
    if words:
        X = (rng.random((n_rows, n_features)) < 0.01).astype(float)
    else:
        X = rng.normal(size=(n_rows, n_features)) + Y @ rng.normal(size=(n_labels, n_features))
    known = np.full_like(Y, np.nan)
    rows = rng.permutation(n_rows)[: max(2, int(share * n_rows))]
    known[rows] = Y[rows]
    return X, known


def plain_s_cls(X, Y, k=10):
    """S-CLS from dense n x n matrices, one feature at a time."""
    n, n_labels = Y.shape
    labeled = ~np.isnan(Y).all(axis=1)
    distances = np.stack([((X - x) ** 2).sum(axis=1) for x in X])
    g = np.exp(-distances / np.percentile(distances, 20))
    far = distances + np.diag(np.full(n, np.inf))
    near = np.zeros((n, n), dtype=bool)
    np.put_along_axis(near, np.argsort(far, axis=1, kind="stable")[:, :k], True, axis=1)
    near |= near.T
    both = labeled[:, None] & labeled
    P = np.where(both, (Y == 1).astype(float) @ (Y == 1).T / n_labels, 0.0)
    S = np.where(both, g * P, np.where(near, g, 0.0))
    np.fill_diagonal(S, 0.0)
    D = S.sum(axis=1)
    scores = []
    for f in X.T:
        square = (f[:, None] - f) ** 2
        mean = (f - f @ D / D.sum()) ** 2
        spread = np.where(both, square * (1 - P) ** 2, mean[:, None])
        scores.append((square * S).sum() / (D[:, None] * spread).sum())
    return np.array(scores)


def plain_laplacian_score(X, k=10):
    """The Laplacian score from dense n x n matrices, one feature at a time."""
    return plain_s_cls(X, np.full((len(X), 1), np.nan), k) * len(X) / 2.0


def seconds(function, repeat=3):
    """Least time of some calls."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def fit(name, X, y, **params):
    """A call that fits a ranker."""
    return lambda: get_ranker(name, random_state=0, **params).fit(X, y)


def against_the_plain_formulas():
    """Ratios at 1,000 rows, and that the scores agree."""
    X, Y = make_data(1000, 100, 10)
    print("plain formula / ranker, 1000 rows, 100 features, 10 labels")
    for name, plain, y in (
        ("s_cls", lambda: plain_s_cls(X, Y), Y),
        ("laplacian_score", lambda: plain_laplacian_score(X), None),
    ):
        ranker = get_ranker(name).fit(X, y)
        np.testing.assert_allclose(ranker.scores_, plain(), rtol=1e-8)
        print(f"  {name:16s} {seconds(plain, 1) / seconds(fit(name, X, y)):8.1f}x")


def growth():
    """Times as one size doubles twice."""
    base = {"n_rows": 1000, "n_features": 200, "n_labels": 10}
    print("time as a size grows 1x, 2x, 4x, over the first")
    for name in ("s_cls", "lp_cls", "br_cls", "ml_mi"):
        for size in base:
            times = []
            for factor in (1, 2, 4):
                X, Y = make_data(**{**base, size: base[size] * factor})
                y = np.nan_to_num(Y) if name == "ml_mi" else Y
                times.append(seconds(fit(name, X, y)))
            print(f"  {name:8s} {size:10s} " + " ".join(f"{t / times[0]:6.2f}" for t in times))


def slashdot():
    """The sizes of slashdot: 3,782 rows of 1,079 words, 22 labels."""
    print("the sizes of slashdot (3782 x 1079, 22 labels), seconds")
    for share in (0.1, 1.0):
        X, Y = make_data(3782, 1079, 22, share, words=True)
        for name in ("s_cls", "lp_cls", "br_cls"):
            print(f"  {name:8s} {share:4.0%} labelled {seconds(fit(name, X, Y), 1):8.2f}")


def others():
    """The competitors and the classifier at a middling size."""
    X, Y = make_data(600, 100, 6, 1.0)
    print("600 rows, 100 features, 6 labels, seconds")
    for name, params in (("ppt_mi", {}), ("ml_mi", {}), ("memetic", {}), ("3_3fs", {"n_jobs": 2})):
        print(f"  {name:8s} {seconds(fit(name, X, Y, **params), 1):8.2f}")
    elapsed = seconds(lambda: all_measures(Y, MLkNN("cv", random_state=0).fit(X, Y).predict_proba(X)), 1)
    print(f"  ML-kNN with its 3-fold search, and all measures {elapsed:.2f}")


def large():
    """20,000 rows of 1,000 features."""
    X, Y = make_data(20_000, 1000, 20)
    elapsed = seconds(fit("s_cls", X, Y), 1)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"s_cls, 20000 rows, 1000 features, 10 % labelled: {elapsed:.1f} s, peak {peak:.2f} GiB")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--large", action="store_true")
    arguments = parser.parse_args()
    if arguments.large:  # first: the peak is that of the process
        large()
    against_the_plain_formulas()
    slashdot()
    growth()
    others()
