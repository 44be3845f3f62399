"""Errors of trees out of their bags in the study ssl-ranking on tic-tac-toe; write results/findings/zero_errors.csv.

Run in the repository after ``snakemake --cores 1 ssl-ranking --config datasets=tic-tac-toe archive=only``: ``python
tests/measurements/zero_errors.py``. Two folds of the archived forests are grown again.
"""

from dataclasses import replace

import numpy as np
import pandas as pd
from sklearn.metrics import f1_score

from sslrank.benchmark.archive.store import read_listed
from sslrank.benchmark.fits import rank_dataset
from sslrank.benchmark.steps.splits import archived_splits
from sslrank.rankers.trees import growing

SCORE, ERRORS = growing.permutation_score, []


def noted_score(tree, table, oob, labeled, y, *options):
    """Compute the score, and note macro F1 and error rate of the labelled rows out of the bag."""
    rows = oob[np.asarray(labeled)[oob].astype(bool)].astype(np.int32)
    votes = np.zeros((len(rows), y.shape[1]))
    growing.add_values(tree, growing.apply_coded(tree, table, rows), votes)
    truth, predicted = y[rows].argmax(axis=1), votes.argmax(axis=1)
    ERRORS.append((f1_score(truth, predicted, average="macro"), np.mean(truth != predicted)))
    return SCORE(tree, table, oob, labeled, y, *options)


if __name__ == "__main__":
    growing.permutation_score, found = noted_score, []
    spec = read_listed("results/archive/ssl-ranking/tic-tac-toe.parquet.zst", "forest_rf").spec
    dataset, splits = archived_splits("results/data/tic-tac-toe", spec)
    splits = replace(splits, folds=tuple(fold for fold in splits.folds if fold.fold in (0, 1)))
    for budget in ("50", "100", "200", "350", "500"):
        ERRORS.clear()
        rank_dataset(dataset, splits, budget, spec["method"]["spec"], modes=spec["modes"], seed=spec["seed"])
        found.append((budget, len(ERRORS), *np.min(ERRORS, axis=0)))
    table = pd.DataFrame(found, columns=["L", "trees", "least_f1", "least_error"])
    table.to_csv("results/findings/zero_errors.csv", index=False, float_format="%.6g")
