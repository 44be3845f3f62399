"""The folder of the archive: one file for each dataset of a study or experiment, and their hashes in ``SHA256SUMS``.

``sha256sum --check SHA256SUMS`` reads it, too; git keeps the history. Each file, and then the list, is written under a
temporary name in the same folder and renamed.
"""

import hashlib
import os
import re
from functools import cache
from pathlib import Path

from sslrank.benchmark.archive.completeness import check_complete
from sslrank.benchmark.archive.record import (
    EXPERIMENTS_FOLDER,
    RESTORE,
    SUFFIX,
    ArchiveError,
    deviations,
    file_name,
    read_metadata,
    read_records,
    write_records,
)
from sslrank.datasets.fingerprint import sha256_of

SUMS = "SHA256SUMS"
#: Source of a result that is not in the archive and that `archive=only` does not run; its fits have the status "not
#: run".
MISSING = "not in the archive"


class Archive:
    """An archive on disk; a folder without the list of hashes is an empty archive.

    Records are named by study, dataset and method (for experiments: study, "experiments" and name). `sums` has the
    listed sha256 by file, `record_keys` the sorted names of all records.
    """

    def __init__(self, folder):
        self.folder = Path(folder)
        path = self.folder / SUMS
        self.sums = _read_sums(path) if path.is_file() else {}
        self._heads, self._last = {}, (None, {})

    @property
    def record_keys(self):
        """Study, dataset and method of every record."""
        return sorted(names for file in self.sums for names in self._heads_of(file))

    def head(self, study, dataset, method):
        """Read the metadata of a record without its rows, unchecked; None if it is not in the archive."""
        return self._heads_of(file_name(study, dataset, method)).get((study, dataset, method))

    def _heads_of(self, file):
        if file not in self._heads:
            exists = file in self.sums and (self.folder / file).is_file()
            if exists:
                self._check(file)  # before it is decompressed
            heads = read_metadata(self.folder / file) if exists else []
            self._heads[file] = {head.key: head for head in heads}
        return self._heads[file]

    def read(self, study, dataset, method):
        """Read a record after checking the hash of its file and that the record is complete."""
        file = file_name(study, dataset, method)
        record = self._records(file).get((study, dataset, method))
        if record is None:
            raise ArchiveError(f"has no record of {method}", file=self.folder / file, advice=RESTORE)
        return record

    def _records(self, file):
        self._check(file)
        mark = file, self.sums[file]
        if self._last[0] != mark:  # methods of a dataset are read one after the other
            records = read_records(self.folder / file)
            for record in records:
                check_complete(record, self.folder / file)
            self._last = mark, {record.key: record for record in records}
        return self._last[1]

    def _check(self, file):
        path = self.folder / file
        if file not in self.sums:
            raise ArchiveError(f"is not listed in {self.folder / SUMS}", file=path, advice=_LIST_ADVICE)
        if not path.is_file():
            raise ArchiveError(f"{SUMS} lists it, but there is no such file", file=path, advice=RESTORE)
        if sha256_of(path) != self.sums[file]:
            raise ArchiveError(f"its content is not the one that {SUMS} lists (sha256)", file=path, advice=RESTORE)

    def records(self, study):
        """Read and check the records of a study without its experiments, sorted by dataset and method."""
        files = [file for file in self.sums if re.match(f"{study}/[^/]+$", file)]
        records = [record for file in files for _, record in sorted(self._records(file).items())]
        check_consistent(records)
        return records

    def check_listed(self):
        """Check that the list has every file, because an unlisted file would be ignored silently."""
        files = self._files()
        unlisted = [file for file in files if file not in self.sums]
        if unlisted:
            raise ArchiveError(
                f"does not list {len(unlisted)} of {len(files)} files, the first: {unlisted[0]}",
                file=self.folder / SUMS,
                advice=_LIST_ADVICE,
            )

    def _files(self):
        return [path.relative_to(self.folder).as_posix() for path in sorted(self.folder.rglob(f"*{SUFFIX}"))]

    def root_hash(self):
        """Compare every file with the list of hashes, and return the hash of the list.

        It equals the output of ``sha256sum SHA256SUMS``. Raises an ArchiveError with the first file that differs.
        """
        self.check_listed()
        for file in self.sums:
            self._check(file)
        if not self.sums:
            raise ArchiveError("there is no archive", file=self.folder)
        return sha256_of(self.folder / SUMS)

    def study_hash(self, study):
        """Return the hash of the lines of a study's files in the list; with none, of nothing."""
        lines = [f"{digest}  {file}\n" for file, digest in sorted(self.sums.items()) if file.startswith(f"{study}/")]
        return hashlib.sha256("".join(lines).encode()).hexdigest()

    def update(self, records):
        """Write records, replacing those of the same names, and the list; return the outcome by names.

        The outcome is "new", "changed" or "as before". Deleted files are removed from the list. If a file differs from
        the list or a record is incomplete, an ArchiveError is raised and nothing is written.
        """
        records = {record.key: record for record in records}
        for record in records.values():
            check_complete(record)
        files = dict.fromkeys(record.file for record in records.values())
        self._last = (None, {})  # cached records may be the given ones, before a change
        old_records = {}
        for file in self._files():
            if file in files:
                old_records |= self._records(file)
            else:
                self._check(file)
        sums = {file: digest for file, digest in self.sums.items() if (self.folder / file).is_file()}
        outcome = {}
        for names, record in records.items():
            old = old_records.get(names)
            is_same = old is not None and (old.sha256, old.provenance) == (record.sha256, record.provenance)
            outcome[names] = "as before" if is_same else "new" if old is None else "changed"
        all_records = old_records | records
        for file in files:
            records_of_file = [all_records[names] for names in sorted(all_records) if all_records[names].file == file]
            if all(outcome.get(record.key, "as before") == "as before" for record in records_of_file):
                continue
            path = self.folder / file
            path.parent.mkdir(parents=True, exist_ok=True)
            temporary = path.with_name(path.name + ".part")
            write_records(records_of_file, temporary)
            sums[file] = sha256_of(temporary)
            os.replace(temporary, path)
        if sums != self.sums:
            temporary = self.folder / f"{SUMS}.part"
            lines = [f"{digest}  {file}\n" for file, digest in sorted(sums.items())]
            temporary.write_text("".join(lines), encoding="utf-8", newline="")
            os.replace(temporary, self.folder / SUMS)
            self.sums = sums
        self._heads, self._last = {}, (None, {})
        return outcome


def read_listed(path, method=None):
    """Read the record of a method or experiment from a file of an archive; see :meth:`Archive.read`."""
    folder, name = Path(path).parent, Path(path).name.removesuffix(SUFFIX)
    names = (folder.name, name, method)
    if folder.name == EXPERIMENTS_FOLDER:
        folder = folder.parent
        names = (folder.name, EXPERIMENTS_FOLDER, name)
    sums = folder.parent / SUMS
    date = sums.stat().st_mtime_ns if sums.is_file() else None
    return _archive(sums.parent, date).read(*names)


# Its list has hundreds of lines, and jobs read hundreds of records.
@cache
def _archive(folder, date):
    return Archive(folder)


_LIST_ADVICE = (
    f"Restore {SUMS} (git checkout); after a merge keep the lines of both branches there. Delete files that are not "
    "needed"
)


def check_consistent(records):
    """Check that records of a study, or their heads, have the same spec except for dataset and method.

    Raises an ArchiveError with two files and their difference: in the protocol, a dataset or its splits, an evaluator,
    or the parameters of a method.
    """
    first = {}
    for record in records:
        for key, part in shared_parts(record.spec).items():
            other_file, other_part = first.setdefault(key, (record.file, part))
            for difference in deviations(other_part, part, ".".join(filter(None, key))):
                raise ArchiveError(
                    f"{other_file} and {record.file} were not computed with the same settings: {difference}",
                    advice="Results of both cannot be in one table; delete one of them, and archive it again",
                )


def shared_parts(spec):
    """Return the parts of a spec that several records share, by protocol, dataset, evaluator and method."""
    dataset, method = spec["dataset"], spec["method"]
    parts = {
        ("", ""): {key: spec[key] for key in ("study", "splits", "seed", "modes")},
        ("dataset", dataset["name"]): dataset | {"splits_sha256": spec["splits_sha256"]},
        ("method", method["name"]): method["spec"],
    }
    return parts | {("evaluators", name): block for name, block in spec["evaluators"].items()}


def _read_sums(path):
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    sums = {}
    for number, line in enumerate(lines, 1):
        match = re.fullmatch(rf"([0-9a-f]{{64}})  ([^/]+/(?:{EXPERIMENTS_FOLDER}/)?[^/]+{re.escape(SUFFIX)})", line)
        if not match or ".." in match[2].split("/"):
            problem = f"expected a sha256 and <study>/<dataset>{SUFFIX}, found {line:.80}"
            raise ArchiveError(problem, file=path, line=number, advice="Restore it (git checkout)")
        if sums.setdefault(match[2], match[1]) != match[1]:
            problem = f"lists {match[2]} twice, as git does where two branches have changed it"
            raise ArchiveError(problem, file=path, line=number, advice="Keep the line of the file that is there")
    return sums
