"""
Near-duplicates and correlated features
=======================================

Features with the same information split its importance, and a list of the best features may name one measurement four
times. ``short_list`` leaves near-duplicates out.
"""

import numpy as np
import pandas as pd
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import squareform
from sklearn.datasets import load_wine

import sslrank
from sslrank.plotting import heat_map

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
# Spearman's correlation between the features, clustered:

table = pd.DataFrame(X).corr("spearman").abs()
tree = linkage(squareform(1 - table.to_numpy(), checks=False), "average")
figure = heat_map(table, linkage=tree, cut=0.2)
