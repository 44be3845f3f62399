"""Scores, statuses and configuration of a finished study, and selections for tables and figures."""

from dataclasses import dataclass, field
from functools import cached_property, wraps
from pathlib import Path

import numpy as np
import pandas as pd

from sslrank.benchmark.files import read_table, readable
from sslrank.metrics.averages import area_under_curve, fold_average
from sslrank.metrics.single import MEASURES

#: Statuses of fits that are never run.
UNPLANNED = ("unsupported", "no data")
CURVE = ["task", "dataset", "method", "ranking", "mode"]


def once(make):
    """Compute a table of a study once for each selection, and return copies."""

    @wraps(make)
    def cached(study, *args, **selection):
        return study.cached((make.__name__, str(args), str(selection)), lambda: make(study, *args, **selection)).copy()

    return cached


@dataclass
class StudyData:
    """Scores, statuses and the configuration of one study.

    Attributes
    ----------
    config : dict
        Complete configuration block of the study.
    datasets : DataFrame
        One row per dataset of the study, available or not: dataset, task, available, rows, features, ...
    scores : DataFrame
        Columns of :data:`sslrank.benchmark.files.SCORE_COLUMNS`.
    status : DataFrame
        dataset, task, method, L, and the columns of a status table.
    experiments : dict of str to path-like
        Folders of the tables of the study's experiments.

    Examples
    --------
    >>> datasets = pd.DataFrame({"dataset": ["digits"], "task": ["classification"], "available": [True]})
    >>> scores = pd.DataFrame({"dataset": ["digits"], "method": ["relief"], "ranking": ["relief"], "value": [0.9]})
    >>> study = StudyData({"controls": []}, datasets, scores, pd.DataFrame())
    >>> study.controls, len(study.scores)
    ([], 1)
    """

    config: dict
    datasets: pd.DataFrame
    scores: pd.DataFrame
    status: pd.DataFrame
    experiments: dict = field(default_factory=dict)
    _cache: dict = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self):
        # The ranking of a control has the control's name: the oracle's genie3 is not an entry's.
        is_control = self.scores["method"].isin(self.controls)
        self.scores = self.scores.assign(ranking=self.scores["ranking"].where(~is_control, self.scores["method"]))

    @classmethod
    def load(cls, config, directory, experiments=None):
        """Read the tables that the job `collect` wrote to a folder."""
        read = {part: read_table(Path(directory) / f"{part}.csv") for part in ("datasets", "scores", "status")}
        return cls(config, **read, experiments=dict(experiments or {}))

    def experiment(self, name, table):
        """Read a table of an experiment; empty if there is none."""
        path = Path(self.experiments.get(name, "")) / f"{table}.csv"
        with readable(path):
            return pd.read_csv(path) if path.is_file() else pd.DataFrame()

    def cached(self, key, make):
        """Return `make()`, computed once for each key."""
        if key not in self._cache:
            self._cache[key] = make()
        return self._cache[key]

    @property
    def comparison(self):
        """The block `comparison` of the study."""
        return self.config["comparison"]

    @property
    def controls(self):
        """Methods that are shown but excluded from ranks and tests."""
        return self.config.get("controls", [])

    def ranked(self, table):
        """Select rows of datasets that count in ranks and tests, without those of `comparison: excluded_datasets`."""
        return table[~table["dataset"].isin(self.comparison.get("excluded_datasets", []))]

    @property
    def titles(self):
        """Titles of the methods by name; see :mod:`sslrank.benchmark.results.titles`."""
        return self.config.get("titles", {})

    @once
    def selected(self, *, evaluator=None, measure=None, k=None, L=None):
        """Select scores of one evaluator, measure, k and L; by default those of the block `comparison`.

        Without a measure or k, the first measure of each kind of target and the largest k of each dataset are used.
        Measure and k of the block apply only to its own evaluator.

        Parameters
        ----------
        evaluator : str or dict of str to str, optional
            A dict has one evaluator for each mode.
        measure : str or dict of str to str, optional
            A dict has the measure of those kinds of target that do not use their first.
        k : int or "mean", optional
            "mean" averages over all k (often numbers of features) with defined values.
        L : str, list of str or dict of str to str, optional
            Label budgets to keep; a dict has the budget of each method, and under "default" that of all others.

        Returns
        -------
        DataFrame
            The selected scores, with the column `missing`: the number of planned fits of the curve (all L and folds)
            without a score.
        """
        comparison = self.comparison
        evaluator = evaluator or comparison["evaluator"]
        names = evaluator if isinstance(evaluator, dict) else dict.fromkeys(("ssl", "sl"), evaluator)
        if comparison["evaluator"] in names.values():
            measure = measure or comparison["measure"]
            k = comparison["k"] if k is None else k
        scores = self.scores[self.scores["evaluator"] == self.scores["mode"].map(names)]
        wanted_budgets = comparison.get("L") if L is None else L
        scores = self.with_budgets(scores, wanted_budgets)
        parts = []
        for task, part in scores.groupby("task", sort=False):
            only = measure.get(task) if isinstance(measure, dict) else measure
            part = part[part["measure"] == (only or part["measure"].iloc[0])]
            if k == "mean":
                part = _mean_over_k(part)
            elif part["k"].notna().any():
                largest = part.groupby("dataset")["k"].transform("max")
                part = part[part["k"] == (largest if k is None else k)]
            parts.append(part)
        rows = pd.concat(parts, ignore_index=True) if parts else scores
        return self.with_missing(rows, self.with_budgets(self.status, wanted_budgets))

    def with_missing(self, scores, status):
        """Add the column `missing` to scores of one measure: the number of planned fits of each curve without a score.

        `status` has the planned fits of the same budgets. Unsupported fits do not count, nor do fits with an L that has
        no score at all.
        """
        planned = status[~status["status"].isin(UNPLANNED)].merge(scores[["mode", "L"]].drop_duplicates())
        keys = ["dataset", "method", "mode"]
        planned = planned.groupby(keys).size().rename("planned").reset_index()
        counts = scores.drop_duplicates([*CURVE, "L", "fold"]).groupby(CURVE).size().rename("there").reset_index()
        counts = counts.merge(planned, on=keys, how="left")
        counts["missing"] = (counts["planned"] - counts["there"]).clip(lower=0).fillna(0).astype(int)
        return scores.merge(counts[[*CURVE, "missing"]], on=CURVE, how="left")

    @staticmethod
    def with_budgets(table, requested):
        """Select rows of a table with the columns method and L by label budget, see `selected`."""
        if requested is None:
            return table
        if isinstance(requested, dict):
            budgets = table["method"].map(lambda method: requested.get(method, requested.get("default", "")))
            return table[(budgets == "") | (table["L"] == budgets.astype(str))]
        requested = [requested] if isinstance(requested, str | int) else requested
        return table[table["L"].isin([str(budget) for budget in requested])]

    @once
    def curves(self, **selection):
        """Compute performance over L: fold averages weighted by test-set sizes (ssl-ranking, section 6.5).

        Returns
        -------
        DataFrame
            task, dataset, method, ranking, mode, L, n_labeled, measure, value, standard_error, n_folds, missing,
            higher_is_better, control (whether the method is a control). `n_labeled` is L, or the mean number of labels
            if L is not a number; for `missing` see :meth:`selected`.
        """
        rows = []
        columns = ["value", "n_test", "n_labeled", "missing"]
        for key, (values, n_test, labeled, missing) in _groups(
            self.selected(**selection), [*CURVE, "L", "measure"], columns
        ):
            defined_values = values[~np.isnan(values)]
            spread = defined_values.std(ddof=1) / np.sqrt(len(defined_values)) if len(defined_values) > 1 else np.nan
            budget = key[-2]
            n_labeled = float(budget) if budget.isdigit() else labeled.mean()
            rows.append((*key, n_labeled, fold_average(values, n_test), spread, len(defined_values), int(missing[0])))
        columns = [*CURVE, "L", "measure", "n_labeled", "value", "standard_error", "n_folds", "missing"]
        curves = pd.DataFrame(rows, columns=columns)
        curves["higher_is_better"] = [is_higher_better(name) for name in curves["measure"]]
        curves["control"] = curves["method"].isin(self.controls)
        return curves

    @once
    def areas(self, spacing=None, **selection):
        """Compute the area under each curve.

        Parameters
        ----------
        spacing : str, optional
            Spacing of L instead of that of the block `comparison`.
        **selection
            See :meth:`selected`.

        Returns
        -------
        DataFrame
            task, dataset, method, ranking, mode, measure, higher_is_better, control, area, missing.
        """
        keys = [*CURVE, "measure", "higher_is_better", "control"]
        areas = self._areas(self.curves(**selection), [*keys, "missing"], spacing)
        return areas[[*keys, "area", "missing"]].astype({"control": bool})

    @once
    def fold_areas(self, spacing=None, **selection):
        """Compute the area under the curve of each fold, for the spread between folds; see :meth:`areas`."""
        scores = self.selected(**selection)
        counts = [float(b) if b.isdigit() else n for b, n in zip(scores["L"], scores["n_labeled"], strict=True)]
        areas = self._areas(scores.assign(n_labeled=counts), [*CURVE, "fold", "measure"], spacing)
        areas["higher_is_better"] = [is_higher_better(name) for name in areas["measure"]]
        return areas

    def _areas(self, points, keys, spacing):
        """Compute the area under the curve of the points with the same keys."""
        spacing = spacing or self.comparison["spacing"]
        curves = _groups(points, keys, ["n_labeled", "value"])
        rows = [(*key, area_under_curve(n_labeled, values, spacing=spacing)) for key, (n_labeled, values) in curves]
        return pd.DataFrame(rows, columns=[*keys, "area"])

    @cached_property
    def family_of(self):
        """Family of each method; a method outside of all families is its own family."""
        families = self.comparison["families"]
        return {method: family for family, methods in families.items() for method in methods}

    def entries(self, areas, *, controls=False):
        """Select one method per family, task and ranking: the one with the best average rank.

        Section 7.1 of ssl-ranking takes, for every score, "the most suitable ensemble method"; ties go to the
        method that comes first in the family. The ranks are those of SSL, if the study has it; the other mode uses the
        same method.

        Parameters
        ----------
        areas : DataFrame
            From :meth:`areas`.
        controls : bool, default=False
            Whether to append the controls, each as its own entry; they are excluded from ranks and tests.

        Returns
        -------
        DataFrame
            These rows of `areas`, with the column `entry`: the method's name if it is in no family and has one ranking;
            otherwise the ranking's name, or method and ranking if others have this ranking too.
        """
        from sslrank.stats.rank_tests import average_ranks

        mode = first_mode(areas)
        others = areas[areas["control"]]
        areas = areas[~areas["control"]]
        order = list(self.config["methods"])
        keep = []
        families = areas["method"].map(lambda name: self.family_of.get(name, name))
        for _, part in areas.groupby([areas["task"], families, areas["ranking"]], sort=False):
            methods = sorted(part["method"].unique(), key=order.index)
            if len(methods) > 1:
                table = self.ranked(complete(part[part["mode"] == mode]))
                table = table.assign(oriented=oriented(table, "area"))
                table = table.pivot(index="dataset", columns="method", values="oriented")
                table = table.reindex(columns=methods).dropna()
                if len(table):
                    ranks = average_ranks(table)
                    methods = [ranks[methods].idxmin()]
            keep.append(part[part["method"] == methods[0]])
        entries = pd.concat(keep, ignore_index=True) if keep else areas
        entries["entry"] = _entry_names(entries, self.family_of)
        if controls and len(others):
            return pd.concat([entries, others.assign(entry=others["method"])], ignore_index=True)
        return entries


def first_mode(areas):
    """Return the mode whose ranks decide: "ssl" if there is one."""
    return "sl" if set(areas["mode"]) == {"sl"} else "ssl"


def _entry_names(entries, family_of):
    users, rankings = {}, {}
    pairs = list(zip(entries["method"], entries["ranking"], strict=True))
    for method, ranking in pairs:
        users.setdefault(ranking, set()).add(family_of.get(method, method))
        rankings.setdefault(method, set()).add(ranking)

    def name(method, ranking):
        is_taken = len(users.get(method, ())) == 1 and method not in users[method]  # as the name of another's ranking
        if method not in family_of and len(rankings[method]) == 1 and not is_taken:
            return method
        return ranking if len(users[ranking]) == 1 else f"{method} {ranking}"

    return [name(*pair) for pair in pairs]


def _groups(table, keys, columns):
    """Group a table, in the order of first rows, into keys and arrays of some numeric columns.

    Much faster than a loop over `groupby`, which creates a table for each group.
    """
    if table.empty:
        return
    groups = table.groupby(keys, sort=False).ngroup().to_numpy()
    order = np.argsort(groups, kind="stable")[np.count_nonzero(groups < 0) :]  # without those that lack a key
    starts = np.flatnonzero(np.diff(groups[order], prepend=-1))
    arrays = [np.split(table[name].to_numpy(dtype=np.float64)[order], starts[1:]) for name in columns]
    names = table[keys].iloc[order[starts]].itertuples(index=False, name=None)
    for key, *parts in zip(names, *arrays, strict=True):
        yield key, parts


def _mean_over_k(scores):
    keys = [name for name in scores.columns if name not in ("k", "value")]
    means = scores.groupby(keys, sort=False, dropna=False)["value"].mean().reset_index()
    return means.assign(k=pd.array([pd.NA] * len(means), dtype="Int64"))[scores.columns]


def is_higher_better(measure):
    """Check if higher values of a measure are better; True for unregistered measures.

    A point of an error curve ("ffa rrmse") has the direction of its measure; for an ECA ("eca[1] rrmse") higher is
    better.
    """
    kind, _, name = measure.rpartition(" ")
    name = measure if kind.startswith("eca[") else name
    return MEASURES[name].higher_is_better if name in MEASURES else True


def oriented(table, column):
    """Return values of a column, with the opposite sign for measures whose lower values are better."""
    return table[column].where(table["higher_is_better"], -table[column])


def complete(areas):
    """Select rows of areas or scores without missing fits, for ranks and tests."""
    return areas[areas["missing"] == 0]


def complete_matrix(areas, column="entry", value="area"):
    """Build a complete matrix of datasets by entries for tests; also return the datasets left out.

    Entries without any score are left out, then datasets on which another entry has no score.
    """
    matrix = areas.pivot(index="dataset", columns=column, values=value).dropna(axis=1, how="all")
    full = matrix.dropna(axis=0)
    return full, [name for name in matrix.index if name not in full.index]
