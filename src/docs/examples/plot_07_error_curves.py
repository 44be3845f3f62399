"""
Error curves: is a ranking better than a random one?
====================================================

The forward curve adds features from best to worst, the reverse curve from worst to best; a good ranking has a high
forward and a low reverse curve. Half their mean difference is the error curve average (ECA) of Slavkov et al. (2018).
"""

import pandas as pd
from sklearn.datasets import load_wine

from sslrank import get_ranker
from sslrank.evaluation import eca, error_curves, expected_curve
from sslrank.plotting import line_panels

X, y = load_wine(return_X_y=True)
rankings = {
    "information_gain": get_ranker("information_gain").fit(X, y).feature_importances_,
    "reversed": -get_ranker("information_gain").fit(X, y).feature_importances_,
}
curves = error_curves("knn", X, y, rankings, cv=5, random_state=0)
expected = expected_curve("knn", X, y, n_rankings=50, cv=5, random_state=0)
table = curves[curves["ranking"] == "information_gain"].rename(columns={"size": "x", "value": "y", "curve": "panel"})
random = [expected.assign(panel=curve, ranking="expected (random)") for curve in ("FFA", "RFA")]
table = pd.concat([table, *(part.rename(columns={"size": "x", "value": "y"}) for part in random)])
figure = line_panels(table.rename(columns={"ranking": "line"}).assign(xlabel="features", ylabel="accuracy"))

# %%
# ECA is positive for a ranking that is better than random ones. Here each ranking is evaluated on the rows that made
# it, so it looks better than it is. For a fair evaluation rank inside the folds, as ``sslrank.rank`` and the benchmark
# do.

pd.DataFrame(eca(curves, expected))
