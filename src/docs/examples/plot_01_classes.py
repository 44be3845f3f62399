"""
Classification with few labels
==============================

Forty tumours have a diagnosis, 529 have none. Which measurements distinguish benign from malignant tumours?
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
# The mean rank is the average of the ranks by each method. The line around a point shows the ranks in half-samples of
# the rows: if it is long, the rank depends on the choice of rows.

figure = ranking.plot(15)

# %%
# The best features by class, for the labelled rows:

from sslrank.plotting import target_panels

labeled = y.notna()
best = ranking.best(4)
figure = target_panels(X.loc[labeled, best], y[labeled])
