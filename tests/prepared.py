"""A small prepared dataset."""

import numpy as np
import pandas as pd

from sslrank.datasets.dataset import Dataset
from sslrank.model_selection.splits import make_splits


def save_toy(folder, folds):
    """Save 30 rows of two classes with four features, and their splits."""
    X = pd.DataFrame(np.random.default_rng(0).random((30, 4)), columns=list("abcd"))
    y = np.array(["u", "v"] * 15, dtype=object)
    Dataset(name="toy", task="classification", X=X, y=y, target_names=["t"]).save(folder / "data")
    scheme = {"scheme": "ssl-cross-validation", "folds": folds, "budgets": ["10"], "seed": 1}
    make_splits(y, task="classification", dataset="toy", **scheme).save(folder / "splits.json")
