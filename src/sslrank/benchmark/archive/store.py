"""The folder of the archive: records that its manifest lists with their hashes.

``manifest.csv`` has one row per file: file, sha256, bytes, what and how (keys: hashes of the file's metadata), L and
evaluators (those that are finished; none of an experiment), commit, committed and date (of the last job).

A change is written to the folder ``.new`` first, its manifest last; from then on it counts. Then the files are moved
into place, and the manifest after them. After an interruption in between, a file is right if either manifest has it,
and the next change begins by finishing the interrupted one.
"""

import csv
import fcntl
import io
import os
import shutil
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from sslrank.benchmark.archive.experiments import merged
from sslrank.benchmark.archive.record import (
    EXPERIMENTS,
    RESTORE,
    ArchiveError,
    differences,
    key_of,
    last_made,
    read_head,
    read_record,
    write_record,
)
from sslrank.benchmark.logs import file_hashes

MANIFEST = "manifest.csv"
COLUMNS = ["file", "sha256", "bytes", "what", "how", "L", "evaluators", "commit", "committed", "date"]
#: Source of what the archive has not and `archive=only` does not run; its fits have the status "not run".
MISSING = "not in the archive"
#: Folder of a change that is not finished.
NEW = ".new"


class Archive:
    """An archive on disk.

    Parameters
    ----------
    folder : path-like
        Without a manifest it is an empty archive.

    Raises
    ------
    ArchiveError
        If the manifest cannot be read.
    """

    def __init__(self, folder):
        self.folder = Path(folder)
        self._load()

    def _load(self):
        self._manifests = [
            _read_manifest(path) for path in (self.folder / MANIFEST, self.folder / NEW / MANIFEST) if path.is_file()
        ]

    @property
    def rows(self):
        """Row of the manifest by file; an interrupted change counts."""
        return self._manifests[-1] if self._manifests else {}

    def __contains__(self, file):
        return file in self.rows

    def is_there(self, file):
        """Whether the manifest lists a file that was not deleted."""
        return file in self.rows and self._place(file).is_file()

    def head(self, file):
        """What a file says that it is; its rows are not read, nor its hash taken. See :func:`read_head`."""
        return read_head(self._place(file))

    def read(self, file):
        """A record, after its bytes were compared with the manifest.

        Raises
        ------
        ArchiveError
            If the file is not listed, is not the one that the manifest lists, or cannot be read.
        """
        known = {rows[file]["sha256"] for rows in self._manifests if file in rows}
        path = self._place(file)
        if not known:
            raise ArchiveError(f"is not listed in {self.folder / MANIFEST}", file=path, advice=_LIST)
        if not path.is_file():
            raise ArchiveError(f"{MANIFEST} lists it, but there is no such file", file=path, advice=RESTORE)
        if file_hashes([path])[str(path)] not in known:
            raise ArchiveError(f"its content is not the one that {MANIFEST} lists (sha256)", file=path, advice=RESTORE)
        return read_record(path)

    def _place(self, file):
        """Where a file is: in place, or written by an interrupted change and not yet moved."""
        path = self.folder / file
        return path if path.exists() or not (self.folder / NEW / MANIFEST).is_file() else self.folder / NEW / file

    def records(self, study, *, datasets=None, methods=None):
        """The records of a study but for its experiments, alike; see :func:`check_alike`.

        Parameters
        ----------
        study : str
        datasets, methods : collection of str, optional
            Those to read; default: all.

        Returns
        -------
        list of Record
            By dataset and method, sorted.
        """
        found = []
        for file, (of, dataset, method) in self.names().items():
            wanted = (datasets is None or dataset in datasets) and (methods is None or method in methods)
            if of == study and dataset != EXPERIMENTS and wanted:
                found.append(self.read(file))
        check_alike(found)
        return found

    def experiments(self, study):
        """The records of a study's experiments, by their names, sorted."""
        return [self.read(file) for file, (of, where, _) in self.names().items() if (of, where) == (study, EXPERIMENTS)]

    def shared(self, study):
        """What the files of a study share; see :class:`Shared`. Experiments and deleted files do not count."""
        shared = Shared()
        for file, (of, dataset, _) in self.names().items():
            if of == study and dataset != EXPERIMENTS and self.is_there(file):
                shared.add(self.head(file))
        return shared

    def names(self):
        """What :func:`parse_name` says of every file, by file, sorted."""
        return {file: parse_name(file) for file in sorted(self.rows)}

    def check_listed(self):
        """Check that the manifest lists every file.

        Raises
        ------
        ArchiveError
            If it does not; such files would be left out in silence.
        """
        files = [path.relative_to(self.folder).as_posix() for path in sorted(self.folder.glob("*/*/*.parquet"))]
        unlisted = [file for file in files if file not in self.rows and not file.startswith(NEW)]
        if unlisted:
            raise ArchiveError(
                f"does not list {len(unlisted)} of {len(files)} files, the first: {unlisted[0]}",
                file=self.folder / MANIFEST,
                advice=_LIST,
            )

    def update(self, records):
        """Write records and the manifest, so that an interruption at any moment loses nothing.

        Files that the manifest lists and that were deleted are listed no longer. One update waits for another one.

        Parameters
        ----------
        records : iterable of Record
            Instead of those of the same file. Parts of an experiment join those that are there.

        Returns
        -------
        list of str
            Files whose bytes are new.

        Raises
        ------
        ArchiveError
            If a file in the folder is not the one that the manifest lists, or parts of an experiment do not share what
            was computed with those that are there; then nothing is written.
        """
        with self._alone():
            return self._update(records)

    @contextmanager
    def _alone(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        folder = os.open(self.folder, os.O_RDONLY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)
            yield
        finally:
            os.close(folder)

    def _update(self, records):
        self._finish()
        rows, changed, new = dict(self.rows), [], self.folder / NEW
        self._check_files(rows)
        for record in records:
            if record.is_experiment and record.file in rows:
                record = merged(self.read(record.file), record)
            path = new / record.file
            path.parent.mkdir(parents=True, exist_ok=True)
            write_record(record, path)
            _sync(path)  # before the manifest says that it is there, also where the power fails
            row = _row(record, path)
            if row == rows.get(record.file):
                path.unlink()
            else:
                rows[record.file] = row
                changed.append(record.file)
        if changed or rows != self.rows:
            new.mkdir(exist_ok=True)
            _write_manifest(rows, new / MANIFEST)
        self._finish()
        return changed

    def _finish(self):
        """Finish a change whose manifest was written, and drop one that was not."""
        new = self.folder / NEW
        if (new / MANIFEST).is_file():
            for path in sorted(new.rglob("*.parquet")):
                target = self.folder / path.relative_to(new)
                target.parent.mkdir(parents=True, exist_ok=True)
                os.replace(path, target)
            os.replace(new / MANIFEST, self.folder / MANIFEST)
        shutil.rmtree(new, ignore_errors=True)
        self._load()

    def _check_files(self, rows):
        for path in sorted(self.folder.rglob("*.parquet")):
            self.read(path.relative_to(self.folder).as_posix())
        for file in list(rows):
            if not (self.folder / file).is_file():
                del rows[file]


def read_listed(path):
    """A record by its path below its archive, compared with its manifest; see :meth:`Archive.read`."""
    path = Path(path)
    return Archive(path.parents[2]).read(path.relative_to(path.parents[2]).as_posix())


_LIST = (
    f"Restore {MANIFEST} (git checkout), after a merge keep the lines of both branches there; delete files that nobody "
    "needs"
)


def check_alike(records):
    """Check that records can be in one table: that they share what was computed, but for dataset and method.

    Parameters
    ----------
    records : iterable of Record
        Of one study.

    Raises
    ------
    ArchiveError
        Naming two files and where they differ: in the protocol, in a dataset or its splits, in an evaluator, or in
        the parameters of a method.
    """
    shared = Shared()
    for record in records:
        if different := shared.add(record):
            other, difference = different
            raise ArchiveError(
                f"{other} and {record.file} do not share what was computed: {difference}",
                advice="Results of both cannot be in one table; run one of them again, then: snakemake archive",
            )


class Shared:
    """What records have in common, the first of them deciding."""

    def __init__(self):
        self._first = {}

    def add(self, record):
        """Take a record in, unless it differs: then the file that it differs from, and where; else None."""
        parts = shared_parts(record.what)
        for key, part in parts.items():
            other, known = self._first.get(key, (record.file, part))
            for difference in differences(known, part, ".".join(filter(None, key))):
                return other, difference
        for key, part in parts.items():
            self._first.setdefault(key, (record.file, part))
        return None


def shared_parts(what):
    """The parts of a "what" that records share, by what they belong to."""
    dataset, method = what["dataset"], what["method"]
    parts = {
        ("", ""): {key: what[key] for key in ("study", "splits", "seed", "modes")},
        ("dataset", dataset["name"]): dataset | {"splits_sha256": what["splits_sha256"]},
        ("method", method["name"]): method["spec"],
    }
    return parts | {("evaluators", name): block for name, block in what["evaluators"].items()}


def parse_name(file, manifest=MANIFEST):
    """Study, dataset and method of a file's name in an archive; of an experiment study, "experiments" and its name.

    Raises
    ------
    ArchiveError
        If it is no such name.
    """
    path = PurePosixPath(file)
    if len(path.parts) != 3 or ".." in path.parts or path.suffix != ".parquet":
        raise ArchiveError(
            f"lists {file!r}, expected <study>/<dataset>/<method>.parquet",
            file=manifest,
            advice="Restore it (git checkout)",
        )
    return *path.parts[:2], path.stem


def newest(record):
    """The date of a record's newest commit; "" where it is not known."""
    return last_made(record)["committed"] or ""


def _row(record, path):
    last = last_made(record)
    return {
        "file": record.file,
        "sha256": file_hashes([path])[str(path)],
        "bytes": str(path.stat().st_size),
        "what": key_of(record.what),
        "how": key_of(record.how),
        "L": " ".join(record.what.get("L", [])),
        "evaluators": " ".join(record.what.get("evaluators", [])),
        "commit": last["commit"] or "",
        "committed": last["committed"] or "",
        "date": max(item["date"] for item in record.how),
    }


def _read_manifest(path):
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ArchiveError("is not UTF-8", file=path, advice="Restore it (git checkout)") from None
    if "\n<<<<<<<" in text:
        raise ArchiveError(
            "has marks of a conflict", file=path, advice="Delete the marks; keep the lines of both sides"
        )
    reader = csv.DictReader(io.StringIO(text, newline=""))
    rows = list(reader)
    if reader.fieldnames != COLUMNS or any(None in row.values() for row in rows):
        raise ArchiveError(f"expected the columns {', '.join(COLUMNS)}", file=path, advice="Restore it (git checkout)")
    for row in rows:
        parse_name(row["file"], path)
    by_file = {row["file"]: row for row in rows}
    for row in rows:
        if row != by_file[row["file"]]:
            raise ArchiveError(
                f"lists {row['file']} twice, as git does where two branches have changed it",
                file=path,
                advice=f"Keep the line of the file that is there: {by_file[row['file']]['sha256'][:8]} and "
                f"{row['sha256'][:8]} begin the sha256 of the two",
            )
    return by_file


def _write_manifest(rows, path):
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows[file] for file in sorted(rows))
    written = path.with_name(path.name + ".part")
    with written.open("w", encoding="utf-8", newline="") as stream:
        stream.write(text.getvalue())
    _sync(written)
    os.replace(written, path)


def _sync(path):
    with path.open("rb") as stream:
        os.fsync(stream.fileno())
