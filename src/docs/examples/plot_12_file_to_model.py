"""
From a file to a model
======================

A CSV file with gaps, categories and missing targets becomes a ranking, a reduced table and a classifier.
"""

import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import cross_val_score

rng = np.random.default_rng(0)
n = 300
table = pd.DataFrame(
    {
        "customer": [f"c{i:04d}" for i in range(n)],
        "age": rng.integers(18, 80, n),
        "plan": rng.choice(["basic", "plus", "pro"], n),
        "calls": rng.poisson(3, n),
        "minutes": rng.gamma(2, 50, n).round(1),
        "height": rng.normal(172, 9, n).round(),
    }
)
leaves = rng.random(n) < 1 / (1 + np.exp(2 - 0.9 * (table["calls"] - 3) - 2 * (table["plan"] == "basic")))
table["leaves"] = np.where(leaves, "yes", "no")
table.loc[rng.random(n) < 0.1, "minutes"] = np.nan
table.loc[120:, "leaves"] = None

folder = Path(tempfile.mkdtemp())
table.to_csv(folder / "customers.csv", index=False)

# %%
# Two shell commands, and what they print:

for command in (
    "sslrank rank customers.csv --target leaves --effort quick --out ranking",
    "sslrank reduce customers.csv ranking --n-features 3 --out few.csv",
):
    print(subprocess.run(command.split(), cwd=folder, capture_output=True, text=True, check=True).stdout)

# %%
# The reduced table has the best features and the target:

few = pd.read_csv(folder / "few.csv")
few.head()

# %%
# A model of the labelled rows, from the reduced table:

known = few.dropna(subset=["leaves"])
X = pd.get_dummies(known.drop(columns="leaves"))
scores = cross_val_score(RandomForestClassifier(random_state=0), X, known["leaves"], scoring="balanced_accuracy")
print(f"balanced accuracy {scores.mean():.2f}")

# %%
# This score is optimistic: the features were chosen with the rows on which the model is tested. A pipeline with the
# ranker inside is not: :doc:`/guide/pipeline`.

import matplotlib.pyplot as plt

labeled = table.dropna(subset=["leaves"])
shares = labeled.groupby(["plan", "leaves"]).size().unstack(fill_value=0)
figure, axes = plt.subplots(figsize=(6.4, 2.4))
shares.plot.barh(stacked=True, color=["#b8c4d0", "#3b6ea5"], xlabel="labelled customers", ax=axes)
figure.tight_layout()
