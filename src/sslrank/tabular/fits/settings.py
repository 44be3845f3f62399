"""Settings of a ranking: methods, effort, predictor and measure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sslrank.core.base import WEIGHTED
from sslrank.core.errors import DataError
from sslrank.core.messages import counted, quoted, suggestion
from sslrank.core.validation import check_choice, check_jobs, is_whole_number
from sslrank.metrics.single import MEASURES
from sslrank.tabular.fits.feature_blocks import check_blocks, numbered_blocks
from sslrank.tabular.fits.folds import FOLDS, n_repeats
from sslrank.tabular.fits.methods import EFFORT, check_names, choose_methods, feature_subset_note
from sslrank.tabular.fits.screening import screening_note

#: Models of the curve; "best" is the best one of :data:`MODELS`.
PREDICTORS = ("best", "knn", "linear", "forest", "tree", "svm")
MODELS = ("knn", "linear", "forest")
#: Maximum default number of features that count as selected.
MAX_TOP = 20


@dataclass(frozen=True, kw_only=True)
class RankingSettings:
    """Settings of a ranking; names and defaults are those of the parameters of :func:`sslrank.rank`.

    `seed` is `random_state` as a number. After :meth:`resolved`, `conditional` is whether to run conditional tests, a
    `measure` of None is the default of the target, and `methods` are
    :class:`sslrank.tabular.fits.methods.RankingMethod`.
    """

    methods: str | Sequence = "auto"
    effort: str = "full"
    repeats: int | None = None
    blocks: Mapping | None = None
    top: int | None = None
    curve: bool | None = None
    predictor: str = "best"
    measure: str | None = None
    conditional: bool = True
    seed: int = 0
    n_jobs: int | None = None

    def checked(self):
        """Check the settings that do not depend on the table, such as names of methods.

        Returns
        -------
        RankingSettings
            `self`.

        Raises
        ------
        ValueError
            If a value is invalid; for an unknown name the message suggests the nearest one.
        """
        for name, choices in (("effort", EFFORT), ("predictor", PREDICTORS), ("measure", {None: None, **MEASURES})):
            value = getattr(self, name)
            if not isinstance(value, str | None) or value not in choices:
                raise DataError(f"unknown {name} {quoted(value)}; {suggestion(value, [*filter(None, choices)])}")
        check_names(self.methods)
        check_choice("curve", self.curve, (None, True, False))
        check_jobs(self.n_jobs)
        check_blocks(self.blocks)
        return self

    def resolved(self, table):
        """Choose the methods, and fill in and check what depends on the table; call it after :meth:`checked`.

        Parameters
        ----------
        table : sslrank.tabular.schema.table.OwnTable

        Returns
        -------
        RankingSettings

        Raises
        ------
        DataError
            If a setting is invalid or names something that is not in the table; if the predictor, the measure or a
            method does not support the kind of target; or if no method supports weights of rows.
        """
        task, n_features, usual = table.task, table.X.shape[1], EFFORT[self.effort]
        repeats = usual["repeats"] if self.repeats is None else self.repeats
        _check_count("top", self.top, lambda count: 1 <= count <= n_features, f"in 1..{n_features}")
        _check_count(
            "repeats", repeats, lambda count: count == 0 or count >= 2, "0, to rank all rows once, or at least 2"
        )
        check_predictor(self.predictor, task)
        blocks = self.blocks if table.names is None else table.names.blocks(self.blocks)
        numbered_blocks(blocks, list(table.X.columns), table.dropped)  # checks them
        curve = usual["curve"] if self.curve is None else self.curve
        for name, usual_value in (("measure", None), ("predictor", "best")):
            if (value := getattr(self, name)) != usual_value and not curve:
                problem = f"{name} {value} has no effect without a curve"
                raise DataError(problem, advice=f"Use effort full, or leave the {name} out")
        methods = choose_methods(self.methods, task, n_features)
        if table.weights is not None:
            _check_weights(table, methods)
        return replace(
            self,
            methods=methods,
            blocks=blocks,
            repeats=repeats,
            conditional=usual["conditional"] or bool(self.blocks),
            top=self.top or min(MAX_TOP, max(1, n_features // 4)),
            curve=curve,
        )

    def notes(self, table):
        """List notes on how the methods treat features and rows; call it after :meth:`resolved`."""
        notes = [*screening_note(self.methods, table.X.shape[1]), *feature_subset_note(self.methods)]
        unable = [method.name for method in self.methods if not method.takes_weights]
        if unable and table.weights is not None:
            notes.append(f"{', '.join(unable)} cannot use the weights of rows")
        return notes

    def n_fits(self, n_labeled):
        """Count the fits, for the progress bar; call it after :meth:`resolved`."""
        folds = FOLDS * n_repeats(n_labeled) + 2 * FOLDS if self.curve else 0
        return len(self.methods) + 2 * self.repeats + folds

    def describe(self):
        """Describe the planned work in one line; call it after :meth:`resolved`."""
        parts = [f"methods: {', '.join(method.name for method in self.methods)}", "tests on labelled rows"]
        pairs = "complementary pair of half-samples", "complementary pairs of half-samples"
        parts += [f"intervals from {counted(self.repeats, *pairs)}"] if self.repeats else []
        return "; ".join([*parts, *["curve"] * self.curve])


def check_predictor(predictor, task):
    """Raise DataError if a predictor does not support the kind of target."""
    if predictor == "svm" and task != "classification":
        raise DataError(f"predictor 'svm' is for classification; the kind of target is {task}")


def _check_weights(table, methods):
    """Raise DataError if all weights of rows are 0 where labelled, or no method supports weights."""
    if not table.weights[table.labeled].any():
        raise DataError("all labelled rows have the weight 0")
    if not any(method.takes_weights for method in methods):
        raise DataError(
            f"no method can use the weights of rows: {', '.join(method.name for method in methods)} cannot",
            advice=f"Add one that can ({', '.join(WEIGHTED)}), or leave the weights out",
        )


def _check_count(name, value, is_right, words):
    if value is not None and not (is_whole_number(value) and is_right(value)):
        raise DataError(f"{name} must be a whole number, {words}; got {quoted(value)}")
