"""Tables of SPSS, Stata and SAS, JSON and Feather, by pyreadstat, pandas and pyarrow."""

import json
import tempfile
from pathlib import Path

import pandas as pd
import pyarrow as pa
from pyarrow import feather

from sslrank.core.extras import require
from sslrank.datasets.readers.parquet import table_of
from sslrank.datasets.readers.source import check_table, read_bytes, readable


def read(path, format):
    r"""Read a table whose columns have types.

    Parameters
    ----------
    path : path-like
    format : {"sav", "dta", "por", "sas7bdat", "xpt", "json", "feather"}
        JSON is a list of records, one record a line, or what pandas writes.

    Returns
    -------
    sslrank.datasets.readers.table.ParsedTable
        A column whose values all have labels is nominal, with the labels as its categories, in their order if SPSS
        has it as ordinal. Values declared missing in SPSS or Stata are missing.

    Raises
    ------
    DataError
        If the file is damaged, or a column is neither finite numbers nor text, dates or times.

    Examples
    --------
    >>> size = Path("data.json").write_text('{"a": 1, "shade": "light"}\n{"a": 2, "shade": "dark"}\n')
    >>> read("data.json", "json").frame
         a  shade
    0  1.0  light
    1  2.0   dark
    """
    content = read_bytes(path)
    with readable(f".{format} file"):
        if format == "feather":
            table = feather.read_table(pa.BufferReader(content))
        else:
            frame = _read_json(content) if format == "json" else _read_statistics(content, format)
            table = pa.Table.from_pandas(frame, preserve_index=False)
    check_table(table.num_rows, table.num_columns)
    return table_of(table)


def _read_json(content):
    try:
        records = json.loads(content)
    except json.JSONDecodeError as error:
        if error.msg != "Extra data":
            raise
        records = [json.loads(line) for line in content.splitlines() if line.strip()]
    return pd.DataFrame(records)


def _read_statistics(content, format):
    require("readers", f".{format} files", "pyreadstat")
    import pyreadstat

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"data.{format}"
        file.write_bytes(content)
        frame, facts = getattr(pyreadstat, f"read_{'xport' if format == 'xpt' else format}")(file)
    for name, labels in facts.variable_value_labels.items():
        if set(frame[name].dropna()) <= set(labels):
            labelled = frame[name].map(labels).astype(object)
            levels = [labels[code] for code in sorted(labels)]
            is_ordinal = facts.variable_measure.get(name) == "ordinal" and len({*levels}) == len(levels)
            frame[name] = pd.Categorical(labelled, levels, ordered=True) if is_ordinal else labelled
    return frame.replace({"": None})
