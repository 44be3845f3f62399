"""Controls: scores relative to a random ranking and an oracle, and SSL minus SL of equal weights."""

import numpy as np

from sslrank.benchmark.results.control_tests import RANKING, control_values, p_values, significantly_better
from sslrank.benchmark.results.study import complete, turned
from sslrank.benchmark.results.tables.areas import CONTROL, NEIGHBORS, mode_differences, share_growing
from sslrank.benchmark.results.tables.leaders import ONE, ZERO
from sslrank.benchmark.results.tables.registry import table

COLUMNS = [*RANKING, "control", "measure", "area", "relative", "beyond", "p_value", "better_than_random", "note"]


@table("Scores between a random ranking (0) and an oracle (1)", keys=RANKING, values=["relative"], kind="score")
def relative_scores(study, measure=None):
    """Areas on a scale on which a random ranking is 0 and an oracle with all labels is 1.

    `relative` is empty if the oracle is not better than the random ranking; `note` reports this, and a lead of the
    oracle that is not significant, which makes `relative` unreliable. `beyond` is the difference from the random
    ranking, positive if better, `p_value` that of its corrected resampled t-test over the folds, and
    `better_than_random` whether it is positive and significant. Each fold and L has its own random ranking, so that
    their mean is over many. Curves with missing fits are left out.
    """
    areas = _turned(study, complete(study.areas(measure=measure)))
    folds = _turned(study, study.fold_areas(measure=measure))
    bottom, top = (control_values(areas, control, "turned") for control in (ZERO, ONE))
    found = areas.assign(beyond=areas["turned"] - bottom)
    found["relative"] = (found["beyond"] / (top - bottom)).where(top > bottom)
    found = found.merge(p_values(study, folds, ZERO, "turned"), on=RANKING, how="left")
    found["better_than_random"] = significantly_better(found, "beyond")
    lead = control_values(found.assign(better=found["better_than_random"].eq(True)), ONE, "better") == 1
    cases = [np.isnan(top - bottom), ~(top > bottom), ~lead]
    notes = ["a control is missing", "the oracle is not better than random", "the oracle's lead is not significant"]
    found["note"] = np.select(cases, notes, "")
    return found[COLUMNS]


def _turned(study, areas):
    """Return areas of rankings of all rows, with the column `turned`, of which higher is better."""
    if len(study.config["modes"]) > 1:
        areas = areas[areas["mode"] == "ssl"]
    return areas.assign(turned=turned(areas, "area"))


@table("Gain of SSL from the judge alone", keys=["task", "dataset"], values=["delta"], kind="difference")
def control_ssl_minus_sl(study, k=None, evaluator=None, measure=None):
    """SSL minus SL areas of equal weights, a difference due to the evaluator.

    It is compared with the published differences between rankings. `spread` is the standard error over the folds.
    """
    selection = {"k": k, "evaluator": evaluator, "measure": measure}
    delta, folds = _of(complete(study.areas(**selection))), _of(study.fold_areas(**selection))
    spread = folds.groupby(["task", "dataset"])["delta"].sem().rename("spread").reset_index()
    return delta.merge(spread, on=["task", "dataset"], how="left")[["task", "dataset", "measure", "delta", "spread"]]


def _of(areas):
    keys = ["task", "dataset", "measure", "higher_is_better", *(["fold"] if "fold" in areas.columns else [])]
    return mode_differences(areas[areas["method"] == CONTROL], keys)


@table("Share of datasets on which the judge alone gains with k", keys=["task"], values=["share_delta_positive"])
def control_global_share(study, evaluator=None):
    """Share of datasets on which the control's difference grows with k (ssl-ranking, Table 7, without a ranking)."""
    found = {
        k: _of(complete(study.areas(k=k, evaluator=evaluator))).set_index(["task", "dataset"])["delta"]
        for k in NEIGHBORS
    }
    return share_growing(found, "n_datasets")
