"""Data with a known ranking, and rankings with a known amount of noise: paper eca, sections 4.1 and 4.2."""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from sslrank.core.validation import check_choice

#: Table 2: copies, size of the interaction set and P(f(F_int) = F_t); the other features are noise.
INTERACTIONS = {
    "single": ((3, 1, 0.8), (3, 1, 0.7), (3, 1, 0.6)),
    "pair": ((3, 2, 0.8), (3, 2, 0.7), (3, 2, 0.6)),
    "combined": ((3, 2, 0.8), (3, 2, 0.7), (3, 2, 0.6), (3, 1, 0.8), (3, 1, 0.7), (3, 1, 0.6)),
}


@dataclass(frozen=True)
class SyntheticData:
    """A synthetic dataset of :func:`make_synthetic`.

    Attributes
    ----------
    X : ndarray of shape (n_samples, n_features), float64
        Zeros and ones.
    y : ndarray of shape (n_samples,), int
        The binary target.
    relevance : ndarray of shape (n_features,)
        The ground truth, see :func:`ground_truth`.
    interaction : ndarray of shape (n_features,), int
        Index of the interaction set of each feature, -1 for noise.

    Examples
    --------
    >>> data = make_synthetic("single", n_samples=50, n_features=12)
    >>> data.X.shape, int((data.relevance > 0).sum()), int(data.interaction.max())
    ((50, 12), 9, 8)
    """

    X: np.ndarray
    y: np.ndarray
    relevance: np.ndarray
    interaction: np.ndarray


def mutual_information(probability, size=1):
    """Compute the relevance of a feature: I(F_int; F_t) / |F_int| in bits.

    A fair binary target that equals a function of the set with probability p shares 1 - H(p) bits with it.

    Parameters
    ----------
    probability : float
        P(f(F_int) = F_t).
    size : int, default=1
        |F_int|.

    Returns
    -------
    float

    Examples
    --------
    >>> round(mutual_information(0.8), 3), round(mutual_information(0.8, size=2), 3)
    (0.278, 0.139)
    """
    return float(1.0 - stats.entropy([probability, 1.0 - probability], base=2)) / size


def ground_truth(name, n_features=100):
    """Compute the relevance of every feature from the structure of the data (section 4.1), before columns are shuffled.

    Parameters
    ----------
    name : {"single", "pair", "combined"}
    n_features : int, default=100

    Returns
    -------
    ndarray of shape (n_features,)

    Raises
    ------
    ValueError
        If the name is unknown.

    Examples
    --------
    >>> ground_truth("single", 10).round(2)
    array([0.28, 0.28, 0.28, 0.12, 0.12, 0.12, 0.03, 0.03, 0.03, 0.  ])
    """
    check_choice("name", name, INTERACTIONS)
    relevance = [mutual_information(p, size) for copies, size, p in INTERACTIONS[name] for _ in range(copies * size)]
    return np.concatenate([relevance, np.zeros(n_features - len(relevance))])


def make_synthetic(name, *, n_samples=1000, n_features=100, random_state=0):
    """Generate one of the three datasets of Table 2.

    The target is a fair coin. The function of each interaction set equals the target with a given probability,
    independently of the other sets. For a single feature, the function is the feature itself; of a pair, one feature is
    a fair coin and the other one is chosen so that the exclusive or has the required value.

    Parameters
    ----------
    name : {"single", "pair", "combined"}
    n_samples, n_features : int
    random_state : int

    Returns
    -------
    SyntheticData

    Raises
    ------
    ValueError
        If the name is unknown or there are fewer features than relevant ones.

    Examples
    --------
    >>> data = make_synthetic("pair", n_samples=4, n_features=20, random_state=1)
    >>> data.X.shape, data.y
    ((4, 20), array([0, 1, 1, 1]))
    """
    check_choice("name", name, INTERACTIONS)
    sets = INTERACTIONS[name]
    n_relevant = sum(copies * size for copies, size, _ in sets)
    if n_features < n_relevant:
        raise ValueError(f"{name!r} has {n_relevant} relevant features, n_features is {n_features}")
    rng = np.random.default_rng(random_state)
    y = rng.integers(0, 2, n_samples)
    columns, interaction, number = [], [], 0
    for copies, size, probability in sets:
        for _ in range(copies):
            function = np.where(rng.random(n_samples) < probability, y, 1 - y)
            if size == 1:
                columns.append(function)
            else:
                first = rng.integers(0, 2, n_samples)
                columns += [first, first ^ function]
            interaction += [number] * size
            number += 1
    noise = rng.integers(0, 2, (n_samples, n_features - n_relevant))
    X = np.column_stack([*columns, noise]).astype(np.float64)
    interaction = np.array(interaction + [-1] * noise.shape[1])
    relevance = ground_truth(name, n_features)
    order = rng.permutation(n_features)
    return SyntheticData(np.ascontiguousarray(X[:, order]), y, relevance[order], interaction[order])


def noisy_relevance(relevance, theta, *, random_state=0):
    """Add noise to relevance (section 4.2): a share theta of the features gets random values.

    The values are uniform between the smallest and the largest relevance; the paper does not state their distribution.

    Parameters
    ----------
    relevance : array-like of shape (D,)
    theta : float in [0, 1]
        round(theta * D) features are drawn without replacement.
    random_state : int

    Returns
    -------
    ndarray of shape (D,)

    Raises
    ------
    ValueError
        If theta is not in [0, 1].

    Examples
    --------
    >>> noisy_relevance([1.0, 0.5, 0.0, 0.0], 0.25)
    array([1.        , 0.5       , 0.04097352, 0.        ])
    """
    if not 0 <= theta <= 1:
        raise ValueError(f"theta must be in [0, 1], got {theta}")
    relevance = np.array(relevance, dtype=np.float64)
    rng = np.random.default_rng(random_state)
    positions = rng.permutation(len(relevance))[: round(theta * len(relevance))]
    relevance[positions] = rng.uniform(relevance.min(), relevance.max(), len(positions))
    return relevance


def ranking_distance(truth, others):
    """Compute the distance of rankings, 1 - mean Spearman correlation (section 4.3, first row of Table 3).

    Equal values share their mean rank: this convention gives the published distances.

    Parameters
    ----------
    truth : array-like of shape (D,)
        Relevance.
    others : array-like of shape (N, D)
        Relevance in N other rankings.

    Returns
    -------
    float
        0 for equal rankings, about 1 for random ones, 2 for reversed ones.

    Examples
    --------
    >>> ranking_distance([3.0, 2.0, 1.0], [[3.0, 2.0, 1.0], [1.0, 2.0, 3.0]])
    1.0
    """
    return float(1.0 - np.mean([stats.spearmanr(truth, other).statistic for other in others]))
