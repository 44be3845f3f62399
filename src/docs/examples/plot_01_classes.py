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
ranking  # a notebook shows the first screen of the page that ranking.save_html("page.html") writes

# %%
# The line around a point is the interval of the rank, from half-samples of the rows: if it is long, the rank is
# uncertain. The bar is the effect size of the feature alone. The same numbers as a table:

ranking.to_frame()[["feature", "rank", "low", "high", "effect", "effect_measure", "effect_of", "q"]].head(6)

# %%
# The same as a text, and as a picture for a paper:

print(ranking)
figure = ranking.plot("ranks", count=15)
