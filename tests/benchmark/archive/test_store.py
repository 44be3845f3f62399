"""The archive's folder: its manifest, mixtures that are refused, and changes that are killed in the middle."""

import csv
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sslrank.benchmark.archive.record import ArchiveError, commit_time, commit_words, commits
from sslrank.benchmark.archive.store import MANIFEST, Archive, check_alike, newest
from sslrank.benchmark.steps import archive as archive_step

sys.path.insert(0, str(Path(__file__).parent))
from test_record import made


@pytest.fixture
def folder(tmp_path):
    Archive(tmp_path / "archive").update([made(method=name) for name in "ab"])
    return tmp_path / "archive"


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_manifest_lists_every_file(folder):
    with (folder / MANIFEST).open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["file"] for row in rows] == ["s/d/a.parquet", "s/d/b.parquet"]
    assert rows[0]["what"] != rows[1]["what"]
    assert rows[0]["how"] == rows[1]["how"]
    assert rows[0]["L"] == "50 all"
    assert [record.what["method"]["name"] for record in Archive(folder).records("s")] == ["a", "b"]
    assert [record.file for record in Archive(folder).records("s", methods=["b"])] == ["s/d/b.parquet"]
    assert Archive(folder).records("other") == []


def test_the_same_again_changes_nothing(folder):
    before = contents(folder)
    assert Archive(folder).update([made(method="b"), made(method="a")]) == []
    assert contents(folder) == before
    assert Archive(folder).update([made(method="b", seed=2)]) == ["s/d/b.parquet"]


def test_a_tampered_file_is_refused(folder):
    path = folder / "s/d/a.parquet"
    content = bytearray(path.read_bytes())
    content[len(content) // 3] ^= 1
    path.write_bytes(content)
    message = r"a\.parquet: its content is not the one that manifest\.csv lists \(sha256\)\. Restore it"
    with pytest.raises(ArchiveError, match=message):
        Archive(folder).read("s/d/a.parquet")
    before = contents(folder)
    with pytest.raises(ArchiveError, match=message):  # nor does a change of another one make it right
        Archive(folder).update([made(method="c")])
    assert contents(folder) == before


def test_files_that_are_not_listed_or_not_there_are_refused(folder):
    (folder / "s/d/b.parquet").rename(folder / "s/d/c.parquet")
    with pytest.raises(ArchiveError, match=r"b\.parquet: manifest\.csv lists it, but there is no such file"):
        Archive(folder).read("s/d/b.parquet")
    with pytest.raises(ArchiveError, match=r"c\.parquet: is not listed in .*manifest\.csv"):
        Archive(folder).update([])
    (folder / "s/d/c.parquet").unlink()
    assert "s/d/b.parquet" in Archive(folder)
    Archive(folder).update([made(method="c")])
    assert sorted(Archive(folder).rows) == ["s/d/a.parquet", "s/d/c.parquet"]


def test_a_deleted_file_is_listed_no_longer(folder):
    (folder / "s/d/b.parquet").unlink()
    with pytest.raises(ArchiveError, match=r"b\.parquet: .* there is no such file\. .*, or delete it and run"):
        Archive(folder).records("s")
    assert Archive(folder).update([]) == []
    assert [record.file for record in Archive(folder).records("s")] == ["s/d/a.parquet"]
    assert sorted(contents(folder)) == [MANIFEST, "s/d/a.parquet"]


def test_a_deleted_file_is_written_again(folder):
    before = contents(folder)
    (folder / "s/d/b.parquet").unlink()
    assert Archive(folder).update([made(method="b")]) == ["s/d/b.parquet"]
    assert contents(folder) == before


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda text: text.replace("s/d/a", "../d/a"),
            r"lists '\.\./d/a\.parquet', expected <study>/<dataset>",
        ),
        (lambda text: text.replace("s/d/a", "s/d"), r"lists 's/d\.parquet', expected"),
        (lambda text: text.replace("s/d/b", "<<<<<<< HEAD\ns/d/b"), "has marks of a conflict. Delete the marks"),
        (lambda text: text.encode() + b"\xff", "is not UTF-8"),
    ],
)
def test_an_odd_manifest_is_refused(folder, change, message):
    changed = change((folder / MANIFEST).read_text(encoding="utf-8"))
    (folder / MANIFEST).write_bytes(changed if isinstance(changed, bytes) else changed.encode())
    with pytest.raises(ArchiveError, match=message):
        Archive(folder)


def test_files_that_no_line_lists_are_no_silent_loss(folder):
    Archive(folder).check_listed()
    manifest = (folder / MANIFEST).read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / MANIFEST).write_text("".join(manifest[:-1]), encoding="utf-8")
    with pytest.raises(ArchiveError, match=r"manifest\.csv: does not list 1 of 2 files, the first: s/d/b\.parquet\. "):
        Archive(folder).check_listed()
    (folder / MANIFEST).unlink()
    with pytest.raises(ArchiveError, match="does not list 2 of 2 files"):
        Archive(folder).check_listed()


def test_updates_at_once_wait_for_each_other(folder):
    """Both have read the archive before either writes."""
    first, second = Archive(folder), Archive(folder)
    first.update([made(dataset="e")])
    second.update([made(dataset="f")])
    assert len(Archive(folder).rows) == 4
    code = (
        "import sys, time; sys.path[:0] = [sys.argv[1]]\n"
        "from test_record import made\nfrom sslrank.benchmark.archive.store import Archive\n"
        "archive = Archive(sys.argv[2]); print('read', flush=True); sys.stdin.read()\n"
        "archive.update([made(dataset=sys.argv[3], method=m) for m in 'abcdefgh'])"
    )
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(Path(__file__).parent), str(folder), name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        for name in ("x", "y")
    ]
    for writer in writers:
        assert writer.stdout.readline() == b"read\n"
    for writer in writers:
        writer.stdin.close()
    assert [writer.wait(60) for writer in writers] == [0, 0]
    assert len(Archive(folder).records("s")) == 4 + 16


def test_commits_are_compared_as_times():
    early, late = made(), made()
    early.how[0]["committed"], late.how[0]["committed"] = "2026-01-01T22:00:00+00:00", "2026-01-01T20:00:00-05:00"
    assert commit_time(early) < commit_time(late)
    early.how[0]["committed"] = ""
    assert commit_time(early) == 0


def test_all_commits_of_a_record_are_named_the_newest_first():
    record = made()
    (only,) = record.how
    dates = {"b" * 40: "2026-01-02T00:00:00+00:00", "a" * 40: "2026-01-01T00:00:00+00:00", "c" * 40: None}
    record.how[:] = [only | {"commit": commit, "committed": dates[commit]} for commit in ("a" * 40, "b" * 40, "c" * 40)]
    record.how.append(only | {"commit": None, "committed": None})
    assert commits(record) == ["b" * 40, "a" * 40, "c" * 40, "unknown"]
    assert commit_words(" ".join(commits(record))) == "b" * 12 + " and 3 older"
    assert commit_words("b" * 40) == "b" * 12


@pytest.mark.parametrize("text", ["", "file,sha256\n", "file,sha256,bytes,what,how,L,evaluators,commit\nx\n"])
def test_a_broken_manifest_is_refused(folder, text):
    (folder / MANIFEST).write_text(text, encoding="utf-8")
    with pytest.raises(ArchiveError, match=r"manifest\.csv: expected the columns file, sha256"):
        Archive(folder)


def git(folder, *words):
    identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
    return subprocess.run(["git", "-C", folder, *identity, *words], capture_output=True, text=True)


def test_two_branches_with_other_datasets_are_merged_by_git(tmp_path):
    root = tmp_path / "repository"
    folder = root / "results/archive"
    Archive(folder).update([made(dataset="d")])
    shutil.copy(Path(__file__).parents[3] / ".gitattributes", root)
    git(tmp_path, "init", "-q", "-b", "main", root)

    def commit(*records):
        Archive(folder).update(records)
        git(root, "add", "-A")
        git(root, "commit", "-q", "-m", "archive")

    commit()
    git(root, "checkout", "-q", "-b", "other")
    commit(made(dataset="c"), made(dataset="e"), made(dataset="d", method="n"))
    git(root, "checkout", "-q", "main")
    commit(made(dataset="f"), made(dataset="d", method="o", seed=2))
    assert git(root, "merge", "other").returncode == 0
    assert len(Archive(folder).rows) == 6
    assert Archive(folder).update([]) == []
    # the same result of both: git asks which file, and the manifest has a line of either
    git(root, "checkout", "-q", "-b", "again")
    commit(made(dataset="f", seed=3))
    git(root, "checkout", "-q", "main")
    commit(made(dataset="f", seed=4))
    merged = git(root, "merge", "again")
    assert "CONFLICT (content): Merge conflict in results/archive/s/f/m.parquet" in merged.stdout
    with pytest.raises(ArchiveError, match=r"manifest\.csv: lists s/f/m\.parquet twice, .* Keep the line of the file"):
        Archive(folder)


@pytest.mark.parametrize(
    ("first", "second", "difference"),
    [
        ({}, {"method": "n", "seed": 2}, "seed: 1 and 2"),
        ({}, {"method": "n", "splits_sha256": "b"}, 'dataset.d.splits_sha256: "a" and "b"'),
        (
            {},
            {"dataset": "e", "method": "m", "evaluators": {"knn": {"evaluator": "knn", "params": {"k": 1}, "L": []}}},
            "evaluators.knn.params.k: null and 1",
        ),
    ],
)
def test_a_mixture_is_refused(first, second, difference):
    mixed = [made(**first), made(**second)]
    with pytest.raises(ArchiveError) as error:
        check_alike(mixed)
    assert f"{mixed[0].file} and {mixed[1].file} do not share what was computed: {difference}" in str(error.value)


def test_other_datasets_methods_and_machines_are_no_mixture():
    other = made(method="n")
    other.how[0]["commit"] = "another"
    check_alike([made(), made(dataset="e"), other, made(evaluators={})])
    assert newest(other) == "2026-01-01T00:00:00+00:00"


KILLED = """
import os, signal, sys
sys.path[:0] = [{here!r}]
from test_record import made
from sslrank.benchmark.archive import store

steps, move, write = {steps}, os.replace, store.write_record

def killing(function):
    def counted(*arguments):
        global steps
        steps -= 1
        if steps < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*arguments)
    return counted

os.replace, store.write_record = killing(move), killing(write)
store.Archive({folder!r}).update([made(method=name, seed=2) for name in "abc"])
"""


def test_a_kill_at_any_moment_loses_nothing(tmp_path):
    """Before each write and each move: every file can be read, old or new, and the same command ends the same."""
    ends, seeds = set(), set()
    for steps in range(20):
        folder = tmp_path / str(steps)
        Archive(folder).update([made(method=name) for name in "ab"])
        code = KILLED.format(here=str(Path(__file__).parent), steps=steps, folder=str(folder))
        done = subprocess.run([sys.executable, "-c", code], env={**os.environ}, timeout=120)
        found = {file: Archive(folder).read(file).what["seed"] for file in Archive(folder).rows}
        assert {"s/d/a.parquet", "s/d/b.parquet"} <= set(found)
        seeds.add(tuple(found.values()))
        Archive(folder).update([made(method=name, seed=2) for name in "abc"])
        assert not (folder / ".new").exists()
        ends.add(str(sorted(contents(folder).items())))
        if done.returncode == 0:
            break
        assert done.returncode == -signal.SIGKILL
    assert steps > 6
    assert len(ends) == 1
    assert {(1, 1), (2, 2, 2)} <= seeds
    assert len(seeds) > 2  # some were killed between two moves


def test_studies_go_in_together(tmp_path, monkeypatch):
    records = {study: made(study=study, seed=seed) for study, seed in (("s", 1), ("t", 2))}
    monkeypatch.setattr(archive_step, "gather_record", lambda pair, place: (records[pair["study"]], []))
    pairs = [{"study": study, "dataset": "d", "method": "a", "what": record.what} for study, record in records.items()]
    assert archive_step.archive_job(tmp_path / "archive", pairs, results=tmp_path)[0].startswith("finished: 2, ")
    assert sorted(Archive(tmp_path / "archive").rows) == sorted(record.file for record in records.values())
