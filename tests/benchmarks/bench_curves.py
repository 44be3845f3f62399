"""Time error curves beside the plain loop that fits every predictor anew.

Prints, for each case, the seconds of both, their quotient, and the largest difference between the accuracies
of the two. "Curves" are FFA and RFA of one ranking. "Comparison" judges two rankings against random ones: the
plain loop gives each of them its own random curves in both directions, here they are shared and one direction
is enough. CPU seconds of this process on one thread are compared, so that other work on the machine matters
less.
"""

import argparse
import time

import numpy as np
from sklearn.datasets import make_classification
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from threadpoolctl import threadpool_limits

from sslrank.core.features import encode_features
from sslrank.core.targets import encode_targets
from sslrank.evaluation import eca
from sslrank.evaluation.curve_problem import CurveProblem
from sslrank.evaluation.curves import feature_order, random_curve, ranking_curves
from sslrank.evaluation.synthetic import make_synthetic, noisy_relevance
from sslrank.model_selection.stratified import stratified_folds


def plain_curve(make, X, y, splits, order, sizes):
    """Accuracies (n_folds, n_sizes) of scikit-learn's estimator, fitted for every size of every fold."""
    values = np.empty((len(splits), len(sizes)))
    for f, (train, test) in enumerate(splits):
        low, spread = X[train].min(axis=0), np.ptp(X[train], axis=0)
        scaled = (X - low) / np.where(spread > 0, spread, 1.0)
        for s, size in enumerate(sizes):
            chosen = order[:size]
            model = make().fit(scaled[np.ix_(train, chosen)], y[train])
            values[f, s] = model.score(scaled[np.ix_(test, chosen)], y[test])
    return values


def quadratic(tol):
    return lambda: SVC(kernel="poly", degree=2, gamma=1.0, coef0=0.0, C=0.1, tol=tol)


def cases(tol, quick):
    data = make_synthetic("combined", random_state=0)
    yield "svm, 1000 x 100 zeros and ones", data.X, data.y, data.relevance, "svm", quadratic(tol), (10, 1.25)
    X, y = make_classification(200, 60, n_informative=10, random_state=0)
    yield "svm, 200 x 60", X, y, np.arange(60.0)[::-1], "svm", quadratic(tol), "all"
    X, y = make_classification(62, 2000, n_informative=30, random_state=0)
    step = (20, 1.2) if quick else (50, 1.05)
    yield "svm, 62 x 2000", X, y, np.arange(2000.0)[::-1], "svm", quadratic(tol), step
    X, y = make_classification(100, 12625, n_informative=50, random_state=0)
    yield (
        "svm, 100 x 12625",
        X,
        y,
        np.arange(12625.0)[::-1],
        "svm",
        quadratic(tol),
        (20, 1.3) if quick else "auto",
    )
    X, y = make_classification(600, 100, n_informative=10, random_state=0)
    knn = lambda: KNeighborsClassifier(20, algorithm="brute")  # noqa: E731
    yield "20 neighbours, 600 x 100", X, y, np.arange(100.0)[::-1], "knn", knn, "all"


def run(name, X, y, relevance, predictor, make, sizes, tol, n_folds, n_random):
    targets = encode_targets(y, len(y))
    splits = stratified_folds(targets, n_folds)
    params = {"tol": tol} if predictor == "svm" else {}
    rankings = {"first": relevance, "second": noisy_relevance(relevance, 0.3)}
    orders = {ranking: feature_order(values) for ranking, values in rankings.items()}

    start = time.process_time()
    problem = CurveProblem(encode_features(X), targets, splits, predictor, predictor_params=params, sizes=sizes)
    table = ranking_curves(problem, rankings["first"])
    fast = time.process_time() - start
    start = time.process_time()
    ours = [plain_curve(make, X, y, splits, order, problem.sizes) for order in (orders["first"], orders["first"][::-1])]
    plain = time.process_time() - start
    difference = np.abs(table["value"].to_numpy().reshape(2, n_folds, -1) - np.array(ours))

    start = time.process_time()
    problem = CurveProblem(encode_features(X), targets, splits, predictor, predictor_params=params, sizes=sizes)
    eca(ranking_curves(problem, rankings), random_curve(problem, n_random), "|delta|")
    shared = time.process_time() - start
    start = time.process_time()
    rng = np.random.default_rng(0)
    for order in orders.values():
        for _ in range(n_random):
            random = rng.permutation(X.shape[1])
            for direction in (random, random[::-1]):
                plain_curve(make, X, y, splits, direction, problem.sizes)
        for direction in (order, order[::-1]):
            plain_curve(make, X, y, splits, direction, problem.sizes)
    alone = time.process_time() - start
    print(
        f"{name:32} {plain:9.2f} {fast:8.2f} {plain / fast:7.1f} {difference.max():10.4f} "
        f"{np.mean(difference > 0):9.3%} {alone:11.2f} {shared:8.2f} {alone / shared:7.1f}",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--random", type=int, default=10, help="random rankings of the comparison")
    parser.add_argument("--tol", type=float, default=1e-6, help="tolerance of both support vector machines")
    parser.add_argument("--quick", action="store_true", help="fewer sizes")
    parser.add_argument("--case", type=int, action="append", help="only this case, counted from 0")
    arguments = parser.parse_args()
    print(
        f"{'':32} {'curves of one ranking, CPU s':>26} {'accuracies':>20} {'comparison, CPU s':>28}\n"
        f"{'':32} {'plain':>9} {'ours':>8} {'times':>7} {'largest':>10} {'unequal':>9} "
        f"{'plain':>11} {'ours':>8} {'times':>7}"
    )
    with threadpool_limits(1):
        for i, case in enumerate(cases(arguments.tol, arguments.quick)):
            if arguments.case is None or i in arguments.case:
                run(*case, arguments.tol, arguments.folds, arguments.random)


if __name__ == "__main__":
    main()
