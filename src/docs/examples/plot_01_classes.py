"""
Classes, of which few are known
===============================

Forty tumours have a diagnosis, 529 have none. Which measurements tell benign from malignant?
"""

from sklearn.datasets import load_breast_cancer

import sslrank

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
y = y.map({0: "malignant", 1: "benign"}).sample(frac=1, random_state=0)
X = X.loc[y.index]
y.iloc[40:] = None  # these rows have no label

ranking = sslrank.rank(X, y, effort="order", repeats=5, random_state=0)
ranking.to_frame()[["feature", "rank", "mean_rank", "low", "high", "direction"]].head(6)

# %%
# Each method's rank is the feature's place in that method's order; the mean rank is their average. The line around a
# point shows where half-samples of the rows put the feature: a long line means that other rows could have put it
# elsewhere.

figure = ranking.plot(15)

# %%
# The best features, as they differ between the classes of the labelled rows:

from sslrank.plotting import target_panels

labeled = y.notna()
best = ranking.best(4)
figure = target_panels(X.loc[labeled, best], y[labeled])
