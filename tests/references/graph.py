"""The equations of the graph scores as plain loops, for rows of numbers and dense n x n matrices."""

import numpy as np

from references.neighbor_votes import shared_weights

SHAPES = ("random", "duplicates", "constant", "isolated")


def shaped_rows(rng, shape, n):
    """Rows of five columns to try the equations on."""
    X = rng.normal(size=(n, 5)) * [1, 2, 0.5, 1, 1]
    if shape == "duplicates":
        X = X[rng.integers(0, n // 2, size=n)]
    if shape == "constant":
        X[:, 1], X[:, 3] = 0.1, 0.0
    if shape == "isolated":
        X[5] += 1e4  # its weights underflow to zero
    return X


def squared_distances(X):
    return ((X[:, None] - X[None]) ** 2).sum(axis=2)


def percentile(X):
    """Eq. (4.11)."""
    distances = squared_distances(X)
    value = np.percentile(distances, 20)
    return value or distances.mean() or 1.0


def neighbors(X, k, mutual=False):
    """Adjacency: one among the k nearest of the other; rows at the k-th distance share the places left."""
    if len(X) == 1:
        return np.zeros((1, 1))
    distances = squared_distances(X)
    np.fill_diagonal(distances, np.inf)
    near = shared_weights(distances, min(k, len(X) - 1))
    return near * near.T if mutual else near + near.T - near * near.T


def gaussian(X, bandwidth):
    return np.exp(-squared_distances(X) / bandwidth)


def similarity(X, k, bandwidth):
    """Eqs. (2.2) and (2.3)."""
    return neighbors(X, k) * gaussian(X, bandwidth)


def divide(a, b):
    with np.errstate(all="ignore"):
        return np.float64(a) / np.float64(b)


def varies(f):
    return not (f == f[0]).all()


def laplacian_score(f, S):
    D = np.diag(S.sum(axis=1))
    L = D - S
    one = np.ones(len(f))
    if not varies(f) or not S.any():
        return np.nan
    f = f - (f @ D @ one) / (one @ D @ one)
    return divide(f @ L @ f, f @ D @ f)


def pairs(y):
    """Unordered must-links and cannot-links of class codes, -1 unlabelled."""
    labeled = [i for i in range(len(y)) if y[i] >= 0]
    both = [(i, j) for i in labeled for j in labeled if i < j]
    return [p for p in both if y[p[0]] == y[p[1]]], [p for p in both if y[p[0]] != y[p[1]]]


def constraint_score(f, must, cannot):
    top = sum((f[i] - f[j]) ** 2 for i, j in must)
    bottom = sum((f[i] - f[j]) ** 2 for i, j in cannot)
    return divide(top, bottom)


def lsdf(f, X, y, k, gamma):
    """Eqs. (2.10)-(2.12)."""
    n = len(f)
    near = neighbors(X, k)
    Sw, Sb = np.zeros((n, n)), np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if y[i] >= 0 and y[i] == y[j]:
                Sw[i, j] = gamma
            elif y[i] < 0 or y[j] < 0:
                Sw[i, j] = near[i, j]
            if y[i] >= 0 and y[j] >= 0 and y[i] != y[j]:
                Sb[i, j] = 1.0
    return divide(energy(f, Sb), energy(f, Sw))


def energy(f, S):
    """f'Lf as a sum over pairs, which is exactly 0 for a constant f."""
    return 0.5 * sum(S[i, j] * (f[i] - f[j]) ** 2 for i in range(len(f)) for j in range(len(f)))


def constrained(f, W, S, cannot, mean):
    """Numerator with weights W, denominator with the degrees of S; Eqs. (2.13), (2.15), (2.17), (2.20)."""
    n = len(f)
    D = S.sum(axis=1)
    if not varies(f):
        return np.nan
    linked = {i: [] for i in range(n)}
    for i, j in cannot:
        linked[i].append(j)
        linked[j].append(i)
    bottom = 0.0
    for i in range(n):
        if linked[i]:
            bottom += sum((f[i] - f[j]) ** 2 * D[i] for j in linked[i])
        else:
            bottom += (f[i] - mean) ** 2 * D[i]
    top = sum((f[i] - f[j]) ** 2 * W[i, j] for i in range(n) for j in range(n))
    return divide(top, bottom)


def cls(f, X, must, cannot, k, bandwidth):
    S, g = similarity(X, k, bandwidth), gaussian(X, bandwidth)
    for i, j in must:
        S[i, j] = S[j, i] = g[i, j]
    D = S.sum(axis=1)
    mean = (f * D).sum() / D.sum() if D.sum() else 0.0
    return constrained(f, S, S, cannot, mean)


def csfs(f, X, must, cannot, near, bandwidth):
    """`must` and `cannot` are the coherent ones, `near` the neighbours."""
    g = gaussian(X, bandwidth)
    S = near * g
    np.fill_diagonal(S, 0.0)
    W = S.copy()
    for i, j in must:
        W[i, j] = W[j, i] = W[i, j] - near[i, j] * g[i, j] + (1 - near[i, j]) * g[i, j] ** 2
    for i, j in cannot:
        W[i, j] = W[j, i] = W[i, j] + near[i, j] * g[i, j] ** 2
    return constrained(f, W, S, cannot, f.mean())


def s_cls(f, X, Y, labeled, k, bandwidth):
    """Eqs. (4.1)-(4.8); Y is 0/1, the rows of X_U are not looked at."""
    n, C = Y.shape
    g, near = gaussian(X, bandwidth), neighbors(X, k)
    P, S = np.zeros((n, n)), np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if labeled[i] and labeled[j]:
                P[i, j] = sum(Y[i, c] == 1 and Y[j, c] == 1 for c in range(C)) / C
                S[i, j] = g[i, j] * P[i, j] if i != j else 0.0
            else:
                S[i, j] = near[i, j] * g[i, j]
    D = S.sum(axis=1)
    if not varies(f) or not D.any():
        return np.nan
    mean = sum(f[i] * D[i] / D.sum() for i in range(n))
    top = bottom = 0.0
    for i in range(n):
        for j in range(n):
            both = labeled[i] and labeled[j]
            alpha = f[i] * (1 - P[i, j]) if both else f[i]
            beta = f[j] * (1 - P[i, j]) if both else mean
            top += (f[i] - f[j]) ** 2 * S[i, j]
            bottom += (alpha - beta) ** 2 * D[i]
    return divide(top, bottom)
