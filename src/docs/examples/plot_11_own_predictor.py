"""
A predictor of your own
=======================

How good a ranking is depends on the model that uses the features. Error curves take any estimator of scikit-learn: here
a ridge regression on spline features, compared with nearest neighbours.
"""

import pandas as pd
from sklearn.datasets import make_friedman1
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import SplineTransformer, StandardScaler

from sslrank import get_ranker
from sslrank.evaluation import error_curves
from sslrank.plotting import line_panels

X, y = make_friedman1(500, 20, noise=1.0, random_state=0)  # the first five features matter
train, test = range(150), range(150, 500)
rankings = {
    "f_score": get_ranker("f_score").fit(X[:150], y[:150]).feature_importances_,
    "genie3": get_ranker("genie3", n_estimators=50, random_state=0).fit(X[:150], y[:150]).feature_importances_,
}

predictors = {
    "splines": make_pipeline(StandardScaler(), SplineTransformer(n_knots=5, extrapolation="linear"), Ridge(1.0)),
    "knn": "knn",
}
tables = []
for name, predictor in predictors.items():
    curves = error_curves(predictor, X, y, rankings, cv=[(list(train), list(test))], random_state=0)
    forward = curves[curves["curve"] == "FFA"]
    tables.append(forward.assign(ranking=forward["ranking"] + ", by " + name))

lines = pd.concat(tables).rename(columns={"ranking": "line", "size": "x", "value": "y"})
figure = line_panels(lines.assign(panel="", xlabel="best features", ylabel="RRMSE (lower is better)"))

# %%
# A model of smooth effects needs five features; nearest neighbours get worse with every irrelevant feature.
