"""Controls: SSL minus SL of equal weights."""

from sslrank.benchmark.results.study import complete
from sslrank.benchmark.results.tables.areas import CONTROL, NEIGHBORS, mode_differences, share_growing
from sslrank.benchmark.results.tables.registry import table


@table("SSL minus SL of equal weights, due to the evaluator alone", keys=["task", "dataset"], values=["delta"])
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


@table("Share of datasets on which SSL makes equal weights more global", keys=["task"], values=["share_delta_positive"])
def control_global_share(study, evaluator=None):
    """Share of datasets on which the control's difference grows with k (ssl-ranking, Table 7, without a ranking)."""
    shares = {
        k: _of(complete(study.areas(k=k, evaluator=evaluator))).set_index(["task", "dataset"])["delta"]
        for k in NEIGHBORS
    }
    return share_growing(shares, "n_datasets")
