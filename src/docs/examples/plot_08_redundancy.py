"""
Near-duplicates and correlated features
=======================================

Features with the same information split its importance, and a list of the best features may name one measurement four
times. ``short_list`` leaves near-duplicates out.
"""

import numpy as np
import pandas as pd
from sklearn.datasets import load_wine

import sslrank

X, y = load_wine(return_X_y=True, as_frame=True)
rng = np.random.default_rng(0)
X["flavanoids, again"] = X["flavanoids"] + rng.normal(scale=0.02, size=len(X))
X["alcohol, per mille"] = 10 * X["alcohol"] + rng.normal(scale=0.05, size=len(X))

ranking = sslrank.rank(X, y, effort="order", random_state=0)
ranking.to_frame()[["feature", "rank", "copy_of"]].head(8)

# %%
# The same without near-duplicates:

print(ranking.short_list(5))

# %%
# Spearman's correlation between the features:

pd.DataFrame(X).corr("spearman").abs().style.format("{:.2f}").background_gradient("Blues", vmin=0, vmax=1)
