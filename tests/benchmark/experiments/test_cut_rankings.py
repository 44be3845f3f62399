import numpy as np
import pandas as pd
from sklearn.datasets import load_wine

from sslrank.benchmark.experiments import cut_rankings
from sslrank.core.base import BaseRanker


class CutAtThree(BaseRanker):
    """Ranks by the correlation with the target, and calls three features related, two enough."""

    tasks = frozenset({"classification"})
    curve: bool = False

    def rank_coded(self, features, targets):
        self.n_related_, self.n_enough_ = 3, 2
        known = targets.labeled
        return np.abs(np.corrcoef(features.values[known].T, targets.values[known].T)[-1, :-1])


def test_false_discoveries_and_omissions_are_counted():
    (part,) = cut_rankings.parts(["wine"], [100], f"{__name__}:CutAtThree", 2, 3).values()
    found = cut_rankings.experiment(seed=1, **part)["found"].set_index(["ranking", "repetition"])
    assert found.loc["sslrank: related", "chosen"].tolist() == [3, 3]
    assert found.loc["sslrank: enough", "chosen"].tolist() == [2, 2]
    assert (found.loc["sslrank: enough", "omitted"] >= 0.5).all()  # two of four columns at most
    assert found["false"].between(0, 1).all()
    assert (found["omitted"] * 4 % 1 == 0).all()
    assert found.loc["sslrank: related", "false"].mean() < 0.34
    summary = cut_rankings.join({"found": found.reset_index()})["summary"].set_index(["data", "theta", "ranking"])
    assert len(summary) == 10
    everything = summary.loc[("all", "all", "F + Benjamini-Hochberg")]
    assert everything["tables"] == 2
    assert everything["omissions"] == found.loc["F + Benjamini-Hochberg", "omitted"].mean()


def test_a_made_target_depends_on_its_columns():
    rng = np.random.default_rng(0)
    columns = load_wine().data[:, :4]
    y = pd.Series(cut_rankings.made_target(columns, rng))
    assert y.mean() == 0.5
    related = np.abs(np.corrcoef(columns.T, y)[-1, :-1])
    assert related[1:].max() > 0.2
