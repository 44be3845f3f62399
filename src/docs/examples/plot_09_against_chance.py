"""
Permutation test: is a ranking better than chance?
==================================================

Among many columns of noise some always seem to fit. ``sslrank.rank`` permutes the target, ranks again, and compares.
Here are a table of noise and one of the same size with five relevant features:
"""

import numpy as np
import pandas as pd

import sslrank
from sslrank.plotting import intervals

rng = np.random.default_rng(0)
X = pd.DataFrame(rng.normal(size=(120, 40))).add_prefix("x")
y_noise = pd.Series(rng.integers(0, 2, 120)).map({0: "no", 1: "yes"})
signal = X[["x0", "x1", "x2", "x3", "x4"]].sum(axis=1) + rng.normal(size=120)
y_real = (signal > 0).map({False: "no", True: "yes"})

methods = ["information_gain", "f_score"]  # fast filters
found = {}
for name, y in {"noise": y_noise, "real": y_real}.items():
    found[name] = sslrank.rank(X, y, methods=methods, effort="order", shuffles=100, random_state=0)
    chance = found[name].chance
    print(f"{name}: p = {chance.p_value:.3f}, more than chance: {chance.is_more}, related: {len(chance.related)}")

# %%
# For each feature, q is the false discovery rate of the list of all features with at most this q.

frame = found["real"].to_frame().head(10)
frame.assign(real=frame["feature"].isin([f"x{j}" for j in range(5)]))[["feature", "rank", "p", "q", "real"]].round(3)

# %%
# The five relevant features are dark:

table = frame.assign(value=1 - frame["q"], real=frame["feature"].isin([f"x{j}" for j in range(5)]))
figure = intervals(table, bars=True, highlight="real", reference=0.95, reference_label="q = 0.05", xlabel="1 - q")
