"""Experiment: test rows with more than k nearest rows, and scores by three readings of "the k nearest"."""

import numpy as np
import pandas as pd

from sslrank.core.random_state import derive_seed


def parts(datasets, L=(50, 200, 500), n_neighbors=(20, 40), folds=3, catalogue="workflow/datasets.yaml"):
    """List one part for each dataset; `L` are numbers of labelled rows, `folds` the evaluated ones of ten."""
    options = {"L": list(L), "n_neighbors": list(n_neighbors), "folds": folds, "catalogue": catalogue}
    return {name: {"dataset": name} | options for name in datasets}


def experiment(dataset, L, n_neighbors, folds, catalogue, *, seed=0, n_jobs=1):
    """Score equal weights by neighbours among the labelled rows and among all rows, by all readings of ties."""
    from sslrank.benchmark.experiments.data import load_dataset
    from sslrank.core.features import encode_features
    from sslrank.core.stratified import stratified_folds
    from sslrank.core.targets import encode_targets
    from sslrank.evaluation.evaluators.knn import evaluate
    from sslrank.models.knn import tied_rows
    from sslrank.models.votes import TIES

    data = load_dataset(dataset, catalogue)
    features = encode_features(data.X)
    targets = encode_targets(data.y, len(data.X), task=data.task, hierarchy=data.hierarchy)
    known, equal = np.flatnonzero(targets.labeled), np.ones(features.shape[1])
    splits = stratified_folds(targets.rows(known), 10, derive_seed(seed, dataset, "folds"))[:folds]
    rows = []
    for fold, (train, test) in enumerate(splits):
        train, test = known[train], known[test]
        order = np.random.default_rng(derive_seed(seed, dataset, "labels", fold)).permutation(train)
        for budget in L:
            labeled = np.sort(order[:budget])
            if len(labeled) < max(n_neighbors):
                continue
            for neighbors, candidates in (("labeled", labeled), ("all", train)):
                tied = tied_rows(features, candidates, features.rows(test), equal, n_neighbors)
                given = {"n_neighbors": n_neighbors, "neighbors": neighbors, "n_jobs": n_jobs}
                scores = {}
                for ties in TIES:
                    found = evaluate(features, targets, train, test, labeled, equal, given | {"ties": ties}, seed)
                    scores |= {(ties, k): value for _, k, value in found}
                key = data.task, dataset, str(budget), fold, neighbors
                rows += [(*key, k, tied[k], *(scores[ties, k] for ties in TIES)) for k in n_neighbors]
    columns = ["task", "dataset", "L", "fold", "neighbors", "k", "tied", *TIES]
    return {"scores": pd.DataFrame(rows, columns=columns)}


def join(tables):
    """Return "scores", the means over the folds, and "summary", those over L as well."""
    key, values = ["task", "dataset", "neighbors", "k"], ["tied", "shared", "lower_row", "random"]
    means = tables["scores"].groupby([*key, "L"], sort=False)[values].mean().reset_index()
    return {"scores": means, "summary": means.groupby(key, sort=False)[values].mean().reset_index()}
