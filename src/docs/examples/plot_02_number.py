"""
Regression with few labels
==========================

The progress of a disease within a year is known for 100 of 442 patients. A missing number is NaN.
"""

import numpy as np
from sklearn.datasets import load_diabetes

import sslrank

X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
X["sex"] = X["sex"].map({1: "a", 2: "b"})  # categories, not numbers
y.iloc[100:] = np.nan

ranking = sslrank.rank(X, y, effort="order", repeats=5, random_state=0)
figure = ranking.plot()

# %%
# ``direction`` is the sign of the relation between a numeric feature and the target.

ranking.to_frame()[["feature", "rank", "kind", "direction"]]
