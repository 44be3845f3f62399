"""The archive's folder: its list of hashes, and inconsistent records that are refused."""

import shutil
import subprocess
from pathlib import Path

import pytest

from sample_records import make_record
from sslrank.benchmark.archive.record import ArchiveError, commits, newest_commit
from sslrank.benchmark.archive.store import SUMS, Archive, check_consistent


@pytest.fixture
def folder(tmp_path):
    Archive(tmp_path / "archive").update([make_record(dataset=name) for name in "ab"])
    return tmp_path / "archive"


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_every_file_is_listed(folder):
    Archive(folder).update([make_record(dataset="b", method="n")])
    done = subprocess.run(["sha256sum", "--check", SUMS], cwd=folder, capture_output=True, text=True, check=True)
    assert done.stdout == "s/a.parquet.zst: OK\ns/b.parquet.zst: OK\n"
    assert Archive(folder).record_keys == [("s", "a", "m"), ("s", "b", "m"), ("s", "b", "n")]
    assert [record.key for record in Archive(folder).records("s")] == Archive(folder).record_keys
    assert Archive(folder).records("other") == []
    assert Archive(folder).head("s", "b", "n").spec["method"]["name"] == "n"
    assert Archive(folder).head("s", "b", "o") is None
    with pytest.raises(ArchiveError, match="has no record of o"):
        Archive(folder).read("s", "b", "o")


def test_storing_twice_is_idempotent(folder):
    before = contents(folder)
    assert set(Archive(folder).update([make_record(dataset="b"), make_record(dataset="a")]).values()) == {"as before"}
    assert contents(folder) == before
    assert Archive(folder).update([make_record(dataset="b", seed=2)]) == {("s", "b", "m"): "changed"}


def test_incomplete_record_is_refused(folder, monkeypatch):
    before, record = contents(folder), make_record(dataset="b")
    record.parts["score"] = record.parts["score"].drop(index=0)
    with pytest.raises(ArchiveError, match=r"s/b\.parquet\.zst: the record of m is not whole: "):
        Archive(folder).update([record])
    assert contents(folder) == before
    with monkeypatch.context() as patch:
        patch.setattr("sslrank.benchmark.archive.store.check_complete", lambda *_: None)
        Archive(folder).update([record])
    with pytest.raises(ArchiveError, match="the record of m is not whole"):
        Archive(folder).read("s", "b", "m")


def test_tampered_file_is_refused_before_it_is_decompressed(folder, monkeypatch):
    path = folder / "s/a.parquet.zst"
    content = bytearray(path.read_bytes())
    content[len(content) // 3] ^= 1
    path.write_bytes(content)
    message = r"a\.parquet\.zst: its content is not the one that SHA256SUMS lists \(sha256\)\. Restore it"
    monkeypatch.setattr("sslrank.benchmark.archive.record._open", lambda path: pytest.fail("decompressed"))
    for read in (Archive(folder).head, Archive(folder).read):
        with pytest.raises(ArchiveError, match=message):
            read("s", "a", "m")
    before = contents(folder)
    with pytest.raises(ArchiveError, match=message):  # nor does a change of another one make it right
        Archive(folder).update([make_record(dataset="c")])
    assert contents(folder) == before


def test_unlisted_and_missing_files_are_refused(folder):
    (folder / "s/b.parquet.zst").rename(folder / "s/c.parquet.zst")
    with pytest.raises(ArchiveError, match=r"b\.parquet\.zst: SHA256SUMS lists it, but there is no such file"):
        Archive(folder).read("s", "b", "m")
    with pytest.raises(ArchiveError, match=r"c\.parquet\.zst: is not listed in .*SHA256SUMS"):
        Archive(folder).update([])
    (folder / "s/c.parquet.zst").unlink()
    assert Archive(folder).head("s", "b", "m") is None
    Archive(folder).update([make_record(dataset="c")])
    assert sorted(Archive(folder).sums) == ["s/a.parquet.zst", "s/c.parquet.zst"]


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("s/a", "../a"),
        lambda text: text.replace("s/a", "a"),
        lambda text: text.replace("  s/b", "  \n<<<<<<< HEAD\ns/b"),
        lambda text: text[3:],
        lambda text: f"{text}x\n",
    ],
)
def test_an_invalid_list_of_hashes_is_refused(folder, change):
    (folder / SUMS).write_text(change((folder / SUMS).read_text(encoding="utf-8")), encoding="utf-8")
    with pytest.raises(ArchiveError, match=r"SHA256SUMS, line [123]: expected a sha256 and <study>/<dataset>"):
        Archive(folder)


def test_check_listed_reports_unlisted_files(folder):
    Archive(folder).check_listed()
    manifest = (folder / SUMS).read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / SUMS).write_text("".join(manifest[:-1]), encoding="utf-8")
    with pytest.raises(ArchiveError, match=r"SHA256SUMS: does not list 1 of 2 files, the first: s/b\.parquet\.zst\. "):
        Archive(folder).check_listed()
    (folder / SUMS).unlink()
    with pytest.raises(ArchiveError, match="does not list 2 of 2 files"):
        Archive(folder).check_listed()


def test_commits_of_a_record_are_listed_newest_first():
    record = make_record()
    (only,) = record.provenance
    dates = {"b" * 40: "2026-01-02T00:00:00+00:00", "a" * 40: "2026-01-01T00:00:00+00:00", "c" * 40: None}
    record.provenance[:] = [
        only | {"commit": commit, "committed": dates[commit]} for commit in ("a" * 40, "b" * 40, "c" * 40)
    ]
    record.provenance.append(only | {"commit": None, "committed": None})
    assert commits(record) == ["b" * 40, "a" * 40, "c" * 40, "unknown"]
    assert newest_commit(" ".join(commits(record))) == "b" * 12 + " and 3 older"
    assert newest_commit("b" * 40) == "b" * 12


def git(folder, *words):
    identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
    return subprocess.run(["git", "-C", folder, *identity, *words], capture_output=True, text=True)


def test_branches_with_different_datasets_merge_in_git(tmp_path):
    root = tmp_path / "repository"
    folder = root / "results/archive"
    Archive(folder).update([make_record(dataset="d")])
    shutil.copy(Path(__file__).parents[3] / ".gitattributes", root)
    git(tmp_path, "init", "-q", "-b", "main", root)

    def commit(*records):
        Archive(folder).update(records)
        git(root, "add", "-A")
        git(root, "commit", "-q", "-m", "archive")

    commit()
    git(root, "checkout", "-q", "-b", "other")
    commit(make_record(dataset="c"), make_record(dataset="e"))
    git(root, "checkout", "-q", "main")
    commit(make_record(dataset="f"), make_record(dataset="g"))
    assert git(root, "merge", "other").returncode == 0
    assert len(Archive(folder).sums) == 5
    assert Archive(folder).update([]) == {}
    # the same result of both: git asks which file, and the manifest has a line of either
    git(root, "checkout", "-q", "-b", "again")
    commit(make_record(dataset="f", seed=3))
    git(root, "checkout", "-q", "main")
    commit(make_record(dataset="f", seed=4))
    merged = git(root, "merge", "again")
    assert "CONFLICT (content): Merge conflict in results/archive/s/f.parquet.zst" in merged.stdout
    with pytest.raises(
        ArchiveError, match=r"SHA256SUMS, line \d: lists s/f\.parquet\.zst twice, .* Keep the line of the file"
    ):
        Archive(folder)


@pytest.mark.parametrize(
    ("first", "second", "difference"),
    [
        ({}, {"method": "n", "seed": 2}, "seed: 1 and 2"),
        ({"splits_sha256": "a"}, {"method": "n", "splits_sha256": "b"}, 'dataset.d.splits_sha256: "a" and "b"'),
        (
            {},
            {"dataset": "e", "method": "m", "evaluators": {"knn": {"evaluator": "knn", "params": {"k": 1}, "L": []}}},
            "evaluators.knn.params.n_neighbors: [2, 3] and null",
        ),
    ],
)
def test_inconsistent_records_raise(first, second, difference):
    mixed = [make_record(**first), make_record(**second)]
    with pytest.raises(ArchiveError) as error:
        check_consistent(mixed)
    both = f"{mixed[0].file} and {mixed[1].file}"
    assert f"{both} were not computed with the same settings: {difference}" in str(error.value)


def test_different_datasets_methods_and_machines_are_consistent():
    other = make_record(method="n")
    other.provenance[0]["commit"] = "another"
    check_consistent([make_record(), make_record(dataset="e"), other, make_record(evaluators={})])
