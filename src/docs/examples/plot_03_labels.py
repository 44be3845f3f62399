"""
Multi-label targets
===================

A row may have several labels: a text is about sports and money. Multi-label data has one column of zeros and ones for
each label. One ranking serves all labels; the importance for each label is given, too.
"""

import numpy as np
import pandas as pd
from sklearn.datasets import make_multilabel_classification

import sslrank

X, Y = make_multilabel_classification(400, 20, n_classes=4, n_labels=2, random_state=3)
X = pd.DataFrame(X).add_prefix("word")
Y = pd.DataFrame(Y, columns=["sports", "money", "health", "travel"]).astype(float)
Y.iloc[80:] = np.nan  # 80 labelled rows

ranking = sslrank.rank(X, Y, effort="order", random_state=0)
ranking.to_frame().filter(regex="^(feature|rank)").head(6).round(1)

# %%
# ``by_target`` has the importance of each feature for each label, here divided by the largest of the label.

by_label = ranking.by_target.loc[ranking.best(10)]
(by_label / by_label.max()).style.format("{:.2f}").background_gradient("Blues", vmin=0, vmax=1)
