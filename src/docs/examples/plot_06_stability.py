"""
How stable is a ranking?
========================

A ranking that changes with every sample of the rows is not reliable. Here three rankers rank half-samples of the
labelled rows. Their stability is 1 if the ten best features are always the same, and 0 if they are random (Nogueira,
Sechidis and Brown 2018).
"""

import numpy as np
import pandas as pd
from sklearn.datasets import make_classification

from sslrank import get_ranker
from sslrank.plotting import intervals
from sslrank.stats.stability import selection_stability, top_features

X, y = make_classification(400, 40, n_informative=8, n_redundant=0, shuffle=False, class_sep=1.5, random_state=0)
rankers = {
    "f_score": get_ranker("f_score"),
    "relief": get_ranker("relief", supervised=True),
    "genie3": get_ranker("genie3", supervised=True, n_estimators=50, random_state=0),
}

rows = []
for n_labeled in (30, 100, 300):
    for name, ranker in rankers.items():
        rng = np.random.default_rng(0)  # each ranker sees the same samples
        samples = [rng.choice(n_labeled, n_labeled // 2, replace=False) for _ in range(12)]
        importances = np.array([ranker.fit(X[rows_], y[rows_]).feature_importances_ for rows_ in samples])
        found = selection_stability(top_features(importances, 10))
        rows.append((f"{name}, {n_labeled} labels", found.value, found.lower, found.upper))
table = pd.DataFrame(rows, columns=["ranking", "value", "low", "high"])

figure = intervals(table, label="ranking", reference=0, reference_label="random", xlabel="stability of the ten best")
