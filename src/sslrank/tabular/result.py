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
from sslrank.core.messages import RENAMED, counted, nearest, suggestion
from sslrank.core.validation import check_count
from sslrank.hypothesis_tests.conditional import ConditionalTests
from sslrank.hypothesis_tests.half_samples import HalfSampleRanks
from sslrank.hypothesis_tests.pairs import Pairs
from sslrank.hypothesis_tests.related import Related
from sslrank.stats.stability import selection_stability
from sslrank.tabular.fits.settings import MAX_TOP, RankingSettings
from sslrank.tabular.output.answer import Answer, make_answer
from sslrank.tabular.output.feature_table import as_given, feature_table
from sslrank.tabular.output.json_fields import SCHEMA, plain_values, today
from sslrank.tabular.output.recipe import recipe_of
from sslrank.tabular.schema.table import OwnTable
from sslrank.tabular.trust.effects import effects
from sslrank.tabular.trust.joint import Joint
from sslrank.tabular.trust.redundancy import Redundancy
from sslrank.tabular.trust.stability.feature_curve import Curve
from sslrank.tabular.trust.stability.unlabeled import Unlabeled

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
    order : ndarray of shape (D,), int
        Indices of the features, best first, by :func:`sslrank.tabular.trust.procedure.joint_ranks`.
    adding : ndarray of int
        Indices of related features that add information beyond the others, best first; empty if not tested.
    n_adding_blocks : int or None
        Number of blocks of correlated features in :attr:`adding`; None if not tested.
    together : ndarray of int
        Indices of features that are related only together with others, best first.
    given_others : ndarray of int
        Indices of features that add information beyond the others, but are not shown to be related, best first.
    n_enough : int
        Suggested number of features: the fewest that are enough, else the related ones, else `top`.
    why_enough : str
        Where :attr:`n_enough` comes from, in words.
    blocks : DataFrame or None
        Named blocks, each ranked and tested as one; see
        :func:`sslrank.tabular.trust.procedure.tests_of_blocks`.
    samples : sslrank.hypothesis_tests.half_samples.HalfSampleRanks or None
    stability : float or None
        Stability of the `top` best features over the half-samples (Nogueira et al. 2018, Eq. 4). 1 for always the same
        features, 0 for random ones; None without half-samples, or if all features count as selected.
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
    order: np.ndarray
    n_enough: int
    why_enough: str
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
    packages = property(lambda self: {name: version(name) for name in PACKAGES})

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
    def rank_of(self) -> np.ndarray:
        """Rank of each feature in :attr:`order`, shape (D,); 1 is the best."""
        ranks = np.empty(len(self.order))
        ranks[self.order] = np.arange(1, len(ranks) + 1)
        return ranks

    @property
    def adding(self) -> np.ndarray:
        """Related features that add information beyond the others, as indices, best first."""
        named = [] if self.conditional is None else np.intersect1d(self.conditional.named, self.tests.related)
        return self._in_order(named)

    @property
    def n_adding_blocks(self) -> int | None:
        """Number of blocks of correlated features in :attr:`adding`."""
        return None if self.conditional is None else self.conditional.n_blocks(self.adding)

    @property
    def together(self) -> np.ndarray:
        """Features that are related only together with others, as indices, best first."""
        return self._in_order(np.setdiff1d(self.pairs.features, self.tests.related))

    @property
    def given_others(self) -> np.ndarray:
        """Features that add information beyond the others, but are not shown to be related, as indices, best first.

        Features of the block of one that is shown to be related, such as indicators of one category, are left out.
        """
        if self.conditional is None:
            return self._in_order([])
        blocks, shown = self.conditional.blocks, [*self.tests.related, *self.pairs.features]
        return self._in_order([j for j in self.conditional.named if blocks[j] not in blocks[shown]])

    def _in_order(self, features):
        return self.order[np.isin(self.order, features)]

    @cached_property
    def stability(self) -> float | None:
        """Stability of the `top` best features over the half-samples."""
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
        return as_given(self.features.copy(), self.table)

    # Computed when first read, as effects take up to half the time of a ranking, and studies read only the order.

    @cached_property
    def features(self) -> pd.DataFrame:
        """:meth:`to_frame` with feature names as strings."""
        return feature_table(self)

    @cached_property
    def effects(self) -> pd.DataFrame:
        """Effect size of each feature alone, a row for each column of the table.

        Columns as :func:`sslrank.tabular.trust.effects.effects` returns them.
        """
        return effects(self.coded, self.table.target_names, share=self.tests.independent)

    @property
    def recipe(self) -> dict:
        """Options, and how each column was read; ``rank(like=)`` ranks another table by them."""
        return recipe_of(self.table, self.settings)

    @cached_property
    def answer(self) -> Answer:
        """The answer in sentences, as a :class:`sslrank.tabular.output.answer.Answer`."""
        return make_answer(self)

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
        is_first = self.features["copy_of"][: None if count else self.n_enough] == ""
        names = self.best(len(self.order))
        return [name for name, first in zip(names, is_first, strict=False) if first][:count]

    def to_dict(self) -> dict:
        """Convert the result to a dict of plain values, for JSON; the guide lists its fields."""
        best = self.features[: self.n_enough]
        short_list = best["feature"][best["copy_of"] == ""].tolist()
        return plain_values(self, [str(name) for name in self.table.X.columns]) | {"short_list": short_list}

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
        from sslrank.tabular.output.terminal import screen

        return "\n".join(screen(self))

    def __repr__(self):
        best = ", ".join(self.features["feature"][:5])
        return f"<Ranking of {counted(self.table.X.shape[1], 'feature')} by {', '.join(self.ranks)}; the best: {best}>"

    def _repr_html_(self):
        from sslrank.tabular.output.html import fragment

        return fragment(self)
