"""
Which features matter: tests of each feature
============================================

Among many columns of noise some always seem to fit. ``sslrank.rank`` tests each feature: is it related to the target
(q), and does it add information beyond the others (conditional q)? Compare a table of pure noise with one of the same
size in which five features matter and a sixth is only correlated with the first:
"""

import numpy as np
import pandas as pd

import sslrank
from sslrank.plotting import intervals

rng = np.random.default_rng(1)
X = pd.DataFrame(rng.normal(size=(200, 40))).add_prefix("x")
X["x5"] = 0.8 * X["x0"] + 0.6 * X["x5"]
y_noise = pd.Series(rng.integers(0, 2, 200)).map({0: "no", 1: "yes"})
signal = X[["x0", "x1", "x2", "x3", "x4"]].sum(axis=1) + rng.normal(size=200)
y_real = (signal > 0).map({False: "no", True: "yes"})

found = {}
for name, y in {"noise": y_noise, "real": y_real}.items():
    found[name] = sslrank.rank(X, y, effort="quick", repeats=0)
    print(f"{name}: {found[name].tests.describe()}")
print(f"real: {found['real'].conditional.describe()}")

# %%
# For each feature, q is the false discovery rate of the list of all features with at most this q; likewise the
# conditional q.

frame = found["real"].to_frame().head(10)
frame["real"] = frame["feature"].isin([f"x{j}" for j in range(5)])
frame[["feature", "rank", "q", "conditional_q", "real"]].round(3)

# %%
# The five features that matter are dark:

table = frame.assign(value=1 - frame["conditional_q"])
figure = intervals(
    table, highlight="real", reference=0.9, reference_label="conditional q = 0.1", xlabel="1 - conditional q"
)
