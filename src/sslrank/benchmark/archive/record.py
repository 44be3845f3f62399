"""One file of the archive: results of all methods on one dataset in one study, with their provenance.

A file is Parquet, compressed as a whole by zstd, because metadata and footer, which Parquet does not compress, would be
a third of it. It has one table. The column ``method`` has the method of a row, ``part`` the kind of row
(:data:`PARTS`); columns that do not belong to the part are null. The metadata has, as JSON:

- ``sslrank.format``: :data:`FORMAT`;
- ``sslrank.records``: for each method its "spec", what was computed (results with the same spec are equal up to their
  provenance); "provenance", what computed it, with a group for each commit, machine and set of versions; and
  "dataset", facts (numbers of examples and features, ...) for tables made without the data.

The file of an experiment is similar, but has one record and its own
tables: the column ``table`` has the table of a row, ``part`` the part of the experiment; other columns are named
``<table>.<column>``.
"""

import hashlib
import json
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.compute
import pyarrow.parquet as pq

from sslrank.core.errors import DataError

FORMAT = 2
SUFFIX = ".parquet.zst"
_TEXT = pa.dictionary(pa.int32(), pa.string())
#: Columns in the order of a file, with their types.
_COLUMNS = (
    ("method part L", _TEXT),
    ("fold", pa.int32()),
    ("mode ranking evaluator measure", _TEXT),
    ("k", pa.int32()),
    ("value", pa.float64()),
    ("n_test n_labeled", pa.int32()),
    ("status", _TEXT),
    ("seconds", pa.float64()),
    ("message details", _TEXT),
    ("bits order", pa.int64()),
    ("best", pa.list_(pa.int32())),
    ("place", pa.int16()),
    ("feature", _TEXT),
    ("mean_rank rank_deviation mean_importance importance_deviation selected", pa.float32()),
    ("n_features n_folds", pa.int32()),
    ("top", _TEXT),
    ("stability lower upper mean_size", pa.float64()),
    ("step", _TEXT),
    ("s max_rss cpu_time", pa.float64()),
)
SCHEMA = pa.schema([(name, kind) for names, kind in _COLUMNS for name in names.split()])
#: The types of the columns when a file is read.
STORED = pa.schema(
    [(field.name, pa.string() if pa.types.is_dictionary(field.type) else field.type) for field in SCHEMA]
)
#: Columns of each part.
PARTS = {
    # every score of the evaluators
    "score": ["ranking", "mode", "L", "fold", "evaluator", "measure", "k", "value", "n_test", "n_labeled"],
    # every fit: status ok, failed, timeout or unsupported, and its seconds
    "fit": ["L", "mode", "fold", "status", "seconds", "message", "details"],
    # every evaluator: status, seconds and message of its job
    "scoring": ["evaluator", "status", "seconds", "message"],
    # every ranking: hashes of its importances and of its order, and the positions of its best features in the dataset's
    # table, best first (None in records of older versions)
    "ranking": ["L", "mode", "fold", "ranking", "bits", "order", "best"],
    # the best features over all folds, see sslrank.benchmark.archive.ranking_summaries.feature_rows
    "feature": [
        *("L", "mode", "ranking", "place", "feature", "mean_rank", "rank_deviation"),
        *("mean_importance", "importance_deviation", "selected"),
    ],
    # how similar the rankings of the folds are, see stability_rows there
    "stability": [
        *("L", "mode", "ranking", "n_features", "n_folds", "top", "k", "stability", "lower", "upper", "mean_size")
    ],
    # every job of the workflow: seconds, memory in MB, processor seconds
    "job": ["step", "L", "evaluator", "s", "max_rss", "cpu_time"],
}
#: Number of best features over the folds that are stored, and of features of each ranking whose order is stored.
N_STORED, ORDERED = 30, 200
#: Bytes that a decompressed file may have; the largest has half a megabyte.
LARGEST = 100_000_000
_WHOLE = {"k": "Int64"}
_METHOD, _TABLE, _PART = "method", "table", "part"
#: Folder of a study's experiments, next to those of its datasets; no dataset has this name.
EXPERIMENTS_FOLDER = "experiments"
#: Table of an experiment with a row for each part: s, max_rss, cpu_time and end of its job. The name is reserved.
JOB = "job"

#: Command that archives the results of a study, here from its other files and new computations.
ARCHIVE_AGAIN = "snakemake --cores 2 archive --config archive=use studies=STUDY"
#: Advice if a file of the archive is damaged, lost or incomplete.
RESTORE = f"Restore it (git checkout), or delete it and run: {ARCHIVE_AGAIN}"


class ArchiveError(DataError):
    """A file of the archive cannot be used; the message has the file, the reason and how to repair it."""


@dataclass(frozen=True)
class Record:
    """The results of one method on one dataset in one study, or those of an experiment of a study.

    - `spec`: study; dataset (name, task, fingerprint); splits, the protocol; splits_sha256; seed; modes; method (name,
      spec); evaluators (by name: evaluator, params and L); L, the finished label budgets. Of an experiment: study;
      experiment (name, module); seed; parts, the parameters of finished parts by name.
    - `provenance`, by environment: commit, committed (its date), versions, machine, instructions, code (hashes by job),
      date (of the last job).
    - `dataset`: facts such as examples and features; empty for an experiment.
    - `parts`: tables with the columns of :data:`PARTS`; of an experiment by table, with the column part.
    """

    spec: dict
    provenance: list
    dataset: dict
    parts: dict

    @property
    def key(self):
        """Study, dataset and method; for an experiment study, :data:`EXPERIMENTS_FOLDER` and its name."""
        if self.is_experiment:
            return self.spec["study"], EXPERIMENTS_FOLDER, self.spec["experiment"]["name"]
        return self.spec["study"], self.spec["dataset"]["name"], self.spec["method"]["name"]

    @property
    def file(self):
        """Path within the archive's folder."""
        return file_name(*self.key)

    @property
    def sha256(self):
        """Hash of the record without its provenance; independent of versions of the format and of libraries."""
        digest = hashlib.sha256(json.dumps([self.spec, self.dataset], sort_keys=True, ensure_ascii=False).encode())
        for table in _tables_of(self)[1]:
            digest.update(json.dumps(table.to_pydict(), ensure_ascii=False).encode())
        return digest.hexdigest()

    @property
    def is_experiment(self):
        """True if the record is of an experiment."""
        return "experiment" in self.spec


def file_name(study, dataset, method):
    """Return the path of a record in the archive's folder, by its :attr:`Record.key`."""
    name = f"{EXPERIMENTS_FOLDER}/{method}" if dataset == EXPERIMENTS_FOLDER else dataset
    return f"{study}/{name}{SUFFIX}"


def provenance_groups(jobs):
    """Build the provenance of a record from the environment, code hash and date of each job."""
    groups = {}
    for job, (provenance, code, date) in jobs.items():
        group = groups.setdefault(json.dumps(provenance, sort_keys=True), provenance | {"code": {}, "date": ""})
        group["code"][job] = code
        group["date"] = max(group["date"], date)
    return list(groups.values())


def job_name(part):
    """Name the job of a part of an experiment as in the code hashes of a record's provenance."""
    return f"part {part}"


def part_tables(record):
    """Split the tables of an experiment's record, without that of the jobs, by part."""
    by_part = {part: {} for part in record.spec["parts"]}
    for table, frame in record.parts.items():
        for part, rows in frame.groupby(_PART, sort=False) if table != JOB else ():
            by_part[part][table] = rows.drop(columns=_PART).reset_index(drop=True)
    return by_part


def write_records(records, path, level=19):
    """Write a file of the archive: the records of all methods on a dataset, or the record of an experiment.

    Equal records give equal bytes. `level` is that of the compression.
    """
    Path(path).write_bytes(pa.Codec("zstd", level).compress(_content(records), asbytes=True))


def _content(records):
    schema = _tables_of(records[0])[0]
    tables = [table for record in records for table in _tables_of(record)[1]]
    # The facts in the order of a table's columns.
    described = [
        {key: _with_sorted_keys(getattr(record, key)) for key in ("spec", "provenance")} | {"dataset": record.dataset}
        for record in records
    ]
    metadata = {"sslrank.format": str(FORMAT), "sslrank.records": json.dumps(described, ensure_ascii=False)}
    texts = [field.name for field in schema if not pa.types.is_floating(field.type)]
    options = {"compression": "none", "use_dictionary": texts, "write_statistics": False}
    content = pa.BufferOutputStream()
    with pq.ParquetWriter(content, schema, store_schema=False, **options) as writer:
        writer.write_table(pa.concat_tables(tables).unify_dictionaries().combine_chunks())
        writer.add_key_value_metadata(metadata)
    return content.getvalue()


def _with_sorted_keys(block):
    return json.loads(json.dumps(block, sort_keys=True))


def _table(schema, frame, constant):
    """Build rows of a file from a frame with some of the columns, and values of others."""
    columns = {name: [value] * len(frame) for name, value in constant.items()}
    columns |= {name: frame[name].to_numpy(object) for name in frame}
    arrays = [
        pa.array(columns[field.name], _plain(field.type), from_pandas=True).cast(field.type)
        if field.name in columns
        else pa.nulls(len(frame), field.type)
        for field in schema
    ]
    return pa.table(arrays, schema=schema)


def _tables_of(record):
    """Return the schema of a record's file, and its rows by part or table."""
    if not record.is_experiment:
        name = {_METHOD: record.key[2]}
        tables = [_table(SCHEMA, record.parts[part][PARTS[part]], name | {_PART: part}) for part in PARTS]
        return SCHEMA, tables
    frames, fields = {}, [(_TABLE, _TEXT), (_PART, _TEXT)]
    for table, frame in record.parts.items():
        frames[table] = frame.rename(columns={name: f"{table}.{name}" for name in frame if name != _PART})
        fields += [(name, _kind_of(frames[table][name], name)) for name in frames[table] if name != _PART]
    schema = pa.schema(fields)
    return schema, [_table(schema, frame, {_TABLE: table}) for table, frame in frames.items()]


def _kind_of(values, column):
    kind = pa.Array.from_pandas(values).type
    if any(is_type(kind) for is_type in (pa.types.is_integer, pa.types.is_floating, pa.types.is_boolean)):
        return kind
    if any(is_type(kind) for is_type in (pa.types.is_string, pa.types.is_large_string, pa.types.is_null)):
        return _TEXT
    raise ArchiveError(f"the values of {column} are of the type {kind}; it keeps numbers, texts and booleans")


def _plain(kind):
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def read_metadata(path):
    """Read the metadata of a file: its records without parts. Errors are those of :func:`read_records`."""
    return _read_heads(_open(path), path)


def read_records(path):
    """Read a file of the archive, without checking its hash or that its records are complete.

    Raises an ArchiveError if the file is not of the archive, is damaged, or has another format.
    """
    file = _open(path)
    heads = _read_heads(file, path)
    try:
        table = file.read()
    except (OSError, pa.ArrowException) as error:
        raise ArchiveError(f"cannot be read: {error}", file=path, advice=RESTORE) from None
    schema = table.schema.remove_metadata()
    if not (schema.names[:2] == [_TABLE, _PART] if heads[0].is_experiment else schema.equals(STORED)):
        raise ArchiveError("has other columns than a file of this format", file=path, advice=RESTORE)
    if heads[0].is_experiment:
        return [replace(heads[0], parts=_experiment_parts(table))]
    by_key = {}
    for part, columns in PARTS.items():
        for method, rows in _rows_of(table, _PART, part, [_METHOD, *columns]).groupby(_METHOD, sort=False):
            by_key[method, part] = rows[columns].reset_index(drop=True)
    empty = {part: pd.DataFrame(columns=columns) for part, columns in PARTS.items()}
    return [
        replace(head, parts={part: by_key.get((head.key[2], part), empty[part].copy()) for part in PARTS})
        for head in heads
    ]


def _experiment_parts(table):
    columns = {}
    for column in table.schema.names[2:]:
        name, _, inside = column.partition(".")
        columns.setdefault(name, {_PART: _PART})[column] = inside
    return {name: _rows_of(table, _TABLE, name, list(names)).rename(columns=names) for name, names in columns.items()}


def _rows_of(table, column, value, names):
    # Integers stay integers, because nulls of other parts are not among them.
    frame = table.filter(pa.compute.equal(table[column], value)).select(names).to_pandas()
    return frame.astype({name: kind for name, kind in _WHOLE.items() if name in names})


def _open(path):
    try:
        with pa.input_stream(str(path), compression="zstd") as stream:
            content = stream.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise ArchiveError(f"has more than {LARGEST / 1e6:.0f} MB decompressed", file=path, advice=RESTORE)
        return pq.ParquetFile(pa.BufferReader(content))
    except FileNotFoundError:
        raise ArchiveError("there is no such file", file=path, advice=RESTORE) from None
    except (OSError, pa.ArrowException) as error:
        problem = f"is not a Parquet file in zstd, or is cut off: {error}"
        raise ArchiveError(problem, file=path, advice=RESTORE) from None


def _read_heads(file, path):
    metadata = {key.decode(): value for key, value in (file.metadata.metadata or {}).items()}
    version = metadata.get("sslrank.format", b"").decode()
    if not version.isdigit():
        raise ArchiveError("is not a file of an archive: its metadata names no format", file=path, advice=RESTORE)
    if int(version) != FORMAT:
        advice = "Install a newer one" if int(version) > FORMAT else f"Delete it and run: {ARCHIVE_AGAIN}"
        raise ArchiveError(
            f"has the format {version}; this version of sslrank reads {FORMAT}", file=path, advice=advice
        )
    try:
        heads = [
            Record(block["spec"], block["provenance"], block["dataset"], {})
            for block in json.loads(metadata["sslrank.records"])
        ]
        files = {head.file for head in heads}
    except (KeyError, TypeError, ValueError) as error:
        raise ArchiveError(f"its metadata cannot be read ({error!r})", file=path, advice=RESTORE) from None
    # The results of a run on a dataset are in its study's folder.
    paths = {path for file in files for path in (file, file.replace("/", "/datasets/", 1))}
    if len(files) != 1 or not Path(path).as_posix().endswith(tuple(paths)):
        raise ArchiveError(
            f"is about {', '.join(sorted(files)) or 'nothing'}, not this path", file=path, advice=RESTORE
        )
    return heads


def last_made(record):
    """Return the group of a record's provenance with the newest commit and, of that commit, the last job."""
    return max(record.provenance, key=lambda group: (committed_time(group), group["date"]))


def commits(record):
    """List the commits that made a record, newest first; "unknown" for a missing one."""
    newest_first = sorted(record.provenance, key=committed_time, reverse=True)
    return list(dict.fromkeys(group["commit"] or "unknown" for group in newest_first))


def newest_commit(hashes):
    """Name the newest of the hashes of :func:`commits` (joined by blanks), with the number of older ones."""
    newest, *older = hashes.split()
    return newest[:12] + (f" and {len(older)} older" if older else "")


def committed_time(group):
    """Return the commit time of a group of provenance in seconds; 0 if unknown."""
    return datetime.fromisoformat(group["committed"]).timestamp() if group["committed"] else 0


def deviations(first, second, where=""):
    """Yield the differences between two specs, such as ``"splits.folds: 10 and 3"``."""
    if isinstance(first, dict) and isinstance(second, dict):
        for key in [*first, *(key for key in second if key not in first)]:
            inside = f"{where}.{key}" if where else str(key)
            yield from deviations(first.get(key), second.get(key), inside)
    elif first != second:
        yield f"{where}: {json.dumps(first)} and {json.dumps(second)}"


def deviation(spec, other):
    """Return the first difference in what two specs have in common; "" if there is none.

    Ignored are what a plan does not know yet (the hash of the splits, the fingerprint of an own file), unfinished L,
    and evaluators and parts that only one spec has.
    """
    for key in ("evaluators", "parts"):
        if key in spec and key in other:
            common = [name for name in spec[key] if name in other[key]]
            spec, other = (each | {key: {name: each[key][name] for name in common}} for each in (spec, other))
    if "dataset" in spec and None in (spec["dataset"]["fingerprint"], other["dataset"]["fingerprint"]):
        spec, other = (each | {"dataset": each["dataset"] | {"fingerprint": None}} for each in (spec, other))
    keys = [key for key in spec if key in other and key != "L"]
    return next(deviations({key: spec[key] for key in keys}, {key: other[key] for key in keys}), "")
