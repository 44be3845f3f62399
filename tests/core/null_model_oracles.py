"""Write null_model_oracles.json: what scikit-survival and lifelines give for the made tables of test_null_model.py.

pip install scikit-survival lifelines
python tests/core/null_model_oracles.py
"""

import json
from importlib.metadata import version
from pathlib import Path

import lifelines
import numpy as np
import pandas as pd
from sksurv.compare import compare_survival
from sksurv.linear_model import CoxPHSurvivalAnalysis
from sksurv.metrics import concordance_index_censored
from test_null_model import late_entry, survival


def main():
    time, event, Z = survival()
    y = np.array(list(zip(event > 0, time, strict=True)), dtype=[("event", bool), ("time", float)])
    X = (Z - Z.mean(axis=0)) / Z.std(axis=0)
    nelson_aalen = lifelines.NelsonAalenFitter(nelson_aalen_smoothing=False).fit(time, event)
    cox = CoxPHSurvivalAnalysis(ties="breslow", tol=1e-15, n_iter=500).fit(X, y)
    exact = survival(ties=False)[0]
    frame = pd.DataFrame(Z, columns=["age", "sex"]).assign(time=exact, event=event)
    frame["entry"], frame["stratum"] = late_entry(exact)
    fitter = lifelines.CoxPHFitter()
    found = [
        fitter.fit(frame.drop(columns=["entry", "stratum"]), "time", "event").summary,
        fitter.fit(frame, "time", "event", entry_col="entry", strata=["stratum"]).summary,
    ]
    values = {
        "hazard_ratios": [summary.loc["age", ["coef", "se(coef)"]] for summary in found],
        "log_rank_sums": compare_survival(y, Z[:, 1], return_stats=True)[2]["statistic"],
        "hazard": nelson_aalen.cumulative_hazard_at_times(time),
        "cox_residuals": event - cox.cum_baseline_hazard_(time) * np.exp(X @ cox.coef_),
        "c_index": [concordance_index_censored(event > 0, time, x)[0] for x in (Z[:, 0].round(-1), Z[:, 1])],
    }
    written = {"versions": {name: version(name) for name in ("scikit-survival", "lifelines")}}
    written |= {name: np.asarray(value, float).tolist() for name, value in values.items()}
    Path(__file__).with_suffix(".json").write_text(json.dumps(written) + "\n")


if __name__ == "__main__":
    main()
