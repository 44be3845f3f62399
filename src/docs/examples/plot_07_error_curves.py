"""
Error curves: is a ranking better than a random one?
====================================================

The forward curve adds features from best to worst, the reverse curve from worst to best; a good ranking has a high
forward and a low reverse curve. Their difference, averaged, is the error curve average (ECA) of Slavkov et al. (2018).
"""

import pandas as pd
from sklearn.datasets import load_wine

from sslrank import get_ranker
from sslrank.evaluation import eca, error_curves, expected_curve
from sslrank.plotting import error_curve_panels as draw

X, y = load_wine(return_X_y=True)
rankings = {
    "information_gain": get_ranker("information_gain").fit(X, y).feature_importances_,
    "reversed": -get_ranker("information_gain").fit(X, y).feature_importances_,
}
curves = error_curves("knn", X, y, rankings, cv=5, random_state=0)
expected = expected_curve("knn", X, y, n_rankings=50, cv=5, random_state=0)
figure = draw(curves[curves["ranking"] == "information_gain"], expected=expected)

# %%
# ECA is positive for a ranking that is better than random ones. Here each ranking is judged on the rows that
# made it, so it looks better than it is: for a fair judgement rank inside the folds, as ``sslrank.rank`` and the
# benchmark do.

pd.DataFrame(eca(curves, expected))
