"""
Multi-target regression
=======================

Three targets in different units: no target counts more because its numbers are larger. The last target is missing in
many rows; a row is labelled if one of its targets is known.
"""

import numpy as np
import pandas as pd
from sklearn.datasets import make_regression

import sslrank

X, Y, weights = make_regression(
    300, 15, n_informative=5, n_targets=3, coef=True, shuffle=False, noise=20.0, random_state=1
)
X = pd.DataFrame(X).add_prefix("x")
Y = pd.DataFrame(Y * [1, 1000, 0.01], columns=["grams", "metres", "shares"])
Y.iloc[100:] = np.nan
Y.iloc[50:100, 2] = np.nan

ranking = sslrank.rank(X, Y, effort="order", random_state=0)
print(ranking.best(5), "are the best; the targets depend on x0 to x4")

# %%
# Importances by target, to compare with the true weights below; both are divided by the largest of their target.

found = ranking.by_target.loc[[f"x{j}" for j in range(8)]]
(found / found.max()).style.format("{:.2f}").background_gradient("Blues", vmin=0, vmax=1)

# %%

true = pd.DataFrame(np.abs(weights[:8]), index=found.index, columns=found.columns)
(true / true.max()).style.format("{:.2f}").background_gradient("Blues", vmin=0, vmax=1)
