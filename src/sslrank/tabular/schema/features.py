"""Choose the columns of a user's table that are features, with reasons for leaving out others."""

import numpy as np
import pandas as pd

from sslrank.core.amounts import plain_amount
from sslrank.core.errors import DataError
from sslrank.core.features import MAX_MAGNITUDE
from sslrank.core.frames import class_text, make_frame, parse_number
from sslrank.core.messages import SHOWN, counted, listed
from sslrank.core.target_columns import look_like_codes
from sslrank.tabular.schema.dates import is_date
from sslrank.tabular.schema.identifiers import (
    MIN_ROWS,
    column_of_order,
    counts_rows,
    identifies_rows,
    is_whole,
    named_groups,
    repeated_identifiers,
)
from sslrank.tabular.schema.missing_codes import MISSING_CODES_ADVICE, find_missing_code, missing_codes_note
from sslrank.tabular.schema.null_target import ADJUSTED
from sslrank.tabular.schema.target import censoring_note, follow_up_times
from sslrank.tabular.schema.texts import NAME
from sslrank.tabular.schema.values import READ_DATES, convert_values, notes_on_values

#: Reasons for leaving out columns.
CONSTANT, EMPTY, REQUESTED = "constant", "empty", "as requested"
COUNTER, IDENTIFIER = "a row counter", "an identifier by its name and values"
ALL_DIFFERENT = "texts that differ in nearly every row"
EQUAL = "equal to "
DATES = "ambiguous dates or times (write them as 2020-12-31 or 23:59)"
REPEATED = "repeated identifiers (if one groups the rows: --groups COLUMN)"
FOLLOW_UP = "the follow-up time of the target (make it the target, and the target its --event)"
#: Reasons for columns that identify or date rows.
NAMING = frozenset({COUNTER, IDENTIFIER, ALL_DIFFERENT, DATES, REPEATED})


def choose_features(table, frame, roles, dates=frozenset()):
    """Set the features of a table, and the reasons for leaving out other columns.

    `frame` has all columns except the target's, float64 (possibly sparse) or texts; `roles` are
    :class:`sslrank.tabular.schema.roles.ColumnRoles`, and `dates` the columns whose type is a
    date or time. Raises DataError if no feature is left, or a column in `roles.numeric` has texts.
    """
    nominal, numeric, drop, keep = map(set, (roles.nominal, roles.numeric, roles.drop, roles.keep))
    named = nominal | numeric | keep
    features, seen, notes = {}, {}, {}
    numbers = frame.loc[:, [kind == np.float64 for kind in frame.dtypes]]  # a Series of each takes long in wide tables
    arrays = dict(zip(numbers.columns, numbers.to_numpy().T, strict=True))
    columns = {
        name: _to_values(arrays[name] if name in arrays else frame[name], name in nominal, name in numeric)
        for name in frame.columns.tolist()
        if name not in drop
    }
    for name in columns:
        if name not in nominal | numeric:
            read, text = convert_values(columns[name])
            table.converted |= {name: text} if read is not columns[name] else {}
            columns[name], notes[name] = read, text
    table.notes += notes_on_values(notes)
    follow_up = follow_up_times(table, columns)
    repeated = repeated_identifiers(columns)
    table.units = {name: codes for name, codes in named_groups(columns).items() if name not in repeated}
    dated = {name for name, text in table.converted.items() if text.startswith(READ_DATES)}
    table.sorted_by = column_of_order(columns, dated)
    for name in frame.columns.tolist():
        if name in drop:
            table.dropped[name] = REQUESTED
            continue
        values = columns[name]
        reason = reason_to_leave_out(name, values, name in named or name in dated, name in keep)
        if reason is None and name not in named:
            if name in dates and isinstance(values, pd.Categorical):
                reason = DATES
            elif name in follow_up:
                reason = FOLLOW_UP
            elif name in repeated:
                reason, table.units[name] = REPEATED, repeated[name]
        if reason is None:
            is_nominal = isinstance(values, pd.Categorical)
            key = (values.categories.dtype.kind, tuple(values.codes)) if is_nominal else values.tobytes()
            twin = seen.setdefault(hash(key), name)
            if twin != name and name not in named and frame[twin].equals(frame[name]):
                reason = f"{EQUAL}{twin}"
        if reason is not None:
            table.dropped[name] = reason
            continue
        features[name] = values
        if code := find_missing_code(values):
            table.missing_codes[name] = code
        _refuse_huge(name, values)
    table.possible_identifiers = [n for n, values in features.items() if n not in named and _names_many_rows(values)]
    coded = [name for name, values in features.items() if name not in named and _looks_coded(values)]
    if not features:
        lines = "; ".join(f"{' '.join(name.split())}: {reason}" for name, reason in list(table.dropped.items())[:SHOWN])
        raise DataError(
            f"no feature is left ({lines or 'there is no column but the target'})",
            advice="Use --keep NAME (in Python keep=[...]) to rank a column anyway"
            if {*table.dropped.values()} - {ADJUSTED}
            else None,
        )
    if all(isinstance(frame.dtypes[name], pd.SparseDtype) for name in features):
        table.X = frame[list(features)]
    else:
        table.X = make_frame(list(features), list(features.values()))
    if table.possible_identifiers:
        table.notes.append(f"{naming_note(table.possible_identifiers)}; --drop identifiers, such as names of patients")
    if coded:
        table.notes.append(
            f"{listed(coded, NAME)}: few different whole numbers, read as numbers; --nominal if they are codes of "
            "categories"
        )
    if table.missing_codes:
        table.notes.append(f"{missing_codes_note(table.missing_codes)}; {MISSING_CODES_ADVICE}")
    if note := censoring_note(table, columns):
        table.notes.append(note)


def _refuse_huge(name, values):
    """Raise DataError for numbers too large to compute with, usually codes of missing values."""
    if isinstance(values, pd.Categorical) or not (odd := values[np.abs(values) > MAX_MAGNITUDE]).size:
        return
    number = repr(float(odd[0]))
    raise DataError(
        f"{number} in {counted(len(odd), 'row')} is too large to compute with",
        column=repr(name),
        advice=f"If it means a missing value: --reader missing={number} (in Python NaN); else leave the column out",
    )


def naming_note(names):
    """Write the note about features that may be identifiers."""
    return f"{listed(names, NAME)}: more than half of the rows have a text of their own"


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
        amounts = {text: plain_amount(text) for text in texts}
        if len(units := sorted({unit for _, unit in amounts.values()})) > 1:
            raise ValueError(f"they have different units: {listed(unit or 'none' for unit in units)}")
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
        known = values.codes[values.codes >= 0]
        kinds = values.categories[np.unique(known)]
        n_values = len(kinds)
    else:
        known = values[~np.isnan(values)]
        n_values = min(len(known), 1 + bool(len(known) and known.min() < known.max()))
    if n_values < 2:
        return CONSTANT if n_values else EMPTY
    if asked or len(known) < MIN_ROWS:
        return None
    if isinstance(values, pd.Categorical):
        if all(is_date(str(value)) for value in kinds[:1000]):
            return DATES
        return ALL_DIFFERENT if n_values > 0.9 * len(known) else None
    if is_whole(known):
        if counts_rows(name, known):
            return COUNTER
        if identifies_rows(name, known):
            return IDENTIFIER
    return None


def _names_many_rows(values):
    """Check if a feature has enough different texts to be an identifier."""
    if not isinstance(values, pd.Categorical):
        return False
    known = values.codes[values.codes >= 0]
    return len(known) >= MIN_ROWS and len(np.unique(known)) > 0.5 * len(known)


def _looks_coded(values):
    if isinstance(values, pd.Categorical) or len(values) < MIN_ROWS:
        return False
    known = values[~np.isnan(values)]
    if not is_whole(known):
        return False
    numbers, counts = np.unique(known, return_counts=True)
    return len(numbers) > 2 and look_like_codes(numbers, counts)
