"""
Tests and intervals next to SHAP's importances
==============================================

A model's importances have no error rate: some noise always comes next. The estimators of ``sslrank.hypothesis_tests``
add q-values that follow the design of the rows, and intervals of the ranks of any importance. Here 30 shops are
observed in 12 weeks, and all columns differ by shop and by week.
"""

import numpy as np
import pandas as pd
from sklearn.linear_model import RidgeCV

from sslrank.hypothesis_tests import ConditionalTest, HalfSamples, MarginalTest
from sslrank.plotting import intervals

rng = np.random.default_rng(3)
shop, week = np.repeat(np.arange(30), 12), np.tile(np.arange(12), 30)
X = pd.DataFrame(
    rng.normal(size=(360, 8)), columns=["price", "size", "age", "staff", "display", "music", "light", "heat"]
)
X += rng.normal(size=(30, 8))[shop] + rng.normal(size=(12, 8))[week]
sold = -0.5 * X["price"] + 0.4 * X["display"] + rng.normal(size=30)[shop] + rng.normal(size=12)[week]
sold += rng.normal(size=360)

# %%
# The SHAP values of a linear model are known exactly: coefficient times the distance from the mean. Their mean
# magnitude is the importance. With the package ``shap``, ``importance_getter`` would be
# ``lambda model, X, y: abs(shap.Explainer(model)(X).values).mean(axis=0)``.


def mean_shap(model, X, y):
    return np.abs(model.coef_ * (X - X.mean())).mean(axis=0)


ranks = HalfSamples(RidgeCV(), importance_getter=mean_shap).fit(X, sold, groups=shop, time=week)
alone = MarginalTest().fit(X, sold, groups=shop, time=week)
given_others = ConditionalTest().fit(X, sold, groups=shop, time=week)
print(alone.exchanged_)

# %%
# q of a test that takes rows as independent claims features that only share a shop or a week:

table = pd.DataFrame(
    {
        "feature": X.columns,
        "rank": ranks.ranks_,
        "low": ranks.low_,
        "high": ranks.high_,
        "q": alone.q_values_,
        "conditional_q": given_others.q_values_,
        "q_if_independent": MarginalTest().fit(X, sold).q_values_,
    }
).sort_values("rank")
table.round(3)

# %%
figure = intervals(
    table.assign(value=table["rank"], related=table["q"] <= 0.1), highlight="related", xlabel="rank, with its interval"
)
