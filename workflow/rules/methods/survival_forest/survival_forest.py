"""Permutation importance of a random survival forest on every fold; see README.md."""

import json
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.inspection import permutation_importance
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sksurv.ensemble import RandomSurvivalForest

folder, (trees, leaf, repeats) = Path(sys.argv[1]), map(int, sys.argv[2:])
about = json.loads((folder / "about.json").read_text(encoding="utf-8"))
found = []
for fold in about["folds"]:
    table = pd.read_csv(folder / f"fold{fold}.csv", dtype=dict.fromkeys(about["nominal"], str))
    time, event = table.columns[-2:]
    table = table.dropna(subset=[time, event])
    X, y = table[about["features"]], np.empty(len(table), dtype=[("event", bool), ("time", float)])
    y["event"], y["time"] = table[event] == 1, table[time]
    coding = make_column_transformer((OneHotEncoder(sparse_output=False), about["nominal"]), remainder="passthrough")
    forest = RandomSurvivalForest(trees, min_samples_leaf=leaf, random_state=fold, low_memory=True)
    model = make_pipeline(coding, forest).fit(X, y)
    importances = permutation_importance(model, X, y, n_repeats=repeats, random_state=fold).importances_mean
    names = {"mode": "ssl", "fold": fold, "ranking": "survival_forest", "feature": X.columns}
    found.append(pd.DataFrame(names | {"importance": importances}))
pd.concat(found).to_csv(sys.stdout, index=False)
