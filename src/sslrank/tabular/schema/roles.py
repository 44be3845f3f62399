"""The user's options about the columns of a table."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product

from sslrank.core.errors import DataError
from sslrank.core.messages import listed, nearest, quoted, suggestion
from sslrank.core.tasks import TASKS
from sslrank.tabular.schema.row_columns import DATE_ORDERS, ROW_COLUMNS

#: Parameters of :func:`sslrank.rank` by the role of a column.
ARGUMENTS = {role: role for role in ROW_COLUMNS} | {"weights": "sample_weight"}
#: Options that list columns.
COLUMN_LISTS = ("nominal", "numeric", "drop", "keep", "adjust")


@dataclass(frozen=True, kw_only=True, eq=False)
class ColumnRoles:
    """Kind of target, and columns that are categories, numbers, descriptions of rows, or not features.

    Attributes
    ----------
    task : str, optional
        Kind of target; by default guessed from the values.
    hierarchy : list of list of int, or {"tree", "dag"}, optional
        Parents of each 0/1 label; for a file, the form of the paths in the target.
    nominal, numeric, drop, keep : sequence of str
        Columns to read as categories or numbers, to leave out, and to keep.
    ordinal : sequence of sequence of str
        Scales of ordered levels, the lowest first.
    groups, time, strata, weights, event : str or array-like of shape (n,), optional
        Group, time, stratum and weight of each row, and whether the event of a time happened: the name of a column,
        which is then not a feature, or values, if the table is not a file. "none" as groups or time: there are none.
    entry : str or array-like of shape (n,), optional
        Time from which each row is at risk of the event (left truncation).
    event_code : str, optional
        The value of `event` that is the event, if others are censored (cause-specific).
    adjust : sequence of str
        Columns to adjust for; they are not features.
    dates : {"day-first", "month-first"}, optional
        Order of day and month in dates such as 03/04/2020, where other dates of the column do not show it.
    positives_only : bool
        Only positive rows are labelled: they are compared with all others.
    """

    task: str | None = None
    hierarchy: list | str | None = None
    nominal: Sequence = ()
    numeric: Sequence = ()
    drop: Sequence = ()
    keep: Sequence = ()
    ordinal: Sequence = ()
    groups: object = None
    time: object = None
    strata: object = None
    weights: object = None
    event: object = None
    entry: object = None
    event_code: str | None = None
    adjust: Sequence = ()
    positives_only: bool = False
    dates: str | None = None

    def __post_init__(self):
        for option in COLUMN_LISTS:
            if isinstance(value := getattr(self, option), str):
                raise ValueError(f"{option} must be a sequence of names, got the string {value!r}; pass [{value!r}]")
            if not isinstance(value, Iterable):
                raise ValueError(f"{option} must be a sequence of names, got {quoted(value)}")
        if self.task is not None and self.task not in TASKS:
            raise DataError(f"unknown task {quoted(self.task)}; {suggestion(self.task, TASKS)}")
        if self.dates not in (None, *DATE_ORDERS):
            raise DataError(f"dates must be {' or '.join(DATE_ORDERS)}, got {quoted(self.dates)}")
        for scale in self.ordinal:
            if isinstance(scale, str) or len({*scale}) < max(len(scale), 3):
                problem = f"expected three or more different levels of an ordinal scale, got {quoted(scale)}"
                raise DataError(problem, advice="Give all levels, the lowest first, such as low, medium, high")
        if self.entry is not None and self.event is None:
            raise DataError("an entry is given without an event", advice="Name the event of the follow-up time")
        if self.event is not None and (self.positives_only or self.task not in (None, "regression")):
            what = "positives only" if self.positives_only else f"task {self.task}"
            raise DataError(
                f"with an event the target is a time, not {what}", advice="Leave one of the two options out"
            )

    @property
    def row_columns(self):
        """Given values of groups, time, strata, weights, event and entry, as a dict."""
        columns = {key: getattr(self, key) for key in ROW_COLUMNS}
        return {key: value for key, value in columns.items() if value is not None and key not in self.declared_absent}

    @property
    def event_name(self):
        """Name of the event; None if the target is no follow-up time."""
        if self.event is None or isinstance(self.event, str):
            return f"{self.event}={self.event_code}" if self.event_code else self.event
        return str(getattr(self.event, "name", None) or "event")

    def with_event_code(self, columns):
        """Split an event such as "status=1" into the name of one of some columns, and the value."""
        if not isinstance(self.event, str) or self.event in columns or "=" not in self.event:
            return self
        event, _, code = self.event.rpartition("=")
        return replace(self, event=event, event_code=code)

    @property
    def declared_absent(self):
        """Declared to be absent by the user: "groups", "time"."""
        columns = ("groups", self.groups), ("time", self.time)
        return frozenset(key for key, value in columns if isinstance(value, str) and value == "none")


def check_options(columns, roles, dashes="", target=()):
    """Check that names given to options are columns, and that each column has one role.

    `dashes` are those before the name of an option, `target` the columns of the target.
    """
    named = {option: getattr(roles, option) for option in COLUMN_LISTS}
    row_columns = {option: [name] for option, name in roles.row_columns.items() if isinstance(name, str)}
    for option, names in (named | row_columns).items():
        check_known(names, columns, f"{dashes}{option}: " if dashes else f"{ARGUMENTS.get(option, option)}: ")
    pairs = [("drop", "keep"), ("nominal", "numeric"), ("adjust", "drop"), ("adjust", "keep"), ("adjust", "")]
    pairs += [("", "drop"), *product(row_columns, ("", "keep", "adjust")), *combinations(row_columns, 2)]
    named |= row_columns | {"": target}
    for one, other in pairs:
        if shared_names := sorted(set(named[one]) & set(named[other])):
            both_options = " and ".join(dashes + option if option else "the target" for option in (one, other))
            raise DataError(f"{listed(shared_names)}: the column is given to both {both_options}")
    if roles.declared_absent and "none" in columns:
        option = min(roles.declared_absent)
        option = f"--{option} none" if dashes else f"{option}='none'"
        raise DataError(f"{option} means that there is none, but a column has that name", advice="Rename it")


def check_known(names, columns, where=""):
    """Check that names are columns; an error begins with `where`."""
    known_names = set(columns) if names else ()
    unknown = [name for name in names if not isinstance(name, Hashable) or name not in known_names]
    if len(unknown) > 1:
        raise DataError(f"{where}there are no columns {listed(map(quoted, unknown))}")
    if unknown:
        raise DataError(f"{where}there is no column {quoted(unknown[0])}; {near_names(unknown[0], columns)}")


def near_names(name, columns):
    """Suggest the column with the most similar name, or list all columns."""
    return nearest(name, columns).lstrip("; ") or f"the columns are {listed(columns)}"
