"""The folder of the archive: one file per result, and ``manifest.csv``, which lists each with its sha256.

``manifest.csv`` has the columns file, sha256, bytes, what and how (hashes of the file's metadata), L and evaluators
(none of an experiment), commit, committed and date (of the last job). History is git's.

Each file, and then the manifest, is written under another name in the same folder and renamed. After an interrupted
update some files are newer than the manifest; they are refused by name until the same update is run again.
"""

import csv
import io
import os
from functools import cache
from pathlib import Path, PurePosixPath

from sslrank.benchmark.archive.record import (
    EXPERIMENTS,
    RESTORE,
    SUFFIX,
    ArchiveError,
    deviations,
    key_of,
    last_made,
    read_head,
    read_record,
    write_record,
)
from sslrank.datasets.fingerprint import sha256_of

MANIFEST = "manifest.csv"
COLUMNS = ["file", "sha256", "bytes", "what", "how", "L", "evaluators", "commit", "committed", "date"]
#: Source of a result that the archive lacks and `archive=only` does not run; its fits have the status "not run".
MISSING = "not in the archive"


class Archive:
    """An archive on disk; a folder without a manifest is an empty one. `rows` are the manifest's, by file."""

    def __init__(self, folder):
        self.folder = Path(folder)
        path = self.folder / MANIFEST
        self.rows = _read_manifest(path) if path.is_file() else {}

    def __contains__(self, file):
        return file in self.rows and (self.folder / file).is_file()

    def head(self, file):
        """Read the metadata of a file, without its rows or a check of its hash. See :func:`read_head`."""
        return read_head(self.folder / file)

    def read(self, file, only=None):
        """Read a record, or `only` some parts of it, after comparing its bytes with the manifest."""
        self._check(file)
        return read_record(self.folder / file, only)

    def _check(self, file):
        path = self.folder / file
        if file not in self.rows:
            raise ArchiveError(f"is not listed in {self.folder / MANIFEST}", file=path, advice=_LIST)
        if not path.is_file():
            raise ArchiveError(f"{MANIFEST} lists it, but there is no such file", file=path, advice=RESTORE)
        if sha256_of(path) != self.rows[file]["sha256"]:
            raise ArchiveError(f"its content is not the one that {MANIFEST} lists (sha256)", file=path, advice=RESTORE)

    def records(self, study, *, datasets=None, methods=None):
        """Read the records of a study except its experiments, or those of some datasets and methods; they must agree.

        They come by dataset and method, sorted; see :func:`check_alike`.
        """
        found = []
        for file, (of, dataset, method) in self.names().items():
            wanted = (datasets is None or dataset in datasets) and (methods is None or method in methods)
            if of == study and dataset != EXPERIMENTS and wanted:
                found.append(self.read(file))
        check_alike(found)
        return found

    def experiments(self, study):
        """Read the records of a study's experiments, sorted by name."""
        return [self.read(file) for file, (of, where, _) in self.names().items() if (of, where) == (study, EXPERIMENTS)]

    def names(self):
        """Study, dataset and method of every file, sorted by file; see :func:`parse_name`."""
        return {file: parse_name(file) for file in sorted(self.rows)}

    def check_listed(self):
        """Check that the manifest lists every file; an unlisted file would be ignored silently."""
        files = [path.relative_to(self.folder).as_posix() for path in sorted(self.folder.glob(f"*/*/*{SUFFIX}"))]
        unlisted = [file for file in files if file not in self.rows]
        if unlisted:
            raise ArchiveError(
                f"does not list {len(unlisted)} of {len(files)} files, the first: {unlisted[0]}",
                file=self.folder / MANIFEST,
                advice=_LIST,
            )

    def root_hash(self):
        """Hash the manifest, which has the hash of every file, after comparing every file with it.

        It is what ``sha256sum`` gives for ``manifest.csv``. An ArchiveError names the first file that differs.
        """
        self.check_listed()
        for file in self.rows:
            self._check(file)
        if not self.rows:
            raise ArchiveError("there is no archive", file=self.folder)
        return sha256_of(self.folder / MANIFEST)

    def update(self, records):
        """Write records, each in place of the one of the same file, and the manifest; return the changed files.

        Deleted files leave the manifest. If a file that is not replaced is not the one that the manifest lists, an
        ArchiveError says so and nothing is written.
        """
        records = {record.file: record for record in records}
        for path in sorted(self.folder.glob(f"*/*/*{SUFFIX}")):
            if (file := path.relative_to(self.folder).as_posix()) not in records:
                self._check(file)
        rows = {file: row for file, row in self.rows.items() if (self.folder / file).is_file()}
        changed = []
        for file, record in records.items():
            path = self.folder / file
            path.parent.mkdir(parents=True, exist_ok=True)
            written = path.with_name(path.name + ".part")
            write_record(record, written)
            row = _row(record, written)
            os.replace(written, path)
            if row != self.rows.get(file):
                changed.append(file)
            rows[file] = row
        if rows != self.rows:
            self.folder.mkdir(parents=True, exist_ok=True)
            _write_manifest(rows, self.folder / MANIFEST)
            self.rows = rows
        return changed


def read_listed(path, only=None):
    """A record by its path below its archive, compared with its manifest; see :meth:`Archive.read`."""
    folder = Path(path).parents[2]
    manifest = folder / MANIFEST
    date = manifest.stat().st_mtime_ns if manifest.is_file() else None
    return _archive(folder, date).read(Path(path).relative_to(folder).as_posix(), only)


# Its manifest has a thousand lines, and jobs read hundreds of files.
@cache
def _archive(folder, date):
    return Archive(folder)


_LIST = (
    f"Restore {MANIFEST} (git checkout), after a merge keep the lines of both branches there; delete files that nobody "
    "needs"
)


def check_alike(records):
    """Check that records (heads are enough) of a study have the same "what", except for dataset and method.

    An ArchiveError names two files and where they differ: in the protocol, in a dataset or its splits, in an evaluator,
    or in the parameters of a method.
    """
    first = {}
    for record in records:
        for key, part in shared_parts(record.what).items():
            other, known = first.setdefault(key, (record.file, part))
            for difference in deviations(known, part, ".".join(filter(None, key))):
                raise ArchiveError(
                    f"{other} and {record.file} were not computed with the same settings: {difference}",
                    advice="Results of both cannot be in one table; delete one of them, and archive it again",
                )


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
    """Study, dataset and method of a file's name in an archive; of an experiment study, "experiments" and its name."""
    path = PurePosixPath(file)
    if len(path.parts) != 3 or ".." in path.parts or not path.name.endswith(SUFFIX):
        raise ArchiveError(
            f"lists {file!r}, expected <study>/<dataset>/<method>{SUFFIX}",
            file=manifest,
            advice="Restore it (git checkout)",
        )
    return *path.parts[:2], path.name.removesuffix(SUFFIX)


def _row(record, path):
    last = last_made(record)
    return {
        "file": record.file,
        "sha256": sha256_of(path),
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
    written.write_text(text.getvalue(), encoding="utf-8", newline="")
    os.replace(written, path)
