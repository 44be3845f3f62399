"""``sslrank reduce``: write a table with only the best features of a ranking."""

import pandas as pd

from sslrank.core.errors import DataError
from sslrank.core.messages import counted, listed
from sslrank.hypothesis_tests.related import FDR
from sslrank.tabular.command.options import print_now, reading_options, split_names, with_patterns
from sslrank.tabular.command.rankings import SavedRanking
from sslrank.tabular.output.files import TABLES, check_output, whole_numbers, write_table
from sslrank.tabular.schema.reading import column_names, read_columns


def take(saved, rows, count=None, only=None, keep_duplicates=False):
    """Choose the features to keep.

    Parameters
    ----------
    saved : sslrank.tabular.command.rankings.SavedRanking
    rows : DataFrame
        Rows of the ranking, best feature first.
    count : int, optional
        Number of features; by default all features of `only`, or the number that is enough.
    only : {"related", "conditional"}, optional
        Only features related to the target, or those of them that add information beyond the others, at a false
        discovery rate of 10 %.
    keep_duplicates : bool, default=False
        Keep near-duplicates of better features.

    Returns
    -------
    features : list of str
    why : str
        Reason for the number of features.
    near_duplicates : list of str
        Near-duplicates that were left out.

    Raises
    ------
    DataError
        If the ranking lacks what is needed to choose, or has too few features.
    """
    every, why, near_duplicates, path = rows, "", [], saved.path
    if only is not None:
        column, words = {
            "related": ("q", "shown to be related to the target"),
            "conditional": ("conditional_q", "shown to add information beyond the others"),
        }[only]
        q_values = pd.to_numeric(rows.get(column, pd.Series(index=rows.index, dtype=float)), errors="coerce")
        if q_values.isna().all():
            advice = "Rank again with --effort quick or full" if only == "conditional" else "Add --n-features N instead"
            raise DataError(f"the ranking has no {column} for --{only}", file=path, advice=advice)
        if only == "conditional" and "q" in rows:
            q_values = q_values.where(pd.to_numeric(rows["q"], errors="coerce") <= FDR)
        rows, why = rows[q_values <= FDR], words
        if rows.empty:
            raise DataError(f"no feature is {words}", file=path, advice="Add --n-features N instead")
    if count is None and only is None:
        if saved.fields.get("n_enough") is None:
            raise DataError(
                "the ranking has no number of features that is enough", file=path, advice="Add --n-features N"
            )
        rows, why = rows[: saved.fields["n_enough"]], saved.fields["why_enough"]
    if not keep_duplicates and "copy_of" in rows:
        leader = rows["copy_of"].fillna("").replace("", pd.NA).fillna(rows.index.to_series())
        near_duplicates = list(rows.index[leader.duplicated()])
        rows = rows.drop(index=near_duplicates)
    if count is not None and count > len(rows):
        n_less = counted(len(near_duplicates), "near-duplicate")
        less = f", without {n_less}; --keep-duplicates keeps them" if near_duplicates else ""
        only_words = f"; --{only} leaves no more" if only else ""
        raise DataError(f"--n-features must be in 1..{len(rows)}, got {count}{only_words}{less}")
    rows = rows[:count]
    index_of = {name: j for j, name in enumerate(every.index)}
    last = len(index_of) if count is None else max(index_of[name] for name in rows.index)
    return list(rows.index), why, [name for name in near_duplicates if index_of[name] < last]


def run(arguments):
    """Choose the features, and write the table with them."""
    check_output(arguments.out, TABLES, inputs=[arguments.file, arguments.ranking])
    saved = SavedRanking.read(arguments.ranking)
    importances = saved.importances(arguments.column)
    rows, fields = saved.rows.loc[importances.sort_values(ascending=False, kind="stable").index], saved.fields
    if arguments.column is not None:
        print_now(f"ranking: {arguments.ranking}, by {importances.name}")
    reading = reading_options(arguments, fields)
    try:
        features, why, near_duplicates = take(
            saved, rows, arguments.n_features, arguments.only, arguments.keep_duplicates
        )
    except DataError:
        if rows.index.intersection(column_names(arguments.file, **reading)).empty:
            raise DataError(f"none of its features is a column of {arguments.file}", file=saved.path) from None
        raise
    texts, targets = set(), []
    if fields:
        target = fields["table"]["target"]
        event = [name.rpartition("=")[0] or name for name in [target["event"]] if name]
        targets = [*target["columns"], *event, *target["adjust"]]
        texts = {*rows.index[rows["kind"] == "nominal"]}
        texts |= set() if target["stated_task"] in ("regression", "multitarget") else {*target["columns"]}
    kept = with_patterns(split_names(arguments.keep_columns), lambda: column_names(arguments.file, targets, **reading))
    frame, notes = read_columns(arguments.file, list(dict.fromkeys([*features, *kept])), texts, targets, **reading)
    print_now(*(f"note: {arguments.file}: {note}" for note in notes))
    if str(arguments.out).endswith(".parquet"):  # the cells of a text file are texts
        for name in frame.select_dtypes("category").columns.difference(texts):
            numbers = pd.to_numeric(frame[name].astype(object), errors="coerce")
            frame[name] = numbers if (numbers.notna() == frame[name].notna()).all() else frame[name]
    write_table(arguments.out, whole_numbers(frame))
    count, total = len(features), len(rows)
    title = f"the best {counted(count, 'feature')}" if count > 1 else "the best feature"
    if near_duplicates and arguments.only is None:
        title = f"{count} of the best {count + len(near_duplicates)} features"
    why = f" ({why})" if why else ""
    kept_columns = listed(frame.columns[count:])
    print_now(f"wrote {arguments.out}: {title} of {total}{why}{f' and {kept_columns}' if kept_columns else ''}")
    directions = rows.get("direction", pd.Series(index=rows.index, dtype=object)).fillna("")
    features_in_words = listed(f"{name} ({directions[name]})" if directions[name] else name for name in features)
    print_now(f"features: {features_in_words}")
    if near_duplicates:
        count_text = counted(len(near_duplicates), "near-duplicate")
        print_now(f"left out: {count_text} of these: {listed(near_duplicates)}; --keep-duplicates keeps them")
    if others := [name for name in fields.get("table", {}).get("dropped", ()) if name not in frame]:
        print_now(f"left out because not ranked: {listed(others)}; --keep-columns NAMES keeps them")
    if count == total and total > 1 and not arguments.n_features:
        print_now("note: no feature is left out; --n-features N or --conditional takes fewer")
