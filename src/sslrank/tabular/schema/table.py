"""A user's table, with features, target and descriptions of rows, from a file, arrays or data frames."""

from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from sslrank.core.labeled_table import LabeledTable
from sslrank.core.messages import counted, listed
from sslrank.tabular.schema.features import EQUAL, FeatureColumns, choose_features
from sslrank.tabular.schema.names import ColumnNames
from sslrank.tabular.schema.null_target import ADJUSTED, adjusting_columns, with_null_model
from sslrank.tabular.schema.roles import ColumnRoles
from sslrank.tabular.schema.row_columns import ROW_COLUMNS, RowColumns
from sslrank.tabular.schema.target import Target
from sslrank.tabular.schema.texts import NAME, notes_on_texts, rows_of_totals
from sslrank.tabular.schema.values import unit_text

#: Unlabelled rows are sampled so that the table has at most this many cells; all labelled rows are kept.
MAX_CELLS = 20_000_000
#: Values of a target are far if they are this number of median distances from the median, and few.
_FAR, _FEW_SHARE = 10, 0.02


@dataclass(frozen=True, kw_only=True, eq=False)
class OwnTable(LabeledTable):
    """A user's table with typed features, its target and descriptions of rows.

    Attributes
    ----------
    features : sslrank.tabular.schema.features.FeatureColumns
    target : sslrank.tabular.schema.target.Target
    row_columns : sslrank.tabular.schema.row_columns.RowColumns
    roles : sslrank.tabular.schema.roles.ColumnRoles
        The user's options about columns.
    reading : dict
        How the file was read, for :attr:`sslrank.tabular.result.Ranking.recipe`: `unlabeled` and `reader`.
    totals : dict of str to str
        Rows named as totals or means, by line of the file or number from 0, with the reason.
    far : dict of str to float
        Values of a numeric target that are far from all others, without those of totals, by line or number of the row.
    n_unread : int
        Number of unlabelled rows of a large table that were not read.
    notes : tuple of str
        Notes for the user to check.
    path : Path or None
        The file.
    sha256 : str or None
        SHA-256 of the file when it was read, in hexadecimal digits.
    names : sslrank.tabular.schema.names.ColumnNames or None
        Names of a data frame and their strings in X; None if they are equal.
    is_polars : bool
        Whether the table was given as a DataFrame of polars.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sslrank import rank
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> table = rank(X, y, methods="f_score", effort="order").table
    >>> table.describe()[0]
    'table: 150 rows, 150 labelled, 0 unlabelled'
    """

    features: FeatureColumns
    target: Target
    row_columns: RowColumns
    roles: ColumnRoles = field(default_factory=ColumnRoles)
    reading: dict = field(default_factory=dict)
    totals: dict
    far: dict
    n_unread: int = 0
    notes: tuple = ()
    path: Path | None = None
    sha256: str | None = None
    names: ColumnNames | None = None
    is_polars: bool = False

    X = property(lambda self: self.features.X, doc="The features to rank: float64 columns and categoricals.")
    y = property(lambda self: self.target.values, doc="The target, see :class:`sslrank.tabular.schema.target.Target`.")
    task = property(lambda self: self.target.task, doc="Kind of `y`, one of :data:`sslrank.core.tasks.TASKS`.")
    target_names = property(lambda self: self.target.names, doc="Names of the targets.")
    hierarchy = property(lambda self: self.target.hierarchy, doc="Parents of each label, or None.")
    weights = property(lambda self: self.row_columns.weights, doc="Weight of each row, or None.")
    dropped = property(lambda self: self.features.dropped, doc="Columns left out, with the reason, as a dict.")

    @property
    def n_labeled(self):
        """Number of rows with at least one known target."""
        return int(self.labeled.sum())

    def rows(self, index):
        """Return the table with some of its rows, given as an index array."""
        parts = {key: getattr(self, key).rows(index) for key in ("features", "target", "row_columns")}
        return replace(self, notes=(), **parts)

    def coded(self):
        """Code features and targets as numbers, see :meth:`sslrank.core.labeled_table.LabeledTable.coded`."""
        coded = super().coded()
        return replace(coded, targets=replace(coded.targets, null=self.target.null))

    def describe(self):
        """Describe in lines how the table was read, with the options to correct it."""
        labeled, n_rows, target = self.n_labeled, self.n_rows, self.target
        by_task = "" if target.is_transformed else f"; if wrong: {'--task' if self.path else 'task='}"
        by_kind = "; if wrong: --nominal, --numeric, --drop" if self.path else ""
        split = f", {labeled} labelled, {n_rows - labeled + self.n_unread} unlabelled"
        if target.positives_only:  # the kind of target has these numbers
            split = ""
        lines = [
            f"{self.path or 'table'}: {counted(n_rows + self.n_unread, 'row')}{split}",
            f"target {listed(target.columns)}: {target.kind} ({target.reason}){by_task}",
        ]
        nominal = list(self.X.columns[self.nominal])
        shown = f": {listed(nominal, NAME)}" if nominal else ""
        lines.append(f"features: {self.X.shape[1] - len(nominal)} numeric, {len(nominal)} nominal{shown}{by_kind}")
        why = {}
        for name, reason in self.dropped.items():
            if twin := reason.partition(EQUAL)[2]:
                name, reason = f"{name} ({twin})", f"{EQUAL}another column"
            why.setdefault(reason, []).append(name)
        asked_reasons = [ADJUSTED, *(reason for _, reason in ROW_COLUMNS.values())]
        lines += [
            f"left out, {reason}: {listed(names, NAME)}{'' if reason in asked_reasons else '; if wrong: --keep'}"
            for reason, names in why.items()
        ]
        return [*lines, *(f"note: {note}" for note in self.notes)]


def make_table(
    frame, target, row_columns, roles, *, ranked=(), dates=(), signs=None, lines=(), notes=(), path=None, **others
):
    """Choose the features of a table, adjust it, and note what is odd in texts and rows.

    Parameters
    ----------
    frame : DataFrame
        All columns but those of the target and of `row_columns`.
    target : sslrank.tabular.schema.target.Target
    row_columns : sslrank.tabular.schema.row_columns.RowColumns
    roles : sslrank.tabular.schema.roles.ColumnRoles
    ranked : sequence of str
        Columns to keep like those that `roles` names.
    dates : collection of str
        Columns whose type is a date or time.
    signs : dict of str to str, optional
        Currency or per cent sign that the reader took from the numbers of a column.
    lines : sequence of int
        The line of the file that each row is from.
    notes : sequence of str
        Notes on how the table was read.
    path : Path, optional
        The file.
    **others
        Attributes of the table.

    Returns
    -------
    OwnTable

    Raises
    ------
    DataError
        If no feature is left, or the target cannot be adjusted.
    """
    by_name = {role: name for role, name in roles.row_columns.items() if isinstance(name, str)}
    dropped = {name: ROW_COLUMNS[role][1] for role, name in by_name.items()} | dict.fromkeys(roles.adjust, ADJUSTED)
    adjusting = adjusting_columns(frame[list(roles.adjust)], roles.nominal)
    constant = [name for name in roles.adjust if frame[name].nunique(dropna=False) == 1]
    frame, is_file = frame.drop(columns=list(roles.adjust)), path is not None
    roles_with_ranked = replace(roles, keep=[*roles.keep, *ranked])
    features = choose_features(frame, target, roles_with_ranked, dates=dates, dropped=dropped, is_file=is_file)
    target, features = with_null_model(target, features, row_columns, adjusting, is_file)
    read = {name: unit_text(sign) for name, sign in (signs or {}).items() if name in features.X}
    features = replace(features, converted=read | features.converted)
    notes = [*notes, *target.notes]
    if constant:
        notes.append(f"constant, so that adjusting for it changes nothing: {listed(constant)}")
    asked_columns = {*roles.nominal, *roles.numeric, *features.dropped, *features.converted}
    totals = rows_of_totals(frame)
    far = {row: value for row, value in _far_values(target).items() if row not in totals}
    return OwnTable(
        features=features,
        target=target,
        row_columns=row_columns,
        roles=roles,
        totals=_by_line(totals, lines),
        far=_by_line(far, lines),
        notes=(*notes, *features.notes, *notes_on_texts(frame, asked_columns)),
        path=path,
        **others,
    )


def _by_line(rows, lines):
    """Replace the numbers of rows by lines of the file, if there is one."""
    return {f"line {lines[row]}" if lines else f"row {row}": text for row, text in rows.items()}


def _far_values(target):
    """Find the few values of a number that are far from the others, as a dict by row."""
    y = target.values
    if target.task != "regression" or target.null is not None:
        return {}
    distance = np.abs(y - np.nanmedian(y))
    rows = np.flatnonzero(distance > _FAR * np.nanmedian(distance))
    is_few = len(rows) <= _FEW_SHARE * np.isfinite(y).sum()
    return {int(row): float(y[row]) for row in rows} if is_few else {}
