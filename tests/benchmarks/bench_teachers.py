"""Whether other teachers make the distilled forest better, on small datasets of the arena to choose defaults by.

    python tests/benchmarks/bench_teachers.py --out tests/benchmarks/teachers.md

Splits, seeds and judge are those of the study `arena`; so the scores of Extra-Trees of the labelled rows and of
`distilled` are taken from the archive, and only the new students are ranked and judged here. Gradient boosting is
scikit-learn's, as the parameter `teacher`; the graph is a fifth teacher beside the four: labels spread over that of
the ten nearest neighbours of all rows (Zhou et al. 2004), numbers likewise. "Sets needed" is how many datasets it takes
to find such a difference to Extra-Trees with a power of 80 %. `SSLRANK_MIRROR` names a folder of the datasets.
"""

import argparse
import subprocess
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.sparse import diags_array, eye_array
from scipy.sparse.linalg import splu
from scipy.stats import t as student
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.neighbors import kneighbors_graph

from sslrank.benchmark.archive.store import read_listed
from sslrank.benchmark.results.tables.arena import sets_needed
from sslrank.benchmark.submit.judging import score_ranker
from sslrank.benchmark.submit.ranks import archive_plan
from sslrank.core.columns import design_matrix
from sslrank.rankers.distilled import DistilledForest

#: Small ones of the half to choose by, of every shape and of four kinds of target.
DATASETS = ["ionosphere", "colon", "arrhythmia", "collembolaV2", "soil_quality", "birds", "australian", "breast-cancer"]
DATASETS += ["mortgage", "treasury", "madelon", "phishing"]
BUDGETS = ["20", "50"]
BOOSTING = {"min_samples_leaf": 3, "max_iter": 50}
#: Weight of the neighbours, as in scikit-learn's LabelSpreading.
ALPHA = 0.8


class WithGraph(DistilledForest):
    """The four teachers, and the graph as the fifth."""

    def teach(self, features, targets, labeled, seed):
        """Predict every row from the labelled ones."""
        return (4 * super().teach(features, targets, labeled, seed) + spread(features, targets, labeled)) / 5


class Boosting(DistilledForest):
    """Gradient boosting is the teacher."""

    def teach(self, features, targets, labeled, seed):
        """Predict every row from the labelled ones."""
        numbers = targets.task in ("regression", "multitarget")
        self.teacher = (HistGradientBoostingRegressor if numbers else HistGradientBoostingClassifier)(**BOOSTING)
        return super().teach(features, targets, labeled, seed)


def spread(features, targets, labeled):
    """Means of the labelled rows' targets, weighted by (I - alpha S)^-1 of the graph of nearest neighbours."""
    X = design_matrix(features, slice(None)).values
    graph = kneighbors_graph(X, min(10, len(X) - 1), mode="connectivity")
    graph = graph.maximum(graph.T)
    root = diags_array(1 / np.sqrt(np.maximum(np.asarray(graph.sum(axis=1)).ravel(), 1)))
    solve = splu((eye_array(len(X)) - ALPHA * root @ graph @ root).tocsc()).solve
    values = targets.values[labeled]
    if targets.task == "classification":
        values = np.eye(targets.n_classes)[values[:, 0].astype(int)]
    known = ~np.isnan(values)
    start, mass = np.zeros((len(X), values.shape[1])), np.zeros((len(X), values.shape[1]))
    start[labeled], mass[labeled] = np.where(known, values, 0.0), known
    mean = np.where(known, values, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    # Where no label reaches, the mean of all.
    reached = solve(mass)
    return np.where(reached > 1e-9, solve(start) / np.maximum(reached, 1e-9), mean)


def judged(plan, dataset):
    """Areas of the rankings of a dataset, in points, averaged over the splits: a row for each ranking and L."""
    what = plan.results("arena").heads[dataset, "consensus"].what
    what = what | {"evaluators": {"arena": what["evaluators"]["arena"] | {"L": BUDGETS}}}
    known = read_listed(f"results/archive/arena/{dataset}/consensus.parquet").parts["score"]
    known = known[known["L"].isin(BUDGETS) & known["ranking"].isin(["extra_trees", "distilled"])]
    parts = [known]
    for name in ("Boosting", "WithGraph"):
        spec = {"ranker": f"{__name__}:{name}", "name": name, "params": {}}
        _, scores, fits = score_ranker(spec, what, "arena", plan.catalogue[dataset], plan.data)
        if (fits["status"] != "ok").any():
            raise RuntimeError(f"{dataset}, {name}: {fits.loc[fits['status'] != 'ok', 'message'].iloc[0]}")
        print(f"{dataset}, {name}: done", flush=True)
        parts.append(scores)
    table = pd.concat(parts, ignore_index=True)
    table = table[table["measure"] == "area"].assign(dataset=dataset, value=lambda areas: areas["value"] * 100)
    return table.groupby(["dataset", "L", "ranking"])["value"].mean().reset_index()


def lines(frame):
    """A line for each ranking and L: the difference to Extra-Trees, and to today's teachers, with 95 % intervals."""
    yield "| teachers | L | minus Extra-Trees (95 % interval) | better, worse | sets needed | minus today's |"
    yield "|---|---|---|---|---|---|"
    names = {"distilled": "four: today's", "Boosting": "gradient boosting", "WithGraph": "today's and the graph"}
    for budget in (*BUDGETS, "all"):
        part = frame if budget == "all" else frame[frame["L"] == budget]
        wide = part.groupby(["dataset", "ranking"])["value"].mean().unstack()
        for name, said in names.items():
            gains = wide[name] - wide["extra_trees"]
            beside = "" if name == "distilled" else _interval(wide[name] - wide["distilled"])
            count = f"{(gains > 0).sum()}, {(gains < 0).sum()}"
            yield f"| {said} | {budget} | {_interval(gains)} | {count} | {sets_needed(gains):.0f} | {beside} |"


def _interval(gains):
    reach = student.ppf(0.975, len(gains) - 1) * gains.sem()
    return f"{gains.mean():+.2f} ({gains.mean() - reach:+.2f} to {gains.mean() + reach:+.2f})"


def main():
    """Judge, print and write."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--datasets", nargs="+", default=DATASETS)
    parser.add_argument("--out", type=Path, help="file to write, with the command and the commit")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    plan, _ = archive_plan("config.yaml", "arena")
    frame = pd.concat([judged(plan, dataset) for dataset in arguments.datasets])
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    text = [f"`python tests/benchmarks/bench_teachers.py`, commit {commit}; {frame['dataset'].nunique()} datasets:\n"]
    text += [*lines(frame), ""]
    print("\n".join(text))
    if arguments.out:
        arguments.out.write_text("\n".join(text), encoding="utf-8")


if __name__ == "__main__":
    main()
