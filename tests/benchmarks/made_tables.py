"""Tables whose truth is known: designs of features, effects on a target, kinds of target."""

import os
from functools import cache
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_wine

from sslrank.datasets.catalogue import get_entry, load_catalogue
from sslrank.datasets.download import fetch
from sslrank.datasets.prepare import prepare

DESIGNS = ("independent", "ar", "factors", "clusters", "proxies", "products", "real")
EFFECTS = ("linear", "monotone", "abs", "sine", "step", "interaction", "strong")
KINDS = ("binary", "classes", "number", "numbers", "labels")
TASKS = {
    "binary": "classification",
    "classes": "classification",
    "number": "regression",
    "numbers": "multitarget",
    "labels": "multilabel",
}
#: Targets of the kinds that have several.
_TARGETS = {"numbers": 3, "labels": 4}
#: Public tables of numbers whose rows and columns are the design "real".
_SHIPPED = {"breast_cancer": load_breast_cancer, "wine": load_wine, "diabetes": load_diabetes, "digits": load_digits}
REAL = (*_SHIPPED, "emotions", "ionosphere", "mortgage", "pol", "sonar", "treasury", "waveform", "yeast")
#: Of a normal number, each with a spread near one.
_FUNCTIONS = (lambda z: 1.4 * np.sin(2 * z), np.sign, lambda z: z**2 / 1.4, lambda z: np.exp(z) / 2, np.abs)


@cache
def real_table(name):
    """The columns of a public table that vary, without gaps; from the mirror or the network where it is not shipped."""
    if name in _SHIPPED:
        X = _SHIPPED[name]().data
    else:
        root = Path(__file__).parents[2]
        entry = get_entry(load_catalogue(root / "workflow/datasets.yaml"), name)
        folder = fetch(entry, root / "results/data/raw", os.environ.get("SSLRANK_MIRROR"))
        X = np.asarray(prepare(entry, folder).X, dtype=np.float64)
    return X[:, X.std(axis=0) > 1e-9]


def features_of(rng, design, n, D):
    """Columns of a design; of "real", rows and columns of a public table."""
    if design == "independent":
        return rng.normal(size=(n, D))
    if design == "ar":  # neighbours correlate by .8
        X = rng.normal(size=(n, D))
        for j in range(1, D):
            X[:, j] = 0.8 * X[:, j - 1] + 0.6 * X[:, j]
        return X
    if design == "factors":
        return rng.normal(size=(n, 3)) @ rng.normal(size=(3, D)) * 0.7 + rng.normal(size=(n, D))
    if design == "clusters":
        return rng.normal(size=(4, D))[rng.integers(0, 4, n)] + rng.normal(size=(n, D))
    if design in ("proxies", "products"):  # the second half are functions of the first one, with noise
        X = rng.normal(size=(n, D))
        half = D // 2
        for j in range(half):
            two = X[:, j] * X[:, (j + 1) % half]
            found = two if design == "products" else _FUNCTIONS[j % len(_FUNCTIONS)](X[:, j])
            X[:, half + j] = found + 0.3 * X[:, half + j]
        return X
    X = real_table(REAL[rng.integers(len(REAL))])
    X = X[:, rng.permutation(X.shape[1])[:D]]
    return ((X - X.mean(axis=0)) / X.std(axis=0))[rng.permutation(len(X))[:n]]


def signal_of(rng, effect, S):
    """What planted columns make of a target, with a spread of one; beside "strong", the others' share is 1/20 each."""
    signs = rng.choice([-1.0, 1.0], S.shape[1])
    if effect == "linear":
        found = S @ signs
    elif effect == "monotone":
        found = np.exp(1.2 * np.minimum(S, 3)) @ signs
    elif effect == "abs":
        found = np.abs(S) @ signs
    elif effect == "sine":
        found = np.sin(2 * S) @ signs
    elif effect == "step":
        found = np.sign(S) @ signs
    elif effect == "interaction":
        found = S[:, 0] * S[:, 1] + (S[:, 2] * S[:, 3] if S.shape[1] > 3 else 0.0)
    else:
        found = 20 * S[:, 0] + S[:, 1:] @ signs[1:]
        return found / (found - 20 * S[:, 0]).std() * np.sqrt(S.shape[1] - 1)
    return found / max(found.std(), 1e-12)


def made_table(seed, design, effect, kind, n=120, D=20, planted=4, ratio=1.0, *, others="unrelated"):
    """Draw a table.

    Parameters
    ----------
    seed : int
    design, effect, kind : str
        Of DESIGNS, EFFECTS (or "none") and KINDS.
    n, D, planted : int
    ratio : float
        Variance of the signal over that of the noise.
    others : {"unrelated", "joint"}
        "unrelated": the other columns are those of other rows, so that none of them is related to the target; "joint":
        of the same rows, so that they may be, but say nothing beside the planted ones.

    Returns
    -------
    X : ndarray of shape (n, D)
    y : ndarray
    task : str
    planted : ndarray of shape (D,), bool
    """
    rng = np.random.default_rng([seed, *map(ord, design + effect + kind), n, D])
    X = features_of(rng, design, n, D)
    n, D = X.shape
    k = min(planted, D // 2)
    if others == "joint":
        X = (
            X if design in ("proxies", "products") else X[:, rng.permutation(D)]
        )  # functions of planted ones are not planted
    else:
        X[:, k:] = X[rng.permutation(n), k:]
    T = _TARGETS.get(kind, 1)
    signal = np.zeros((n, T))
    if effect != "none":
        signal = np.column_stack([signal_of(rng, effect, X[:, :k]) for _ in range(T)])
    y = signal + rng.normal(size=signal.shape) / np.sqrt(ratio)
    if kind == "labels":
        y = (y > 0) * 1.0
    elif kind == "binary":
        y = (y > np.median(y)).astype(int)
    elif kind == "classes":
        y = np.searchsorted(np.quantile(y, [1 / 3, 2 / 3]), y)
    order = rng.permutation(D)
    is_planted = (order < k) & (effect != "none")
    return X[:, order], y if T > 1 else y[:, 0], TASKS[kind], is_planted
