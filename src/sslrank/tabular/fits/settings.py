"""Settings of a ranking: methods, effort, predictor and measure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sslrank.core.durations import parse_duration
from sslrank.core.errors import DataError
from sslrank.core.messages import counted, quoted, suggestion
from sslrank.core.validation import check_choice, check_jobs, is_whole_number
from sslrank.metrics.single import MEASURES
from sslrank.tabular.fits.feature_blocks import check_blocks
from sslrank.tabular.fits.methods import EFFORT, check_names, choose_methods

PREDICTORS = ("knn", "tree", "svm")
#: Features that count as selected by default, at most.
MAX_TOP = 20


@dataclass(frozen=True, kw_only=True)
class RankingSettings:
    """Settings of a ranking, with the names and defaults of the parameters of :func:`sslrank.rank`.

    `seed` is `random_state` as a number. After :meth:`resolved`, `budget` is in seconds or None, `measure` None means
    the default of the target, and `conditional` says whether to run the conditional tests. After :meth:`with_methods`,
    `methods` are :class:`sslrank.tabular.fits.methods.RankingMethod`.
    """

    methods: str | Sequence = "auto"
    effort: str = "full"
    repeats: int | None = None
    blocks: Mapping | None = None
    top: int | None = None
    curve: bool | None = None
    predictor: str = "knn"
    measure: str | None = None
    conditional: bool = True
    budget: str | float | None = None
    seed: int = 0
    n_jobs: int | None = None

    def checked(self):
        """Check the settings that do not depend on the table, such as names of methods and the budget.

        Returns
        -------
        RankingSettings
            The same.

        Raises
        ------
        ValueError
            If a value is invalid; for an unknown name the message suggests the nearest one.
        """
        for name, known in (("effort", EFFORT), ("predictor", PREDICTORS), ("measure", {None: None, **MEASURES})):
            value = getattr(self, name)
            if not isinstance(value, str | None) or value not in known:
                raise DataError(f"unknown {name} {quoted(value)}; {suggestion(value, [*filter(None, known)])}")
        check_names(self.methods)
        check_choice("curve", self.curve, (None, True, False))
        check_jobs(self.n_jobs)
        check_blocks(self.blocks)
        if self.budget is not None:
            parse_duration(self.budget)
        return self

    def resolved(self, task, n_features):
        """Fill in what depends on the table.

        Parameters
        ----------
        task : str
        n_features : int

        Returns
        -------
        RankingSettings

        Raises
        ------
        DataError
            If a setting is invalid, or the predictor does not support the kind of target.
        """
        self = self.checked()
        usual = EFFORT[self.effort]
        repeats = usual["repeats"] if self.repeats is None else self.repeats
        _check_count("top", self.top, lambda count: 1 <= count <= n_features, f"in 1..{n_features}")
        _check_count(
            "repeats", repeats, lambda count: count == 0 or count >= 2, "0, to rank all rows once, or at least 2"
        )
        check_predictor(self.predictor, task)
        curve = usual["curve"] if self.curve is None else self.curve
        if self.measure is not None and not curve:
            raise DataError(
                f"measure {self.measure} has no effect without a curve",
                advice="Use effort full, or leave the measure out",
            )
        return replace(
            self,
            repeats=repeats,
            conditional=usual["conditional"] or bool(self.blocks),
            top=self.top or min(MAX_TOP, max(1, n_features // 4)),
            curve=curve,
            budget=None if self.budget is None else parse_duration(self.budget),
        )

    def with_methods(self, task, n_features):
        """Choose the methods by their names.

        Parameters
        ----------
        task : str
        n_features : int

        Returns
        -------
        RankingSettings

        Raises
        ------
        DataError
            If a name is unknown, or a method does not support the kind of target.
        """
        return replace(self, methods=choose_methods(self.methods, task, n_features))

    def describe(self):
        """Describe the planned work in one line; call it after :meth:`with_methods`."""
        parts = [f"methods: {', '.join(method.name for method in self.methods)}", "tests of all rows"]
        pairs = "complementary pair of half-samples", "complementary pairs of half-samples"
        parts += [counted(self.repeats, *pairs)] if self.repeats else []
        return "; ".join([*parts, *["curve"] * self.curve])


def check_predictor(predictor, task):
    """Raise DataError if a predictor does not support the kind of target."""
    if predictor == "svm" and task != "classification":
        raise DataError(f"predictor 'svm' is for classification; the kind of target is {task}")


def _check_count(name, value, is_right, words):
    if value is not None and not (is_whole_number(value) and is_right(value)):
        raise DataError(f"{name} must be a whole number, {words}; got {quoted(value)}")
