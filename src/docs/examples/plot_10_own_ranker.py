"""
A ranker of your own
====================

A ranker is a class with the kinds of target that it supports, its parameters as annotated fields, and a method that
returns one importance per feature. The base class does the rest: missing labels, scikit-learn's contract, the workflow.
"""

import numpy as np
from sklearn.datasets import load_digits

from sslrank import BaseRanker, get_ranker
from sslrank.evaluation import error_curves
from sslrank.evaluation.error_curve_average import mean_curves
from sslrank.plotting import line_panels


class Agreement(BaseRanker):
    """Correlation of each feature with the target, times how much it varies over all rows."""

    tasks = frozenset({"classification", "regression"})
    power: float = 1.0

    def rank_coded(self, features, targets):
        values, known = features.values, targets.labeled
        spread = np.nanstd(values, axis=0)
        t = targets.values[known]
        if targets.task == "classification":
            t = np.eye(targets.n_classes)[t[:, 0].astype(int)]
        x = values[known] - np.nanmean(values[known], axis=0)
        t = t - t.mean(axis=0)
        norm = np.sqrt((x**2).sum(axis=0))[:, None] * np.sqrt((t**2).sum(axis=0)) + 1e-12
        return np.abs(x.T @ t / norm).max(axis=1) * spread**self.power


X, y = load_digits(return_X_y=True)
hidden = y.copy()
hidden[150:] = -1  # unlabelled

mine = Agreement(power=0.5).fit(X, hidden)
print(mine.ranking_[:10])

# %%
# It is a selector of scikit-learn, too:

print(Agreement(n_features_to_select=10).fit_transform(X, hidden).shape)

# %%
# Compared with a forest and a fast filter, on the rows whose labels were hidden:

rankings = {
    "mine": mine.feature_importances_,
    "genie3": get_ranker("genie3", n_estimators=25, random_state=0).fit(X, hidden).feature_importances_,
    "f_score": get_ranker("f_score").fit(X, hidden).feature_importances_,
}
rows = np.arange(150, 600)
curves = mean_curves(error_curves("knn", X[rows], y[rows], rankings, cv=3, sizes=[1, 2, 4, 8, 16, 32], random_state=0))
forward = curves[curves["curve"] == "FFA"].rename(columns={"ranking": "line", "size": "x", "value": "y"})
figure = line_panels(forward.assign(panel="", xlabel="best features", ylabel="accuracy"))

# %%
# :doc:`/benchmark/extend` adds the same class to a study with one YAML file, to compare it with all other methods.
