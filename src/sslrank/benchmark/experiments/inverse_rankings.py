"""Experiment: are rankings of random forests the inverse of other rankings? Paper eca, section 5.3."""

import numpy as np
import pandas as pd
from scipy.stats import rankdata, spearmanr

#: As in the studies `eca` and `eca-forests`: the three other rankers, and forests by the way they permute features.
OTHERS = {"information_gain": {}, "relieff": {"n_neighbors": 10}, "svm_rfe": {"C": 0.1, "step": 1}}
STAY_PERMUTED = {"importance": "random_forest", "supervision": 1.0, "supervised": True}


def parts(datasets, catalogue="workflow/datasets.yaml"):
    """List one part for each dataset."""
    return {name: {"dataset": name, "catalogue": catalogue} for name in datasets}


def experiment(dataset, catalogue, *, seed=0, n_jobs=1):
    """Correlate the rankings of two forests of all rows with the mean rank by the three other rankers (Spearman)."""
    from sslrank.benchmark.experiments.data import load_dataset
    from sslrank.rankers.registry import get_ranker
    from sslrank.rankers.trees.original import OriginalForest

    data = load_dataset(dataset, catalogue)

    def ranks(ranker):
        ranker.set_params(task=data.task, n_jobs=n_jobs, random_state=seed)
        return rankdata(-ranker.fit(data.X, data.y).feature_importances_)

    others = np.mean([ranks(get_ranker(name, **params)) for name, params in OTHERS.items()], axis=0)
    forests = {
        "permuted alone": get_ranker("permutation_importance"),
        "stay permuted, 2": OriginalForest(**STAY_PERMUTED),
    }
    rows = [(dataset, name, float(spearmanr(ranks(forest), others).statistic)) for name, forest in forests.items()]
    return {"correlations": pd.DataFrame(rows, columns=["dataset", "forest", "correlation"])}


def join(tables):
    """Return the table "correlations" as it is."""
    return tables
