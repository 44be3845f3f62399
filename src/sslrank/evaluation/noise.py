"""ECA of rankings with noise: the synthetic experiment of paper eca, section 4."""

import numpy as np
import pandas as pd

from sslrank.core.features import encode_features
from sslrank.core.random_state import derive_seed
from sslrank.core.stratified import stratified_folds
from sslrank.core.targets import encode_targets
from sslrank.evaluation.curve_problem import CurveProblem
from sslrank.evaluation.curves import CURVES, feature_order
from sslrank.evaluation.error_curve_average import WEIGHTINGS, compare_rankings
from sslrank.evaluation.synthetic import make_synthetic, noisy_relevance, ranking_distance
from sslrank.metrics.averages import fold_average

#: Amounts of noise in the paper; 1 is a random ranking.
THETAS = (0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0)
#: Name of the ranking without noise.
TRUTH = "ground truth"


def noise_curves(
    name,
    theta=None,
    *,
    n_rankings=100,
    first=0,
    cv=10,
    predictor="svm",
    sizes="all",
    n_samples=1000,
    n_features=100,
    n_jobs=None,
    random_state=0,
):
    """Average curves of noisy rankings with one amount of noise.

    Parameters
    ----------
    name : {"single", "pair", "combined"}
    theta : float, optional
        Amount of noise; None for the ground truth.
    n_rankings, cv : int
        The paper's numbers are 100 and 10.
    first : int, default=0
        Index of the first ranking, so that 100 rankings can be computed in two halves.
    predictor, sizes
        See :func:`sslrank.evaluation.error_curves`.
    n_samples, n_features : int
        See :func:`sslrank.evaluation.synthetic.make_synthetic`.
    n_jobs : int, optional
        Threads.
    random_state : int, default=0

    Returns
    -------
    curves : DataFrame
        Columns ranking, curve, size, measure, value.
    distance : float
        Mean distance of the rankings from the ground truth (first row of Table 3).

    Examples
    --------
    >>> curves, distance = noise_curves(
    ...     "single", 0.3, n_rankings=2, cv=2, sizes=[1], n_samples=60, n_features=12, predictor="knn"
    ... )
    >>> curves[["ranking", "curve", "size"]]
      ranking curve  size
    0     0.3   FFA     1
    1     0.3   FFA    12
    2     0.3   RFA     1
    3     0.3   RFA    12
    """
    data = make_synthetic(name, n_samples=n_samples, n_features=n_features, random_state=random_state)
    targets = encode_targets(data.y, n_samples)
    folds = stratified_folds(targets, cv, derive_seed(random_state, "folds"))
    problem = CurveProblem(encode_features(data.X), targets, folds, predictor, sizes=sizes)
    if theta is None:
        return _mean_curves(problem, [data.relevance], TRUTH, n_jobs), 0.0
    noisy = [
        noisy_relevance(data.relevance, theta, random_state=derive_seed(random_state, "noise", theta, i))
        for i in range(first, first + n_rankings)
    ]
    return _mean_curves(problem, noisy, f"{theta:g}", n_jobs), ranking_distance(data.relevance, noisy)


def noise_summary(curves, distances):
    """Compute ECA of the ground truth against each amount of noise, and its correlation with the distance (Table 3).

    Parameters
    ----------
    curves : DataFrame
        Curves of :func:`noise_curves` for the ground truth and for all amounts of noise.
    distances : dict of str to float
        Distances by the name of the ranking in `curves`.

    Returns
    -------
    DataFrame
        Columns weighting, theta, value. Weighting "dist" is the distance of the rankings; theta "correlation" is the
        correlation of a weighting's ECA with it (NaN with fewer than two thetas).

    Examples
    --------
    >>> import pandas as pd
    >>> curves = pd.DataFrame({"ranking": ["ground truth"] * 2 + ["0.3"] * 2, "curve": ["FFA", "RFA"] * 2})
    >>> curves = curves.assign(size=1, measure="accuracy", value=[0.9, 0.5, 0.8, 0.6])
    >>> noise_summary(curves, {"0.3": 0.25}).dropna().round(2)
         weighting theta  value
    0         dist   0.3   0.25
    1            1   0.3   0.10
    3        1/|S|   0.3   0.10
    5      |delta|   0.3   0.10
    7  |delta|/|S|   0.3   0.10
    """
    rows = [("dist", label, value) for label, value in distances.items()]
    for weighting in WEIGHTINGS:
        scores = [compare_rankings(curves, TRUTH, label, weighting)["ECA"] for label in distances]
        rows += [(weighting, label, value) for label, value in zip(distances, scores, strict=True)]
        spread = len(distances) > 1 and np.std(scores) > 0 and np.std(list(distances.values())) > 0
        correlation = np.corrcoef(scores, list(distances.values()))[0, 1] if spread else np.nan
        rows.append((weighting, "correlation", correlation))
    return pd.DataFrame(rows, columns=["weighting", "theta", "value"])


def _mean_curves(problem, relevances, name, n_jobs):
    forward = np.array([feature_order(relevance) for relevance in relevances])
    rows = []
    for curve, orders in zip(CURVES, (forward, forward[:, ::-1]), strict=True):
        values = problem.scores(orders, n_jobs).mean(axis=0)
        for size, of_size in zip(problem.sizes, values.T, strict=True):
            rows.append((name, curve, size, problem.measure.name, fold_average(of_size, problem.test_sizes)))
    return pd.DataFrame(rows, columns=["ranking", "curve", "size", "measure", "value"])
