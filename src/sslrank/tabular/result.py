"""The result of ranking a table: the ranking, its tests, intervals, curve and checks."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from os import PathLike
from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd

from sslrank.core.coded_table import CodedTable
from sslrank.core.messages import RENAMED, counted, listed, nearest, suggestion
from sslrank.core.validation import check_count
from sslrank.hypothesis_tests.adjusted_effects import ODDS_RATIO
from sslrank.hypothesis_tests.combining import q_values
from sslrank.hypothesis_tests.conditional import ConditionalTests
from sslrank.hypothesis_tests.half_samples import MIN_PAIRS, HalfSampleRanks
from sslrank.hypothesis_tests.pairs import Pairs
from sslrank.hypothesis_tests.related import FDR, Related
from sslrank.stats.stability import selection_stability
from sslrank.tabular.fits.settings import MAX_TOP, RankingSettings
from sslrank.tabular.output.answer import Answer, make_answer
from sslrank.tabular.output.recipe import recipe_of
from sslrank.tabular.output.record import SCHEMA, record, today
from sslrank.tabular.schema.null_target import UNLABELED
from sslrank.tabular.schema.table import OwnTable
from sslrank.tabular.trust.effects import (
    DEVIATION_COLUMNS,
    areas_by_class,
    effects,
    effects_of_deviations,
    effects_of_ends,
)
from sslrank.tabular.trust.joint import Joint
from sslrank.tabular.trust.order import joint_ranks
from sslrank.tabular.trust.redundancy import Redundancy
from sslrank.tabular.trust.stability.feature_curve import Curve
from sslrank.tabular.trust.stability.unlabeled import Unlabeled

#: Most and fewest of the best features whose effects for one standard deviation are estimated, and the limit of their
#: number times that of rows: bounds on time.
_MOST_DEVIATIONS, _FEWEST_DEVIATIONS, _DEVIATION_CELLS = 100, 10, 3_000_000
#: Packages whose versions are saved.
PACKAGES = ("numpy", "scipy", "scikit-learn")
#: Kinds of :meth:`Ranking.plot`, functions of :mod:`sslrank.tabular.output.figures`.
PICTURES = ("ranks", "curve")


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Ranking:
    """Result of :func:`sslrank.rank`.

    Attributes
    ----------
    table : sslrank.tabular.schema.table.OwnTable
    coded : sslrank.core.coded_table.CodedTable
        The rows that are ranked, encoded as numbers.
    importances : dict of str to ndarray of shape (D,)
        Importances by each method, from all rows; higher is better.
    ranks : dict of str to ndarray of shape (D,)
        Ranks by each method, from all rows; 1 is the best, ties get their mean rank.
    failures : dict of str to str
        Methods that failed, with the reason.
    notes : sequence of str
    top : int
        Number of best features that count as selected in a half-sample.
    seed : int
    settings : sslrank.tabular.fits.settings.RankingSettings
        The options as they were given.
    tests : sslrank.hypothesis_tests.related.Related
        Which features are related to the target.
    pairs : sslrank.hypothesis_tests.pairs.Pairs
        Which pairs of features are related to it together.
    joint : sslrank.tabular.trust.joint.Joint or None
        Whether all features together predict it; only where no feature and no pair is shown to be related.
    conditional : sslrank.hypothesis_tests.conditional.ConditionalTests or None
        Which features add information beyond the others.
    blocks : DataFrame or None
        Named blocks, each ranked and tested as one; see
        :func:`sslrank.tabular.trust.named_blocks.tests_of_blocks`.
    samples : sslrank.hypothesis_tests.half_samples.HalfSampleRanks or None
    curve : sslrank.tabular.trust.stability.feature_curve.Curve or None
    unlabeled : sslrank.tabular.trust.stability.unlabeled.Unlabeled or None
    redundancy : sslrank.tabular.trust.redundancy.Redundancy or None
    checks : list of sslrank.tabular.trust.check.Check
    by_target : DataFrame or None
        For several targets or labels: importance of each feature (rows) for each target, by the first method
        that provides it.
    command : str
        The command that made the ranking, as it was typed; empty in Python.
    saved : str
        The folder or file with the result; empty if it was not written.
    date : str
        Date of the ranking, as 2020-12-31.
    schema : int
        Version of the fields of :meth:`to_dict`.
    version, packages : str, dict of str to str
        Versions of sslrank, and of the packages that computed the result.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sslrank import rank
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> ranking = rank(X, y, methods="f_score", effort="order")
    >>> ranking.best(2)
    ['petal length (cm)', 'petal width (cm)']
    >>> ranking.to_frame()[["rank", "mean_rank"]].head(1)
       rank  mean_rank
    0     1        1.0
    """

    table: OwnTable
    coded: CodedTable
    importances: dict
    ranks: dict
    failures: dict
    notes: Sequence = ()
    top: int
    seed: int
    settings: RankingSettings
    tests: Related
    pairs: Pairs = field(default_factory=Pairs)
    joint: Joint | None = None
    conditional: ConditionalTests | None = None
    blocks: pd.DataFrame | None = None
    samples: HalfSampleRanks | None = None
    curve: Curve | None = None
    unlabeled: Unlabeled | None = None
    redundancy: Redundancy | None = None
    checks: Sequence = ()
    by_target: pd.DataFrame | None = None
    command: str = ""
    saved: str = ""
    date: str = field(default_factory=today)

    schema = SCHEMA
    version = version("sslrank")
    packages = property(lambda self: {name: version(name) for name in PACKAGES}, doc="Versions of the packages used.")

    if not TYPE_CHECKING:  # type checkers would accept any attribute

        def __getattr__(self, name):
            """Raise AttributeError, with the new name of an attribute of earlier versions."""
            hint = nearest(name, [*type(self).__dataclass_fields__, *dir(type(self))], RENAMED)
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}{hint}")

    @property
    def n_pairs(self) -> int:
        """Number of pairs of half-samples behind the intervals; 0 means none."""
        return 0 if self.samples is None else self.samples.n_pairs

    @property
    def methods(self) -> list[str]:
        """Names of the methods that ranked the features."""
        return list(self.ranks)

    @property
    def n_ranked_rows(self) -> int:
        """Number of rows that were used; a large table is sampled."""
        return len(self.coded.X)

    @property
    def mean_rank(self) -> np.ndarray:
        """Mean rank over the methods, from all rows, shape (D,)."""
        return np.mean(list(self.ranks.values()), axis=0)

    @property
    def order(self) -> np.ndarray:
        """Indices of the features, best first, by :func:`sslrank.tabular.trust.significance.joint_ranks`."""
        return np.argsort(joint_ranks(list(self.ranks.values()), self.tests, self.pairs), kind="stable")

    @property
    def place(self) -> np.ndarray:
        """Rank of each feature in :attr:`order`, shape (D,); 1 is the best."""
        places = np.empty(len(self.order))
        places[self.order] = np.arange(1, len(places) + 1)
        return places

    @property
    def adding(self) -> np.ndarray:
        """Indices of related features that add information beyond the others, best first; empty if not tested."""
        both = [] if self.conditional is None else np.intersect1d(self.conditional.named, self.tests.related)
        return self.order[np.isin(self.order, both)]

    @property
    def n_adding_blocks(self) -> int | None:
        """Number of blocks of correlated features in :attr:`adding`; None if not tested."""
        return None if self.conditional is None else self.conditional.n_blocks(self.adding)

    @property
    def together(self) -> np.ndarray:
        """Indices of features that are related only together with others, best first."""
        features = np.setdiff1d(self.pairs.features, self.tests.related)
        return self.order[np.isin(self.order, features)]

    @property
    def given_others(self) -> np.ndarray:
        """Indices of features that add information beyond the others, but are not shown to be related, best first.

        Features of the block of one that is shown to be related, such as indicators of one category, are left out.
        """
        if self.conditional is None:
            return self.order[:0]
        blocks, shown = self.conditional.blocks, [*self.tests.related, *self.pairs.features]
        named = [j for j in self.conditional.named if blocks[j] not in blocks[shown]]
        return self.order[np.isin(self.order, named)]

    @property
    def stability(self) -> float | None:
        """Stability of the `top` best features over the half-samples (Nogueira et al. 2018, Eq. 4).

        Returns
        -------
        float or None
            1 for always the same features, 0 for random ones. None without half-samples, or if all features count as
            selected.
        """
        if self.samples is None:
            return None
        value = selection_stability(self.samples.selected(self.top, self.seed)).value
        return None if np.isnan(value) else value

    def to_frame(self) -> pd.DataFrame:
        """Return the ranking as a table, best feature first; cached, so later changes of attributes have no effect.

        Returns
        -------
        DataFrame
            Of polars if X was one, else of pandas. With the columns feature; rank; mean_rank over the methods; low and
            high, the 80 % interval of the rank (only of related features, and from five pairs of half-samples on);
            selected, the share of half-samples where the feature is among the best `top`; p and q for the relation with
            the target; conditional_p and conditional_q for information beyond the other features; copy_of, the better
            feature of which this is a near-duplicate; together_with, features of pairs that are related together; kind;
            direction; effect, effect_low and effect_high (95 % interval); effect_measure (AUC, Spearman, partial r, C
            index, Cramér's V or eta²); effect_of, the class or target it refers to; of a time with events hazard_ratio,
            hazard_low and hazard_high (95 % interval), for one standard deviation, given the columns that are adjusted
            for; of two classes odds_ratio, odds_low and odds_high of the second (or the positive) one, and of a number
            slope, slope_low and slope_high likewise; alone_q, from the tests of the feature alone; ends, the effect of
            both ends of a feature where these are the relation; given, the features given which it is related, if it is
            not alone; rank:METHOD and importance:METHOD of each method. With more than two classes AUC:CLASS of each
            class against the rest, with several targets target:NAME, as in :attr:`by_target`.
        """
        frame = self.features.copy()
        if (names := self.table.names) is not None:
            for column in ("feature", "copy_of"):
                given = [names.given(text) for text in frame[column]]
                if given != frame[column].tolist():
                    frame[column] = pd.Series(given, dtype=object)
        if self.table.is_polars:
            import polars

            return polars.from_pandas(frame)
        return frame

    @cached_property
    def features(self) -> pd.DataFrame:
        """:meth:`to_frame` with feature names as strings."""
        mean, order = self.mean_rank, self.order
        names = [str(name) for name in self.table.X.columns]
        missing = np.full(len(mean), np.nan)
        low = high = selected = conditional_p = conditional_q = missing
        if self.samples is not None:
            selected = self.samples.selected(self.top, self.seed).mean(axis=0)
            if self.n_pairs >= MIN_PAIRS:
                related = np.isin(np.arange(len(mean)), self.tests.related)
                low, high = self.samples.intervals(self.place, self.tests.q_values)
                low, high = np.where(related, low, np.nan), np.where(related, high, np.nan)
        if self.conditional is not None:
            conditional_p, conditional_q = self.conditional.p_values, self.conditional.q_values
        leader = np.arange(len(mean)) if self.redundancy is None else self.redundancy.near_duplicates
        columns = {
            "feature": names,
            "mean_rank": mean,
            "low": low,
            "high": high,
            "selected": selected,
            "p": self.tests.p_values,
            "q": self.tests.q_values,
            "conditional_p": conditional_p,
            "conditional_q": conditional_q,
            "copy_of": ["" if leader[j] == j else names[leader[j]] for j in range(len(mean))],
            "together_with": [", ".join(names[k] for k in self.pairs.partners(j)) for j in range(len(mean))],
            "kind": ["nominal" if nominal else "numeric" for nominal in self.coded.nominal],
            **{name: self.effects[name].to_numpy() for name in ("direction", "effect")},
            **{f"effect_{name}": self.effects[name].to_numpy() for name in ("low", "high", "measure", "of")},
            **self.deviation_effects.to_dict("series"),
            "alone_q": q_values(self.tests.parts["alone"]),
            "ends": self._ends,
            "given": self._given,
        }
        for name, parts in (("AUC", self.areas_by_class), ("target", self.by_target)):
            columns |= {} if parts is None else {f"{name}:{part}": parts[part].to_numpy() for part in parts}
        for method, importances in self.importances.items():
            columns[f"rank:{method}"] = self.ranks[method]
            columns[f"importance:{method}"] = importances
        frame = pd.DataFrame(columns).iloc[order].reset_index(drop=True)
        frame.insert(1, "rank", np.arange(1, len(frame) + 1))
        return frame

    @property
    def _given(self):
        """Features given which others are related, if these are not alone, as texts."""
        alone, names, texts = q_values(self.tests.parts["alone"]), list(map(str, self.table.X)), [""] * len(self.order)
        for j in self.tests.related:
            texts[j] = listed(names[k] for k in self.tests.given[j]) if alone[j] > FDR else ""
        return texts

    @property
    def _ends(self):
        """Effects of the ends of related features whose strongest relation is that of their ends, else empty."""
        texts, by_ends = [""] * len(self.order), self.tests.by_ends
        chosen = np.array([j for j in self.tests.related if by_ends is not None and by_ends[j]], dtype=np.intp)
        found = effects_of_ends(self.coded, chosen, self.table.target_names) if len(chosen) else []
        for j, text in zip(chosen, found, strict=True):
            texts[j] = text
        return texts

    @cached_property
    def effects(self) -> pd.DataFrame:
        """Effect size of each feature alone, a row for each column of the table.

        Columns as :func:`sslrank.tabular.trust.effects.effects` returns them.
        """
        return effects(self.coded, self.table.target_names, share=self.tests.independent)

    @cached_property
    def areas_by_class(self) -> pd.DataFrame | None:
        """AUC of each class against the rest, a row for each column; None with fewer than three classes."""
        is_class = self.coded.task == "classification" and self.coded.targets.n_classes > 2
        return areas_by_class(self.coded) if is_class else None

    @cached_property
    def deviation_effects(self) -> pd.DataFrame:
        """Effects for one standard deviation, given the columns that are adjusted for and the strata, of best features.

        Hazard ratios, odds ratios of the second (or the positive) class, or slopes, by
        :func:`sslrank.hypothesis_tests.adjusted_effects.adjusted_effects`; a row for each column of the table.
        """
        rows, table = self.coded.labeled, self.table
        count = max(_FEWEST_DEVIATIONS, min(_MOST_DEVIATIONS, _DEVIATION_CELLS // max(len(rows), 1)))
        deviations, strata = table.features.deviations, None
        if table.row_columns.strata is not None:
            strata = np.zeros(len(self.coded.X), dtype=np.intp)
            strata[rows] = table.row_columns.strata[table.labeled]
        found = effects_of_deviations(
            self.coded, np.array([deviations.get(name, np.nan) for name in table.X]) if deviations else None,
            self.order[:count], strata=strata, share=self.tests.independent,
        )  # fmt: skip
        ends, classes = (found.estimate, found.low, found.high), self.coded.targets.classes
        if found.measure == ODDS_RATIO and classes is not None and classes[-1] == UNLABELED:  # of the positive ones
            ends = (1 / found.estimate, 1 / found.high, 1 / found.low)
        return pd.DataFrame(dict(zip(DEVIATION_COLUMNS.get(found.measure, ()), ends, strict=False)))

    @property
    def recipe(self) -> dict:
        """Options, and how each column was read; ``rank(like=)`` ranks another table by them."""
        return recipe_of(self.table, self.settings)

    @cached_property
    def answer(self) -> Answer:
        """The answer in sentences, as a :class:`sslrank.tabular.output.answer.Answer`."""
        return make_answer(self)

    @property
    def n_enough(self) -> int:
        """Suggested number of features: the fewest that are enough, else the related ones, else `top`."""
        return self._enough()[0]

    @property
    def why_enough(self) -> str:
        """Where :attr:`n_enough` comes from, in words."""
        return self._enough()[1]

    def _enough(self):
        if self.curve is not None and self.curve.is_conclusive:
            return self.curve.enough, "enough by the curve"
        if n_shown := len(self.tests.related) + len(self.together):
            return n_shown, "related to the target"
        return self.top, "the default, since neither a curve nor a test gives a number"

    def best(self, count: int | None = None) -> list[str]:
        """Return the names of the `count` best features; the default is :attr:`n_enough`."""
        check_count("count", count, words=[None])
        return list(self.to_frame()["feature"][: count or self.n_enough])

    def short_list(self, count: int | None = None) -> list[str]:
        """Return the names of the best features, without near-duplicates of better ones.

        Parameters
        ----------
        count : int, optional
            Number of names; by default those that remain of the best :attr:`n_enough` features.
        """
        check_count("count", count, words=[None])
        return self._without_copies(count)

    def _without_copies(self, count=None, names=None):
        is_first, names = self.features["copy_of"] == "", self.best(len(self.features)) if names is None else names
        limit = len(names) if count else self.n_enough
        return [name for name, first in zip(names[:limit], is_first, strict=False) if first][:count]

    def to_dict(self) -> dict:
        """Convert the result to a dict of plain values, for JSON; the guide lists its fields."""
        fields = record(self, [str(name) for name in self.table.X.columns])
        return fields | {"short_list": self._without_copies(names=list(self.features["feature"]))}

    def save_html(self, path: str | PathLike) -> None:
        """Write the page of the ranking as one HTML file, which needs no network.

        Parameters
        ----------
        path : path-like

        Raises
        ------
        DataError
            If the file cannot be written.
        """
        from sslrank.tabular.output.files import write
        from sslrank.tabular.output.html import document

        write(path, document(self))

    def plot(self, kind: Literal["ranks", "curve"] = "ranks", *, count: int = MAX_TOP, ax=None) -> object:
        """Plot the ranking with matplotlib.

        Parameters
        ----------
        kind : str, default="ranks"
            "ranks": the best features with the intervals of their ranks. "curve": score against the number of features.
        count : int, default=20
            Number of features in the picture of ranks.
        ax : matplotlib Axes, optional

        Returns
        -------
        matplotlib.figure.Figure

        Raises
        ------
        ValueError
            If the kind is unknown, or the ranking lacks the data for it.
        TypeError
            If `ax` is not an Axes.
        """
        if kind not in PICTURES:
            raise ValueError(f"unknown kind of picture {kind!r}; {suggestion(str(kind), PICTURES)}")
        check_count("count", count)
        from sslrank.tabular.output import figures

        return getattr(figures, kind)(self, count, ax)

    def __str__(self):
        from sslrank.tabular.output.report import screen

        return "\n".join(screen(self))

    def __repr__(self):
        best = ", ".join(self.features["feature"][:5])
        return f"<Ranking of {counted(self.table.X.shape[1], 'feature')} by {', '.join(self.ranks)}; the best: {best}>"

    def _repr_html_(self):
        from sslrank.tabular.output.html import fragment

        return fragment(self)
