"""Choose the columns of a user's table that are features, with reasons for leaving out others."""

import shlex
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from sslrank.core.amounts import joint_unit, read_amounts
from sslrank.core.errors import DataError
from sslrank.core.features import MAX_MAGNITUDE
from sslrank.core.frames import class_text, make_frame, parse_number
from sslrank.core.messages import MAX_LISTED, counted, listed
from sslrank.core.target_columns import look_like_codes
from sslrank.tabular.schema.dates import is_date
from sslrank.tabular.schema.event_names import censoring_note, follow_up_times
from sslrank.tabular.schema.identifiers import (
    MIN_ROWS,
    column_of_order,
    counts_rows,
    identifies_rows,
    is_whole,
    named_groups,
    repeated_identifiers,
)
from sslrank.tabular.schema.missing_codes import find_missing_code, missing_codes_advice, missing_codes_note
from sslrank.tabular.schema.null_target import ADJUSTED
from sslrank.tabular.schema.texts import NAME
from sslrank.tabular.schema.values import MISSING_WHERE, READ_DATES, convert_values, notes_on_values, ordered_text

#: Reasons for leaving out columns.
CONSTANT, EMPTY, REQUESTED = "constant", "empty", "as requested"
COUNTER, IDENTIFIER = "a row counter", "an identifier by its name and values"
ALL_DIFFERENT = "texts that differ in nearly every row"
EQUAL = "equal to "
DATES = "ambiguous dates or times (write them as 2020-12-31 or 23:59, or add --dates day-first)"
REPEATED = "repeated identifiers (if one groups the rows: --groups COLUMN)"
FOLLOW_UP = "the follow-up time of the target (make it the target, and the target its --event)"
#: Reasons for columns that identify or date rows.
NAMING = frozenset({COUNTER, IDENTIFIER, ALL_DIFFERENT, DATES, REPEATED})


@dataclass(frozen=True, kw_only=True, eq=False)
class FeatureColumns:
    """The features of a table, and what was found about its columns.

    Attributes
    ----------
    X : DataFrame
        The features to rank: float64 columns and categoricals.
    dropped : dict of str to str
        Columns left out, with the reason.
    possible_identifiers : list of str
        Features that may be identifiers: more than half of the rows have a unique string.
    units : dict of str to ndarray of shape (n,), intp
        Repeated identifiers, and strings such as villages, that may group rows; the code of each row's value.
    missing_codes : dict of str to str
        Targets and features with a value that may mean missing, and its number of rows.
    converted : dict of str to str
        Features whose values were converted, such as numbers with a unit, with the result.
    deviations : dict of str to float
        Standard deviation, in labelled rows, of numeric features before they were adjusted for columns.
    sorted_by : str
        The column of times, dates or years by which the rows are sorted; empty if there is none.
    notes : tuple of str
        Notes for the user to check.
    """

    X: pd.DataFrame
    dropped: dict = field(default_factory=dict)
    possible_identifiers: list = field(default_factory=list)
    units: dict = field(default_factory=dict)
    missing_codes: dict = field(default_factory=dict)
    converted: dict = field(default_factory=dict)
    deviations: dict = field(default_factory=dict)
    sorted_by: str = ""
    notes: tuple = ()

    def rows(self, index):
        """Select rows by an index array."""
        units = {name: codes[index] for name, codes in self.units.items()}
        return replace(self, X=self.X.iloc[index].reset_index(drop=True), units=units, notes=())


def choose_features(frame, target, roles, *, dates=frozenset(), dropped=(), is_file=False):
    """Choose the features of a table, with reasons for leaving out other columns.

    Parameters
    ----------
    frame : DataFrame
        All columns that may be features, float64 (possibly sparse) or texts.
    target : sslrank.tabular.schema.target.Target
    roles : sslrank.tabular.schema.roles.ColumnRoles
    dates : collection of str
        Columns whose type is a date or time.
    dropped : dict of str to str
        Columns that were left out before, with the reason.
    is_file : bool, default=False
        Whether the table is a file, for the names of options in notes.

    Returns
    -------
    FeatureColumns

    Raises
    ------
    DataError
        If no feature is left, or a column in `roles.numeric` has texts.
    """
    named = {*roles.nominal, *roles.numeric, *roles.keep}
    columns, conversions, converted = _read_columns(frame, roles)
    dated = {name for name in converted if conversions[name].startswith(READ_DATES)}
    repeated = repeated_identifiers(columns)
    reasons = _reasons_to_leave_out(frame, columns, roles, repeated, follow_up_times(target, columns), dates, dated)
    dropped = dict(dropped) | reasons
    features = {name: values for name, values in columns.items() if name not in reasons}
    for name, values in features.items():
        _refuse_huge(name, values)
    if not features:
        lines = "; ".join(f"{' '.join(name.split())}: {reason}" for name, reason in list(dropped.items())[:MAX_LISTED])
        names = shlex.quote(",".join([name for name, reason in dropped.items() if reason != ADJUSTED][:MAX_LISTED]))
        raise DataError(
            f"no feature is left ({lines or 'there is no column but the target'})",
            advice=f"Use --keep {names} (in Python keep=[...]) to rank columns anyway" if names != "''" else None,
        )
    units = {name: codes for name, codes in named_groups(columns).items() if name not in repeated}
    units |= {name: repeated[name] for name, reason in reasons.items() if reason == REPEATED}
    codes = {name: code for name, values in features.items() if (code := find_missing_code(values))}
    missing_codes = target.missing_codes | codes
    possible_identifiers = [name for name, v in features.items() if name not in named and _names_many_rows(v)]
    coded = [name for name, values in features.items() if name not in {*named, *converted} and _looks_coded(values)]
    notes = notes_on_values(conversions)
    for scale in roles.ordinal:
        if not any(text.startswith(ordered_text(scale)) for text in conversions.values()):
            notes.append(f"no column has only the levels {listed(scale)}; give all of the scale, as they are written")
    if coded:
        advice = "few different whole numbers, read as numbers; --nominal if they are codes of categories"
        notes.append(f"{listed(coded, NAME)}: {advice}")
    if missing_codes:
        notes.append(f"{missing_codes_note(missing_codes)}; {missing_codes_advice(missing_codes, features)}")
    if note := censoring_note(target, columns, is_file):
        notes.append(note)
    is_sparse = all(isinstance(frame.dtypes[name], pd.SparseDtype) for name in features)
    return FeatureColumns(
        X=frame[list(features)] if is_sparse else make_frame(list(features), list(features.values())),
        dropped=dropped,
        possible_identifiers=possible_identifiers,
        units=units,
        missing_codes=missing_codes,
        converted={name: conversions[name].partition(MISSING_WHERE)[0] for name in converted},  # same in the next file
        sorted_by=column_of_order(columns, dated),
        notes=tuple(notes),
    )


def _read_columns(frame, roles):
    """Read the columns that are not dropped; return their values, notes by column, and the converted columns."""
    nominal, numeric = set(roles.nominal), set(roles.numeric)
    numbers = frame.loc[:, [kind == np.float64 for kind in frame.dtypes]]  # a Series of each takes long in wide tables
    arrays = dict(zip(numbers.columns, numbers.to_numpy().T, strict=True))
    columns, texts, converted = {}, {}, []
    for name in [name for name in frame.columns.tolist() if name not in roles.drop]:
        values = _to_values(arrays[name] if name in arrays else frame[name], name in nominal, name in numeric)
        columns[name] = values
        if name not in nominal | numeric:
            columns[name], texts[name] = convert_values(values, roles.dates, roles.ordinal)
            converted += [name] if columns[name] is not values else []
    return columns, texts, converted


def _reasons_to_leave_out(frame, columns, roles, repeated, follow_up, dates, dated):
    """Return why columns are not features, in the order of the table."""
    named, reasons, first = {*roles.nominal, *roles.numeric, *roles.keep}, {}, {}
    for name in frame.columns.tolist():
        if name not in columns:
            reasons[name] = REQUESTED
            continue
        values, is_nominal = columns[name], isinstance(columns[name], pd.Categorical)
        reason = reason_to_leave_out(name, values, name in named or name in dated, name in roles.keep)
        if reason is None and name not in named:
            guesses = {DATES: is_nominal and name in dates, FOLLOW_UP: name in follow_up, REPEATED: name in repeated}
            reason = next((guess for guess, is_so in guesses.items() if is_so), None)
        if reason is None:
            key = (values.categories.dtype.kind, tuple(values.codes)) if is_nominal else values.tobytes()
            twin = first.setdefault(hash(key), name)
            if twin != name and name not in named and frame[twin].equals(frame[name]):
                reason = f"{EQUAL}{twin}"
        if reason is not None:
            reasons[name] = reason
    return reasons


def _refuse_huge(name, values):
    """Raise DataError for numbers too large to compute with, usually codes of missing values."""
    if isinstance(values, pd.Categorical) or not (huge_values := values[np.abs(values) > MAX_MAGNITUDE]).size:
        return
    number = repr(float(huge_values[0]))
    raise DataError(
        f"{number} in {counted(len(huge_values), 'row')} is too large to compute with",
        column=repr(name),
        advice=f"If it means a missing value: --reader missing={number} (in Python NaN); else leave the column out",
    )


def _to_values(column, is_nominal, is_numeric):
    """Return the values of a feature: a float64 array, or a Categorical."""
    if isinstance(column.dtype, pd.SparseDtype):
        column = column.sparse.to_dense()
    is_number = column.dtype == np.float64
    if is_numeric and not is_number:
        return _parsed_numbers(column)
    if is_nominal and not isinstance(column.dtype, pd.CategoricalDtype):
        return pd.Categorical(pd.Series(column).astype(object).map(class_text, na_action="ignore"))
    return np.asarray(column) if is_number else pd.Categorical(column)


def _parsed_numbers(column):
    try:
        texts = dict.fromkeys(value for value in column.astype(object) if isinstance(value, str))  # in their order
        amounts = dict(zip(texts, read_amounts(list(texts))[0], strict=True))
        if joint_unit(amounts.values()) is None:
            units = sorted({unit or "none" for _, unit in amounts.values()})
            raise ValueError(f"they have different units: {listed(units)}")
        numbers = {text: parse_number(number) for text, (number, _) in amounts.items()}
        return np.array([numbers.get(value, value) for value in column.astype(object)], dtype=np.float64)
    except (TypeError, ValueError) as error:
        advice = "Leave it out of --numeric if these are categories"
        raise DataError(f"expected numbers: {error}", column=repr(column.name), advice=advice) from None


def reason_to_leave_out(name, values, asked=False, keep=False):
    """Return why a column is not a feature, or None; `asked`: the user gave its kind, `keep`: the user keeps it."""
    if keep:
        return None
    if isinstance(values, pd.Categorical):
        known_values = values.codes[values.codes >= 0]
        kinds = values.categories[np.unique(known_values)]
        n_values = len(kinds)
    else:
        known_values = values[~np.isnan(values)]
        n_values = min(len(known_values), 1 + bool(len(known_values) and known_values.min() < known_values.max()))
    if n_values < 2:
        return CONSTANT if n_values else EMPTY
    if asked or len(known_values) < MIN_ROWS:
        return None
    if isinstance(values, pd.Categorical):
        if all(is_date(str(value)) for value in kinds[:1000]):
            return DATES
        return ALL_DIFFERENT if n_values > 0.9 * len(known_values) else None
    if is_whole(known_values):
        if counts_rows(name, known_values):
            return COUNTER
        if identifies_rows(name, known_values):
            return IDENTIFIER
    return None


def _names_many_rows(values):
    """Check if a feature has enough different texts to be an identifier."""
    if not isinstance(values, pd.Categorical):
        return False
    known_codes = values.codes[values.codes >= 0]
    return len(known_codes) >= MIN_ROWS and len(np.unique(known_codes)) > 0.5 * len(known_codes)


def _looks_coded(values):
    if isinstance(values, pd.Categorical) or len(values) < MIN_ROWS:
        return False
    known_values = values[~np.isnan(values)]
    if not is_whole(known_values):
        return False
    numbers, counts = np.unique(known_values, return_counts=True)
    return len(numbers) > 2 and look_like_codes(numbers, counts)
