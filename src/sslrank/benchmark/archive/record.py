"""One file of the archive: all results of one method on one dataset in one study, with their provenance.

A file is Parquet, compressed as a whole by zstd: metadata and footer, which Parquet does not compress, were a third of
it. It has one table, whose column ``part`` says what a row is about (:data:`PARTS`); columns that are not of its part
are null. The metadata has, as JSON:

- ``sslrank.format``: :data:`FORMAT`;
- ``sslrank.what``: what was computed. Two results with the same "what" are equal up to their "how";
- ``sslrank.how``: what computed it: one entry for each commit, machine and set of versions that took part;
- ``sslrank.dataset``: the dataset's facts (numbers of examples and features, ...), for tables made without the data.

The file of an experiment (:mod:`sslrank.benchmark.archive.experiments`) is similar, but has its own tables: the column
``table`` says which one a row is of, ``part`` which part of the experiment, and the other columns are named
``<table>.<column>``.
"""

import hashlib
import json
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from sslrank.core.errors import DataError

FORMAT = 1
SUFFIX = ".parquet.zst"
_TEXT = pa.dictionary(pa.int32(), pa.string())
SCHEMA = pa.schema(
    [
        ("part", _TEXT),
        ("L", _TEXT),
        ("fold", pa.int32()),
        ("mode", _TEXT),
        ("ranking", _TEXT),
        ("evaluator", _TEXT),
        ("measure", _TEXT),
        ("k", pa.int32()),
        ("value", pa.float64()),
        ("n_test", pa.int32()),
        ("n_labeled", pa.int32()),
        ("status", _TEXT),
        ("seconds", pa.float64()),
        ("message", _TEXT),
        ("details", _TEXT),
        ("bits", pa.int64()),
        ("order", pa.int64()),
        ("place", pa.int16()),
        ("feature", _TEXT),
        ("mean_rank", pa.float32()),
        ("rank_deviation", pa.float32()),
        ("mean_importance", pa.float32()),
        ("importance_deviation", pa.float32()),
        ("selected", pa.float32()),
        ("n_features", pa.int32()),
        ("n_folds", pa.int32()),
        ("top", _TEXT),
        ("stability", pa.float64()),
        ("lower", pa.float64()),
        ("upper", pa.float64()),
        ("mean_size", pa.float64()),
        ("step", _TEXT),
        ("s", pa.float64()),
        ("max_rss", pa.float64()),
        ("cpu_time", pa.float64()),
    ]
)
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
    # every ranking, as two numbers that are equal only for equal importances, or an equal order of the features
    "ranking": ["L", "mode", "fold", "ranking", "bits", "order"],
    # the best features over all folds: see sslrank.benchmark.archive.kept_rankings.feature_rows
    "feature": [
        *("L", "mode", "ranking", "place", "feature", "mean_rank", "rank_deviation"),
        *("mean_importance", "importance_deviation", "selected"),
    ],
    # how similar the rankings of the folds are: see stability_rows there
    "stability": [
        *("L", "mode", "ranking", "n_features", "n_folds", "top", "k", "stability", "lower", "upper", "mean_size")
    ],
    # every job of the workflow: seconds, memory in MB, processor seconds
    "job": ["step", "L", "evaluator", "s", "max_rss", "cpu_time"],
}
_KEYS = ("what", "how", "dataset")
_WHOLE = {"k": "Int64"}
_TABLE, _PART = "table", "part"
#: The column that says which part a row is of, and by part its columns: the name in the file, and in the part's table.
_PAIR = _PART, {part: dict(zip(columns, columns, strict=True)) for part, columns in PARTS.items()}
#: Folder of a study's experiments, next to those of its datasets; no dataset has this name.
EXPERIMENTS = "experiments"

#: Advice where a file of the archive is damaged or lost.
RESTORE = "Restore it (git checkout), or delete it and run: snakemake -f archive"


class ArchiveError(DataError):
    """A file of the archive cannot be used; the message says which, why, and how to repair it."""


@dataclass(frozen=True)
class Record:
    """The results of one method on one dataset in one study, or those of an experiment of a study.

    - `what`: study; dataset (name, task, fingerprint); splits, the protocol; splits_sha256; seed; modes; method (name,
      spec); evaluators (by name: evaluator, params and L); L, those of the protocol that are finished. Of an
      experiment: study; experiment (name, module); seed; parts, the parameters of those that are finished by name.
    - `how`, by environment: commit, committed (its date), versions, machine, instructions, code (hashes by job), date
      (of the last job).
    - `dataset`: facts such as examples and features; none of an experiment.
    - `parts`: tables with the columns of :data:`PARTS`; of an experiment by table, with the column part.
    """

    what: dict
    how: list
    dataset: dict
    parts: dict

    @property
    def file(self):
        """Path below the archive's folder."""
        return file_name(*subject(self.what))

    @property
    def is_experiment(self):
        """True if the record is of an experiment."""
        return "experiment" in self.what


def file_name(study, dataset, method):
    """Path of a record below the archive's folder; the "dataset" of an experiment is :data:`EXPERIMENTS`."""
    return f"{study}/{dataset}/{method}{SUFFIX}"


def subject(what):
    """Return study, dataset and method of a record, as :func:`file_name` takes them."""
    if "experiment" in what:
        return what["study"], EXPERIMENTS, what["experiment"]["name"]
    return what["study"], what["dataset"]["name"], what["method"]["name"]


def grouped(jobs):
    """Make the "how" of a record from the environment, the hash of the code and the date of each job, by job."""
    groups = {}
    for job, (how, code, date) in jobs.items():
        group = groups.setdefault(json.dumps(how, sort_keys=True), how | {"code": {}, "date": ""})
        group["code"][job] = code
        group["date"] = max(group["date"], date)
    return list(groups.values())


def key_of(content):
    """16 hexadecimal digits of a "what" or "how"; dates do not count."""
    if isinstance(content, list):
        content = [{key: value for key, value in item.items() if key != "date"} for item in content]
    text = json.dumps(content, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def write_record(record, path):
    """Write a file of the archive; equal records give equal bytes."""
    schema, key, parts = _layout(record)
    tables = []
    for part, names in parts.items():
        frame = record.parts[part]
        columns = {key: [part] * len(frame)} | {column: frame[name].to_numpy(object) for column, name in names.items()}
        arrays = [
            pa.array(columns[field.name], _plain(field.type), from_pandas=True).cast(field.type)
            if field.name in columns
            else pa.nulls(len(frame), field.type)
            for field in schema
        ]
        tables.append(pa.table(arrays, schema=schema))
    metadata = {"sslrank.format": str(FORMAT)}
    for key in _KEYS:  # the facts in the order of a table's columns
        text = json.dumps(getattr(record, key), sort_keys=key != "dataset", ensure_ascii=False)
        metadata[f"sslrank.{key}"] = text
    texts = [field.name for field in schema if not pa.types.is_floating(field.type)]
    options = {"compression": "none", "use_dictionary": texts, "write_statistics": False}
    content = pa.BufferOutputStream()
    with pq.ParquetWriter(content, schema, store_schema=False, **options) as writer:
        writer.write_table(pa.concat_tables(tables).unify_dictionaries().combine_chunks())
        writer.add_key_value_metadata(metadata)
    Path(path).write_bytes(pa.Codec("zstd", 19).compress(content.getvalue(), asbytes=True))


def _layout(record):
    """The schema of a record's file, the column that says which part a row is of, and the columns of each part."""
    if not record.is_experiment:
        return SCHEMA, *_PAIR
    fields, parts = [(_TABLE, _TEXT), (_PART, _TEXT)], {}
    for table, frame in record.parts.items():
        parts[table] = {f"{table}.{name}": name for name in frame if name != _PART}
        fields += [(column, _kind_of(frame[name], column)) for column, name in parts[table].items()]
    return pa.schema(fields), _TABLE, {table: {_PART: _PART} | columns for table, columns in parts.items()}


def _stored_layout(schema):
    """The last two of a file, by its columns; None if they are not those of this format."""
    if schema.equals(STORED):
        return _PAIR
    if schema.names[:2] != [_TABLE, _PART]:
        return None
    parts = {}
    for column in schema.names[2:]:
        table, _, name = column.partition(".")
        parts.setdefault(table, {_PART: _PART})[column] = name
    return _TABLE, parts


def _kind_of(values, column):
    kind = pa.Array.from_pandas(values).type
    if any(of_kind(kind) for of_kind in (pa.types.is_integer, pa.types.is_floating, pa.types.is_boolean)):
        return kind
    if any(of_kind(kind) for of_kind in (pa.types.is_string, pa.types.is_large_string, pa.types.is_null)):
        return _TEXT
    raise ArchiveError(f"the values of {column} are of the type {kind}; it keeps numbers, texts and truth values")


def _plain(kind):
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def read_head(path):
    """Read the metadata of a file of the archive: a record with empty parts. Errors are as in :func:`read_record`."""
    with _opened(path) as file:
        head = _head(file, path)
    of_pair = {} if head.is_experiment else PARTS
    return replace(head, parts={part: pd.DataFrame(columns=columns) for part, columns in of_pair.items()})


def read_record(path, only=None):
    """Read a file of the archive, or `only` some parts of it, without comparing its bytes with the manifest.

    An ArchiveError is raised if it is not such a file, is damaged, or has a newer format.
    """
    with _opened(path) as file:
        head = _head(file, path)
        try:
            table = file.read()
        except (OSError, pa.ArrowException) as error:
            raise ArchiveError(f"cannot be read: {error}", file=path, advice=RESTORE) from None
    layout = _stored_layout(table.schema.remove_metadata())
    if layout is None or (layout is not _PAIR) != head.is_experiment:
        raise ArchiveError("has other columns than a file of this format", file=path, advice=RESTORE)
    key, columns = layout
    parts = {
        part: _of_part(table.filter(pc.equal(table[key], part)), names)
        for part, names in columns.items()
        if only is None or part in only
    }
    return replace(head, parts=parts)


def _of_part(rows, names):
    # Whole numbers stay what they are, as no other part's null is among them.
    frame = rows.select(list(names)).to_pandas().rename(columns=names)
    return frame.astype({column: kind for column, kind in _WHOLE.items() if column in names})


def _opened(path):
    try:
        with pa.input_stream(str(path), compression="zstd") as stream:
            return pq.ParquetFile(pa.BufferReader(stream.read()))
    except FileNotFoundError:
        raise ArchiveError("there is no such file", file=path, advice=RESTORE) from None
    except (OSError, pa.ArrowException) as error:
        problem = f"is not a Parquet file in zstd, or is cut off: {error}"
        raise ArchiveError(problem, file=path, advice=RESTORE) from None


def _head(file, path):
    found = {key.decode(): value for key, value in (file.metadata.metadata or {}).items()}
    version = found.get("sslrank.format", b"").decode()
    if not version.isdigit():
        raise ArchiveError("is not a file of an archive: its metadata names no format", file=path, advice=RESTORE)
    if int(version) > FORMAT:
        raise ArchiveError(
            f"has the format {version}; this version of sslrank reads up to {FORMAT}",
            file=path,
            advice="Install a newer one",
        )
    try:
        what, how, dataset = (json.loads(found[f"sslrank.{key}"]) for key in _KEYS)
        about = subject(what)
    except (KeyError, TypeError, ValueError) as error:
        raise ArchiveError(f"its metadata cannot be read ({error!r})", file=path, advice=RESTORE) from None
    if not Path(path).as_posix().endswith(file_name(*about)):
        raise ArchiveError(f"is about {', '.join(about)}, which its path does not name", file=path, advice=RESTORE)
    return Record(what, how, dataset, {})


def last_made(record):
    """The entry of a record's "how" with the newest commit, and of that commit the last job."""
    return max(record.how, key=lambda made: (committed_time(made), made["date"]))


def commits(record):
    """The commits that made a record, each once, the newest first; "unknown" for those that are not known."""
    made = sorted(record.how, key=committed_time, reverse=True)
    return list(dict.fromkeys(group["commit"] or "unknown" for group in made))


def newest_commit(hashes):
    """Name the newest of the hashes of :func:`commits`, joined by blanks, and count the older ones."""
    newest, *older = hashes.split()
    return newest[:12] + (f" and {len(older)} older" if older else "")


def counted(item):
    """Describe an entry of a manifest's sources or experiments in words."""
    if "experiment" in item:
        return f"{item['parts']} parts of the experiment {item['experiment']}"
    results = "result" if item["results"] == 1 else "results"
    return f"{item['results']} {results} of a method on a dataset"


def committed_time(made):
    """Return the time of the commit of an entry of "how" in seconds; 0 if unknown."""
    return datetime.fromisoformat(made["committed"]).timestamp() if made["committed"] else 0


def deviations(first, second, place=""):
    """Yield the differences of two "what", each as in ``"splits.folds: 10 and 3"``."""
    if isinstance(first, dict) and isinstance(second, dict):
        for key in [*first, *(key for key in second if key not in first)]:
            inside = f"{place}.{key}" if place else str(key)
            yield from deviations(first.get(key), second.get(key), inside)
    elif first != second:
        yield f"{place}: {json.dumps(first)} and {json.dumps(second)}"


def deviation(what, other):
    """The first difference of what two "what" are both about; "" if there is none.

    What a plan does not know yet, a hash of the splits or the fingerprint of an own file, does not count, nor do L that
    are not finished, and evaluators and parts that only one of them has.
    """
    for key in ("evaluators", "parts"):
        if key in what and key in other:
            both = [name for name in what[key] if name in other[key]]
            what, other = (each | {key: {name: each[key][name] for name in both}} for each in (what, other))
    if "dataset" in what and None in (what["dataset"]["fingerprint"], other["dataset"]["fingerprint"]):
        what, other = (each | {"dataset": each["dataset"] | {"fingerprint": None}} for each in (what, other))
    keys = [key for key in what if key in other and key != "L"]
    return next(deviations({key: what[key] for key in keys}, {key: other[key] for key in keys}), "")
