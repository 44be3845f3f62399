"""How ECA reacts to noise in a ranking: the synthetic experiment of paper eca, section 4."""

import numpy as np
import pandas as pd

from sslrank.columns import encode_features
from sslrank.evaluation.curves import CURVES, CurveProblem, feature_order, stratified_folds
from sslrank.evaluation.error_curve_average import WEIGHTINGS, compare_rankings
from sslrank.evaluation.synthetic import make_synthetic, noisy_relevance, ranking_distance
from sslrank.measures.single import fold_average
from sslrank.seeds import derive_seed
from sslrank.targets import encode_targets

#: Amounts of noise in the paper; 1 is a random ranking.
THETAS = (0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0)


def noise_experiment(
    name="combined",
    *,
    thetas=THETAS,
    n_rankings=100,
    cv=10,
    predictor="svm",
    sizes="all",
    n_samples=1000,
    n_features=100,
    n_jobs=None,
    random_state=0,
):
    """Compare the ground truth with noisy rankings of it.

    For each theta the curves of `n_rankings` noisy rankings are averaged (section 4.2) and the ground truth
    is compared with the average.

    Parameters
    ----------
    name : {"single", "pair", "combined"}, default="combined"
    thetas : sequence of float
    n_rankings, cv : int
        The paper's numbers are 100 and 10.
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
        Fig. 2: columns ranking ("ground truth" or a theta), curve, size, measure, value.
    summary : DataFrame
        Table 3: columns weighting, theta, value. Weighting "dist" is the distance of the rankings; theta
        "correlation" is the correlation of a weighting's ECA with it (NaN with fewer than two thetas).
    """
    data = make_synthetic(name, n_samples=n_samples, n_features=n_features, random_state=random_state)
    targets = encode_targets(data.y, n_samples)
    folds = stratified_folds(targets, cv, derive_seed(random_state, "folds"))
    problem = CurveProblem(encode_features(data.X), targets, folds, predictor, sizes=sizes)
    parts = [_mean_curves(problem, [data.relevance], "ground truth", n_jobs)]
    distances = []
    for theta in thetas:
        noisy = [
            noisy_relevance(data.relevance, theta, random_state=derive_seed(random_state, "noise", theta, i))
            for i in range(n_rankings)
        ]
        distances.append(ranking_distance(data.relevance, noisy))
        parts.append(_mean_curves(problem, noisy, f"{theta:g}", n_jobs))
    curves = pd.concat(parts, ignore_index=True)
    labels = [f"{theta:g}" for theta in thetas]
    rows = [("dist", label, value) for label, value in zip(labels, distances, strict=True)]
    for weighting in WEIGHTINGS:
        scores = [compare_rankings(curves, "ground truth", label, weighting)["ECA"] for label in labels]
        rows += [(weighting, label, value) for label, value in zip(labels, scores, strict=True)]
        spread = len(labels) > 1 and np.std(scores) > 0 and np.std(distances) > 0
        rows.append((weighting, "correlation", np.corrcoef(scores, distances)[0, 1] if spread else np.nan))
    return curves, pd.DataFrame(rows, columns=["weighting", "theta", "value"])


def _mean_curves(problem, relevances, name, n_jobs):
    forward = np.array([feature_order(relevance) for relevance in relevances])
    parts = []
    for curve, orders in zip(CURVES, (forward, forward[:, ::-1]), strict=True):
        values = problem.scores(orders, n_jobs).mean(axis=0)
        parts.append(
            pd.DataFrame(
                {
                    "ranking": name,
                    "curve": curve,
                    "size": problem.sizes,
                    "measure": problem.measure.name,
                    "value": [fold_average(of_size, problem.test_sizes) for of_size in values.T],
                }
            )
        )
    return pd.concat(parts, ignore_index=True)
