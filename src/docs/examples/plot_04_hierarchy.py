"""
Labels in a hierarchy
=====================

Labels can be nodes of a tree, such as functions of genes: a gene with "sugar transport" has "transport". The parents of
each label are given by column numbers; deep labels have less weight.
"""

import matplotlib.pyplot as plt
import numpy as np

from sslrank import get_ranker

names = ["transport", "sugar transport", "ion transport", "growth"]
parents = [[], [0], [0], []]

rng = np.random.default_rng(0)
X = rng.normal(size=(600, 12))
Y = np.zeros((600, 4))
Y[:, 1] = X[:, 0] > 0.6  # sugar transport depends on feature 0
Y[:, 2] = X[:, 1] > 0.6  # ion transport on feature 1
Y[:, 0] = (Y[:, 1:3].sum(axis=1) > 0) | (X[:, 2] > 1.2)  # a parent has what its children have
Y[:, 3] = X[:, 3] > 0.5  # growth on feature 3
Y[150:] = np.nan  # 150 labelled rows

ranker = get_ranker("genie3", hierarchy=parents, n_estimators=50, random_state=0).fit(X, Y)
print(ranker.ranking_)

# %%
# The labels depend on features 0 to 3.

figure, axes = plt.subplots(figsize=(6.4, 3))
colors = ["#3b6ea5" if j < 4 else "#b8c4d0" for j in range(12)]
axes.bar(range(12), ranker.feature_importances_, color=colors)
axes.set(xlabel="feature", ylabel="importance", xticks=range(12))
figure.tight_layout()
