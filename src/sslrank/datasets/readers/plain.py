"""Blocks of plain CSV by pyarrow: only where the result is that of :func:`sslrank.datasets.readers.delimited.read`."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from sslrank.core.frames import is_number
from sslrank.datasets.dataset import DataError
from sslrank.datasets.readers.kinds import BLANKS, NA_WORDS, has_codes, is_code
from sslrank.datasets.readers.table import ParsedTable, place


class PlainPieces:
    """Converts blocks of lines whose columns are known: numeric, nominal, or "auto" where the values decide.

    `missing` is that of :func:`sslrank.datasets.readers.delimited.read`.
    """

    def __init__(self, path, columns, delimiter, missing, decimal):
        self.path, self.columns = path, columns
        self.possible = delimiter != " " and decimal == "."
        self.parsing = csv.ParseOptions(delimiter=delimiter)
        self.names = [str(j) for j in range(len(columns))]
        self.missing = missing
        #: Columns whose kind nobody declared, as far as it is known by now: "numeric", "nominal", or "auto".
        self.kinds = {column.name: column.kind for column in columns}
        self.inferred = {column.name for column in columns if column.kind == "auto"}
        #: Of these, those of whole numbers so far: codes such as 007 are looked for in them.
        self.whole = set(self.inferred)
        mark = re.escape(delimiter).encode()
        self.quoted = re.compile(rb'(?:^|%b)"(?:[^"\n]|"")*"(?=%b|$)' % (mark, mark), re.MULTILINE)

    def for_texts(self, columns):
        """The columns as a reader of texts is to take them: what looks like numbers so far may turn out not to be."""
        return [
            replace(column, kind="nominal") if self.kinds[column.name] == "nominal" else column for column in columns
        ]

    def look_at(self, table):
        """Learn the kinds of columns from a piece; raise a DataError if a column of numbers has something else."""
        for name in sorted(self.inferred):
            values = table.frame[name]
            known = values.notna().to_numpy()
            if not known.any():
                continue
            kind = "nominal" if isinstance(values.dtype, pd.CategoricalDtype) else "numeric"
            if self.kinds[name] == "numeric" and kind == "nominal":
                self._refuse(table, name, values)
            if self.kinds[name] == "auto":
                self.kinds[name] = kind
            if kind == "nominal":
                self.inferred.discard(name)
                self.whole.discard(name)
            elif name in self.whole:
                numbers = values.to_numpy()[known]
                if (numbers != np.floor(numbers)).any():
                    self.whole.discard(name)

    def _refuse(self, table, name, values):
        texts = enumerate(values.astype(object))
        row, text = next((row, text) for row, text in texts if text == text and (is_code(text) or not is_number(text)))
        number = next(j for j, column in enumerate(self.columns) if column.name == name)
        raise DataError(
            f"{text!r} is not a plain number, and all values before it are",
            file=self.path,
            line=int(table.numbers[row]),
            column=place(number, name),
            advice=f"Correct it, or add --nominal {name} if these are categories, --numeric {name} if they are numbers",
        )

    def convert(self, line, content):
        """Convert whole lines, the first of which is `line`; None if pyarrow may take anything otherwise."""
        if not self.possible or b"\0" in content:
            return None
        if b'"' in content and content.count(b'"') != sum(cell.count(b'"') for cell in self.quoted.findall(content)):
            return None
        as_numbers = [self.kinds[column.name] == "numeric" and column.name not in self.whole for column in self.columns]
        options = csv.ConvertOptions(
            column_types={
                name: pa.float64() if plain else pa.string() for name, plain in zip(self.names, as_numbers, strict=True)
            },
            null_values=[*BLANKS, *NA_WORDS] if self.missing is None else list(self.missing),
            strings_can_be_null=True,
            quoted_strings_can_be_null=self.missing is not None,
        )
        try:
            found = csv.read_csv(
                pa.BufferReader(content), csv.ReadOptions(column_names=self.names), self.parsing, options
            )
            if found.num_rows != content.count(b"\n"):  # lines that are blank
                return None
            values = [
                self._values(column, found.column(j).combine_chunks(), plain)
                for j, (column, plain) in enumerate(zip(self.columns, as_numbers, strict=True))
            ]
        except pa.ArrowException:
            return None
        if any(part is None for part in values):
            return None
        # not brought together, as few rows are taken from it
        frame = pd.DataFrame(dict(zip([column.name for column in self.columns], values, strict=True)), copy=False)
        return ParsedTable(frame, {}, self.path, np.arange(line, line + len(frame)))

    def _values(self, column, found, is_number):
        if not is_number:
            if found.null_count < len(found) and pc.any(pc.not_equal(pc.utf8_trim(found, " \t"), found)).as_py():
                return None
            kind = self.kinds[column.name]
            if kind == "auto":
                return np.full(len(found), np.nan) if found.null_count == len(found) else None
            if kind == "nominal":
                marks = pa.array([*BLANKS] if self.missing is None else list(self.missing), pa.string())
                encoded = pc.if_else(pc.is_in(found, marks), None, found).dictionary_encode()
                codes = encoded.indices.fill_null(-1).to_numpy()
                return pd.Categorical.from_codes(codes, categories=encoded.dictionary.to_pylist())
            if has_codes(found):
                return None
            found = pc.cast(found, pa.float64())
        numbers = found.to_numpy(zero_copy_only=False)
        if found.null_count:
            if np.count_nonzero(np.isnan(numbers)) != found.null_count:
                return None
            least, most = np.fmin.reduce(numbers), np.fmax.reduce(numbers)
            return None if least <= -(2.0**53) or most >= 2.0**53 else numbers
        # both comparisons are false if there is a NaN, which pyarrow reads where we do not
        return numbers if numbers.min(initial=0.0) > -(2.0**53) and numbers.max(initial=0.0) < 2.0**53 else None
