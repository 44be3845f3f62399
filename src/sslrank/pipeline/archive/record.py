"""One file of the archive: all results of one method on one dataset in one study, and what they are.

A file is Parquet with one table, whose column ``part`` says what a row is about (:data:`PARTS`); columns that are not
of its part are null. The file's metadata has, as JSON:

- ``sslrank.format``: :data:`FORMAT`;
- ``sslrank.what``: what was computed. Two results of the same "what" are the same but for what "how" changes;
- ``sslrank.how``: what computed it: one entry for each commit, machine and set of versions that took part;
- ``sslrank.dataset``: the dataset's facts (numbers of examples and features, ...), for tables made without the data.
"""

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from sslrank.errors import DataError

FORMAT = 1
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
    # the best features over all folds: see sslrank.pipeline.archive.summaries.feature_rows
    "feature": [
        *("L", "mode", "ranking", "place", "feature", "mean_rank", "rank_deviation"),
        *("mean_importance", "importance_deviation", "selected"),
    ],
    # how alike the folds' rankings are: see stability_rows there
    "stability": [
        *("L", "mode", "ranking", "n_features", "n_folds", "top", "k", "stability", "lower", "upper", "mean_size")
    ],
    # every job of the workflow: seconds, memory in MB, processor seconds
    "job": ["step", "L", "evaluator", "s", "max_rss", "cpu_time"],
}
_KEYS = ("what", "how", "dataset")
_WHOLE = {"k": "Int64"}


#: Advice where a file of the archive is damaged or lost.
RESTORE = "Restore it (git checkout), or delete it and run: snakemake archive"


class ArchiveError(DataError):
    """A file of the archive cannot be used; the message says which, why, and what to do."""


@dataclass(frozen=True)
class Record:
    """The results of one method on one dataset in one study.

    Attributes
    ----------
    what : dict
        study; dataset: name, task, fingerprint; splits: the protocol; splits_sha256; seed; modes; method: name, spec;
        evaluators: by name, evaluator, params and L. "L" are those of the protocol that are finished.
    how : list of dict
        commit, committed (its date), versions, machine, instructions, code (hashes by job), date (of the last job).
    dataset : dict
        Facts: examples, features, nominal, ...
    parts : dict of str to DataFrame
        By part, with the columns of :data:`PARTS`.
    """

    what: dict
    how: list
    dataset: dict
    parts: dict

    @property
    def file(self):
        """Path below the archive's folder."""
        return file_name(self.what["study"], self.what["dataset"]["name"], self.what["method"]["name"])


def file_name(study, dataset, method):
    """Path of a record below the archive's folder."""
    return f"{study}/{dataset}/{method}.parquet"


def key_of(content):
    """16 hexadecimal digits of a "what" or "how"; dates do not count."""
    if isinstance(content, list):
        content = [{key: value for key, value in item.items() if key != "date"} for item in content]
    text = json.dumps(content, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def write_record(record, path):
    """Write a file of the archive; equal records give equal bytes.

    Parameters
    ----------
    record : Record
    path : path-like
    """
    tables = []
    for part, columns in PARTS.items():
        frame = record.parts[part]
        columns = {"part": [part] * len(frame)} | {name: frame[name].to_numpy(dtype=object) for name in columns}
        arrays = [
            pa.array(columns[field.name], _plain(field.type), from_pandas=True).cast(field.type)
            if field.name in columns
            else pa.nulls(len(frame), field.type)
            for field in SCHEMA
        ]
        tables.append(pa.table(arrays, schema=SCHEMA))
    metadata = {"sslrank.format": str(FORMAT)}
    for key in _KEYS:  # the facts in the order of a table's columns
        text = json.dumps(getattr(record, key), sort_keys=key != "dataset", ensure_ascii=False)
        metadata[f"sslrank.{key}"] = text
    texts = [field.name for field in SCHEMA if not pa.types.is_floating(field.type)]
    options = {"compression": "zstd", "compression_level": 19, "use_dictionary": texts, "write_statistics": False}
    with pq.ParquetWriter(path, SCHEMA, store_schema=False, **options) as writer:
        writer.write_table(pa.concat_tables(tables).unify_dictionaries().combine_chunks())
        writer.add_key_value_metadata(metadata)


def _plain(kind):
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def read_head(path):
    """What a file of the archive is, without its rows: a record with empty parts.

    Raises
    ------
    ArchiveError
        If it is none, or of a newer format.
    """
    with _opened(path) as file:
        return _head(file, path)


def read_record(path):
    """Read a file of the archive; its bytes are not compared with the manifest here.

    Raises
    ------
    ArchiveError
        If it is none, is damaged, or of a newer format.
    """
    with _opened(path) as file:
        head = _head(file, path)
        try:
            table = file.read()
        except (OSError, pa.ArrowException) as error:
            raise ArchiveError(f"cannot be read: {error}", file=path, advice=RESTORE) from None
    if not table.schema.remove_metadata().equals(_STORED):
        raise ArchiveError("has other columns than a file of this format", file=path, advice=RESTORE)
    parts = {part: _of_part(table, part) for part in PARTS}
    return Record(head.what, head.how, head.dataset, parts)


def _of_part(table, part):
    chosen = table.filter(pc.equal(table["part"], part)).select(PARTS[part])
    frame = chosen.to_pandas()  # whole numbers stay what they are, as no other part's null is among them
    return frame.astype({name: kind for name, kind in _WHOLE.items() if name in frame})


_STORED = pa.schema([(field.name, _plain(field.type)) for field in SCHEMA])


def _opened(path):
    try:
        return pq.ParquetFile(path)
    except FileNotFoundError:
        raise ArchiveError("there is no such file", file=path, advice=RESTORE) from None
    except (OSError, pa.ArrowException) as error:
        raise ArchiveError(f"is no Parquet file, or is cut off: {error}", file=path, advice=RESTORE) from None


def _head(file, path):
    found = {key.decode(): value for key, value in (file.metadata.metadata or {}).items()}
    version = found.get("sslrank.format", b"").decode()
    if not version.isdigit():
        raise ArchiveError("is no file of an archive: its metadata names no format", file=path, advice=RESTORE)
    if int(version) > FORMAT:
        raise ArchiveError(
            f"has the format {version}; this version of sslrank reads up to {FORMAT}",
            file=path,
            advice="Install a newer one",
        )
    try:
        what, how, dataset = (json.loads(found[f"sslrank.{key}"]) for key in _KEYS)
        study, name, method = what["study"], what["dataset"]["name"], what["method"]["name"]
    except (KeyError, TypeError, ValueError) as error:
        raise ArchiveError(f"its metadata cannot be read ({error!r})", file=path, advice=RESTORE) from None
    if Path(path).as_posix().endswith(file_name(study, name, method)):
        return Record(what, how, dataset, {part: pd.DataFrame(columns=PARTS[part]) for part in PARTS})
    raise ArchiveError(f"is about {study}, {name}, {method}, not what its path says", file=path, advice=RESTORE)


def last_made(record):
    """The last of what made a record: that of the newest commit, and there of the last job."""
    return max(record.how, key=lambda made: (_committed(made), made["date"]))


def commits(record):
    """The commits that made a record, each once, the newest first; "unknown" for those that are not known."""
    made = sorted(record.how, key=_committed, reverse=True)
    return list(dict.fromkeys(group["commit"] or "unknown" for group in made))


def commit_words(hashes):
    """Commits in words.

    Parameters
    ----------
    hashes : str
        Of :func:`commits`, with blanks between them.

    Returns
    -------
    str
        The first twelve characters of the newest, and how many older ones there are.
    """
    newest, *older = hashes.split()
    return newest[:12] + (f" and {len(older)} older" if older else "")


def commit_time(record):
    """When the newest commit that made a record was made, in seconds; 0 where it is not known."""
    return _committed(last_made(record))


def _committed(made):
    return datetime.fromisoformat(made["committed"]).timestamp() if made["committed"] else 0


def differences(first, second, place=""):
    """Where two "what" differ.

    Parameters
    ----------
    first, second : dict

    Yields
    ------
    str
        As in ``"splits.folds: 10 and 3"``.
    """
    if isinstance(first, dict) and isinstance(second, dict):
        for key in [*first, *(key for key in second if key not in first)]:
            inside = f"{place}.{key}" if place else str(key)
            yield from differences(first.get(key), second.get(key), inside)
    elif first != second:
        yield f"{place}: {json.dumps(first)} and {json.dumps(second)}"


def deviation(what, other):
    """The first difference of what two "what" are both about; "" if there is none.

    What a plan does not know yet, a hash of the splits or the fingerprint of an own file, does not count, nor do L that
    are not finished and evaluators that only one of them has.
    """
    evaluators = {name: other["evaluators"][name] for name in what["evaluators"] if name in other["evaluators"]}
    known = what | {"evaluators": {name: what["evaluators"][name] for name in evaluators}}
    other = other | {"evaluators": evaluators}
    if None in (what["dataset"]["fingerprint"], other["dataset"]["fingerprint"]):
        known, other = (part | {"dataset": part["dataset"] | {"fingerprint": None}} for part in (known, other))
    keys = [key for key in known if key in other and key != "L"]
    return next(differences({key: known[key] for key in keys}, {key: other[key] for key in keys}), "")
