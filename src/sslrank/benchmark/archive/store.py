"""The folder of the archive: one file for each dataset of a study or experiment, and ``manifest.csv``.

``manifest.csv`` lists each file with its sha256; its other columns are bytes, methods (in the file; none of an
experiment), commit and committed (of the newest one) and date (of the last job). History is git's.

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
    committed_time,
    deviations,
    file_name,
    last_made,
    read_heads,
    read_records,
    write_records,
)
from sslrank.benchmark.archive.whole import check_whole
from sslrank.datasets.fingerprint import sha256_of

MANIFEST = "manifest.csv"
COLUMNS = ["file", "sha256", "bytes", "methods", "commit", "committed", "date"]
#: Source of a result that the archive lacks and `archive=only` does not run; its fits have the status "not run".
MISSING = "not in the archive"


class Archive:
    """An archive on disk; a folder without a manifest is an empty one.

    Records are named by study, dataset and method (of an experiment study, "experiments" and its name). `rows` are the
    manifest's, by file, and `subjects` the names of all records, sorted.
    """

    def __init__(self, folder):
        self.folder = Path(folder)
        path = self.folder / MANIFEST
        self.rows = _read_manifest(path) if path.is_file() else {}
        self._heads, self._last = {}, (None, {})

    @property
    def subjects(self):
        """Study, dataset and method of every record."""
        found = []
        for file, row in self.rows.items():
            study, *inside = file.removesuffix(SUFFIX).split("/")
            methods = inside[1:] if len(inside) == 2 else row["methods"].split()
            found += [(study, inside[0], method) for method in methods]
        return sorted(found)

    def head(self, study, dataset, method):
        """Read the metadata of a record, without its rows or a check of the hash; None if the archive lacks it."""
        file = file_name(study, dataset, method)
        if file not in self._heads:
            there = file in self.rows and (self.folder / file).is_file()
            heads = read_heads(self.folder / file) if there else []
            self._heads[file] = {head.subject: head for head in heads}
        return self._heads[file].get((study, dataset, method))

    def read(self, study, dataset, method):
        """Read a record, after comparing the bytes of its file with the manifest and checking that it is whole."""
        file = file_name(study, dataset, method)
        record = self._records(file).get((study, dataset, method))
        if record is None:
            raise ArchiveError(f"has no record of {method}", file=self.folder / file, advice=RESTORE)
        return record

    def _records(self, file):
        self._check(file)
        mark = file, self.rows[file]["sha256"]
        if self._last[0] != mark:  # the methods of a dataset are asked for one after the other
            records = read_records(self.folder / file)
            for record in records:
                check_whole(record, self.folder / file)
            listed = self.rows[file]["methods"].split()
            if not records[0].is_experiment and listed != [record.subject[2] for record in records]:
                raise ArchiveError(f"has other methods than {MANIFEST} lists", file=self.folder / file, advice=RESTORE)
            self._last = mark, {record.subject: record for record in records}
        return self._last[1]

    def _check(self, file):
        path = self.folder / file
        if file not in self.rows:
            raise ArchiveError(f"is not listed in {self.folder / MANIFEST}", file=path, advice=_LIST)
        if not path.is_file():
            raise ArchiveError(f"{MANIFEST} lists it, but there is no such file", file=path, advice=RESTORE)
        if sha256_of(path) != self.rows[file]["sha256"]:
            raise ArchiveError(f"its content is not the one that {MANIFEST} lists (sha256)", file=path, advice=RESTORE)

    def records(self, study):
        """Read the records of a study except its experiments, sorted by dataset and method; see :func:`check_alike`."""
        found = [self.read(*names) for names in self.subjects if names[0] == study and names[1] != EXPERIMENTS]
        check_alike(found)
        return found

    def experiments(self, study):
        """Read the records of a study's experiments, sorted by name."""
        return [self.read(*names) for names in self.subjects if names[:2] == (study, EXPERIMENTS)]

    def check_listed(self):
        """Check that the manifest lists every file; an unlisted file would be ignored silently."""
        files = self._files()
        unlisted = [file for file in files if file not in self.rows]
        if unlisted:
            raise ArchiveError(
                f"does not list {len(unlisted)} of {len(files)} files, the first: {unlisted[0]}",
                file=self.folder / MANIFEST,
                advice=_LIST,
            )

    def _files(self):
        return [path.relative_to(self.folder).as_posix() for path in sorted(self.folder.rglob(f"*{SUFFIX}"))]

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
        """Write records, each in place of the one of the same names, and the manifest; return the outcome by names.

        The outcome is "new", "changed" or "as before". Deleted files leave the manifest. If a file is not the one that
        the manifest lists, or a record is not whole, an ArchiveError says so and nothing is written. A file that an
        interrupted update has left is replaced if `records` have all of its methods.
        """
        records = {record.subject: record for record in records}
        for record in records.values():
            check_whole(record)
        touched = dict.fromkeys(record.file for record in records.values())
        self._last = (None, {})  # records that were read may be the given ones, changed
        before = {}
        for file in self._files():
            if file not in touched:
                self._check(file)
            elif not self._is_replaced(file, records):
                before |= self._records(file)
        rows = {file: row for file, row in self.rows.items() if (self.folder / file).is_file()}
        outcome = {}
        for names, record in records.items():
            old = before.get(names)
            same = old is not None and (old.sha256, old.provenance) == (record.sha256, record.provenance)
            outcome[names] = "as before" if same else "new" if old is None else "changed"
        every = before | records
        for file in touched:
            inside = [every[names] for names in sorted(every) if every[names].file == file]
            if all(outcome.get(record.subject, "as before") == "as before" for record in inside):
                continue
            path = self.folder / file
            path.parent.mkdir(parents=True, exist_ok=True)
            written = path.with_name(path.name + ".part")
            write_records(inside, written)
            rows[file] = _row(inside, written)
            os.replace(written, path)
        if rows != self.rows:
            self.folder.mkdir(parents=True, exist_ok=True)
            _write_manifest(rows, self.folder / MANIFEST)
            self.rows = rows
        self._heads, self._last = {}, (None, {})
        return outcome

    def _is_replaced(self, file, records):
        """True for a file that the manifest does not list as it is, and whose records are all given anew."""
        try:
            self._check(file)
        except ArchiveError:
            if {head.subject for head in read_heads(self.folder / file)} <= set(records):
                return True
            raise
        return False


def read_listed(path, method=None):
    """A method's record in a file of an archive, or that of an experiment; see :meth:`Archive.read`."""
    path = Path(path)
    *folder, study, dataset = path.parent.parts if path.parent.name == EXPERIMENTS else path.parts
    name = path.name.removesuffix(SUFFIX)
    folder, names = Path(*folder), (study, EXPERIMENTS, name) if dataset == EXPERIMENTS else (study, name, method)
    manifest = folder / MANIFEST
    date = manifest.stat().st_mtime_ns if manifest.is_file() else None
    return _archive(folder, date).read(*names)


# Its manifest has hundreds of lines, and jobs read hundreds of records.
@cache
def _archive(folder, date):
    return Archive(folder)


_LIST = (
    f"Restore {MANIFEST} (git checkout), after a merge keep the lines of both branches there; delete files that nobody "
    "needs"
)


def check_alike(records):
    """Check that records (heads are enough) of a study have the same spec, except for dataset and method.

    An ArchiveError names two files and where they differ: in the protocol, in a dataset or its splits, in an evaluator,
    or in the parameters of a method.
    """
    first = {}
    for record in records:
        for key, part in shared_parts(record.spec).items():
            other, known = first.setdefault(key, (record.file, part))
            for difference in deviations(known, part, ".".join(filter(None, key))):
                raise ArchiveError(
                    f"{other} and {record.file} were not computed with the same settings: {difference}",
                    advice="Results of both cannot be in one table; delete one of them, and archive it again",
                )


def shared_parts(spec):
    """The parts of a spec that records share, by what they belong to."""
    dataset, method = spec["dataset"], spec["method"]
    parts = {
        ("", ""): {key: spec[key] for key in ("study", "splits", "seed", "modes")},
        ("dataset", dataset["name"]): dataset | {"splits_sha256": spec["splits_sha256"]},
        ("method", method["name"]): method["spec"],
    }
    return parts | {("evaluators", name): block for name, block in spec["evaluators"].items()}


def _check_name(file, manifest):
    parts = PurePosixPath(file).parts
    is_known = len(parts) == 2 or (len(parts) == 3 and parts[1] == EXPERIMENTS)
    if not is_known or ".." in parts or not file.endswith(SUFFIX):
        raise ArchiveError(
            f"lists {file!r}, expected <study>/<dataset>{SUFFIX} or <study>/{EXPERIMENTS}/<experiment>{SUFFIX}",
            file=manifest,
            advice="Restore it (git checkout)",
        )


def _row(records, path):
    made = [last_made(record) for record in records]
    last = max(made, key=committed_time)
    return {
        "file": records[0].file,
        "sha256": sha256_of(path),
        "bytes": str(path.stat().st_size),
        "methods": "" if records[0].is_experiment else " ".join(record.subject[2] for record in records),
        "commit": last["commit"] or "",
        "committed": last["committed"] or "",
        "date": max(group["date"] for record in records for group in record.provenance),
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
        _check_name(row["file"], path)
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
