"""The ledger: which results are intended, and what contradicts it."""

import json
import subprocess
from dataclasses import replace

import pytest

from repository import ROOT, repository_plan
from sample_records import make_record
from sslrank.benchmark.archive.ledger import (
    ARCHIVED,
    DIGESTS,
    DIRTY,
    FORMER_TIES,
    IMPOSSIBLE,
    LEDGER,
    NOT_RUN,
    WITHDRAWN,
    append_rows,
    archived_cells,
    check_ledger,
    known_commits,
    ledger_counts,
    ledger_problems,
    read_ledger,
    share_words,
)
from sslrank.benchmark.archive.record import ArchiveError, write_records
from sslrank.benchmark.archive.store import Archive
from sslrank.benchmark.plan.sources import intended, unplanned
from sslrank.benchmark.steps.archive import ArchiveJob, archive_job

LOST = {("s", "d", "lost", budget): (NOT_RUN, "too slow") for budget in ("10", "all")}


def git(folder, *words):
    who = ("-c", "user.name=n", "-c", "user.email=e@x")
    return subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


def record_of(method, commit):
    made = make_record(method=method)
    return replace(made, provenance=[made.provenance[0] | {"commit": commit}])


@pytest.fixture
def folder(tmp_path):
    """An archive of two methods with its ledger, in git."""
    git(tmp_path, "init", "-q")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "first")
    commit = git(tmp_path, "rev-parse", "HEAD")
    Archive(tmp_path).update([record_of("a", commit), record_of("b", f"{commit}-dirty")])
    append_rows(tmp_path, archived_cells(Archive(tmp_path)) | LOST, commit[:12])
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "ledger")
    return tmp_path


def problems(folder, planned=()):
    return "\n".join(ledger_problems(Archive(folder), planned))


def test_ledger_of_repository_agrees_with_archive_plan_and_git(monkeypatch):
    monkeypatch.chdir(ROOT)
    plan = repository_plan()
    lines = check_ledger(Archive(ROOT / "results/archive"), intended(plan), unplanned(plan))
    # The summary of ssl-ranking has the controls.
    studies = {line.partition(":")[0] for line in lines} - {"ssl-ranking-controls"}
    assert studies == {path.name for path in (ROOT / "results/summaries").iterdir()}


def test_cells_are_impossible_where_no_data_is_available(monkeypatch):
    monkeypatch.chdir(ROOT)
    catalogue, cells = repository_plan().catalogue, read_ledger("results/archive")
    impossible = {cell[1] for cell, row in cells.items() if row["state"] == IMPOSSIBLE and "data" in row["reason"]}
    assert [name for name in impossible if catalogue[name].available] == []


def test_summaries_name_commits_of_the_history():
    manifests = (ROOT / "results/summaries").glob("*/manifest.json")
    commits = {path.parent.name: json.loads(path.read_text(encoding="utf-8"))["commit"] for path in manifests}
    known = known_commits(ROOT, commits.values())
    assert known is None or set(commits.values()) <= known, commits


def test_whole_ledger_has_no_problem(folder):
    assert problems(folder, {("s", "d", "a", "10"), ("other", "d", "a", "10")}) == ""
    assert share_words(ledger_counts(folder)["s"]) == "4 of 6 intended cells archived (2 not run)"
    assert {row["reason"] for cell, row in read_ledger(folder).items() if cell[2] == "b"} == {DIRTY}
    before = (folder / LEDGER).read_text(encoding="utf-8")
    append_rows(folder, archived_cells(Archive(folder)), "other")
    assert (folder / LEDGER).read_text(encoding="utf-8") == before


def remove_record(folder):
    """The record of one method, with hashes that fit."""
    kept = Archive(folder).read("s", "d", "a")
    (folder / kept.file).unlink()
    Archive(folder).update([kept])


def forge_commit(commit):
    def forge(folder):
        Archive(folder).update([record_of("a", commit or f"{git(folder, 'rev-parse', 'HEAD')}-dirty")])

    return forge


def drop_row(folder):
    lines = (folder / LEDGER).read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / LEDGER).write_text("".join(line for line in lines if ",lost," not in line), encoding="utf-8")


def hide_row(folder):
    drop_row(folder)
    git(folder, "commit", "-q", "-a", "-m", "hidden")
    append_rows(folder, {("s", "d", "c", "10"): (NOT_RUN, "later")}, git(folder, "rev-parse", "HEAD")[:12])


def drop_rows_in_a_merge(folder):
    """Of a branch that began before the rows; each side of the merge only appends."""
    append_rows(folder, {("s", "d", "c", "10"): (NOT_RUN, "later")}, git(folder, "rev-parse", "HEAD")[:12])
    git(folder, "commit", "-q", "-a", "-m", "rows")
    git(folder, "checkout", "-q", "-b", "side", "HEAD~1")
    git(folder, "commit", "-q", "--allow-empty", "-m", "other work")
    git(folder, "merge", "-q", "-s", "ours", "-m", "merged", "-")


def allow_changed_files(folder):
    forge_commit(None)(folder)
    append_rows(folder, archived_cells(Archive(folder)), git(folder, "rev-parse", "HEAD")[:12])


def commit_digest(folder, kind, name, digest):
    """Commit a table of digests; return the commit."""
    (folder / DIGESTS).parent.mkdir(parents=True, exist_ok=True)
    (folder / DIGESTS).write_text(f"kind,name,params,digest\n{kind},{name},{{}},{digest}\n", encoding="utf-8")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", digest)
    return git(folder, "rev-parse", "HEAD")


def claim(folder, commit, code):
    """A record of a commit says which code some of its jobs had."""
    made = record_of("a", commit)
    code = made.provenance[0]["code"] | code
    Archive(folder).update([replace(made, provenance=[made.provenance[0] | {"code": code}])])


def forge_digest(folder):
    """The record says today's digest, but its commit has another."""
    commit, _ = (commit_digest(folder, "ranker", "forest", digest * 12) for digest in "ab")
    claim(folder, commit, {"ranking 10": f"forest {'b' * 12}"})


def withdraw(folder):
    commit = git(folder, "rev-parse", "HEAD")[:12]
    for state in (WITHDRAWN, NOT_RUN):
        append_rows(folder, {("s", "d", "a", "10"): (state, "slow")}, commit)


def excuse_by_ties(folder):
    """The record is said to be scored by a former rule; its digest is of today."""
    commit = commit_digest(folder, "evaluator", "knn", "a" * 12)
    claim(folder, commit, {"scores knn": f"knn {'a' * 12}"})
    append_rows(folder, {("s", "d", "a", "10"): (ARCHIVED, FORMER_TIES)}, commit[:12])


def run_it_after_all(folder):
    Archive(folder).update([record_of("lost", git(folder, "rev-parse", "HEAD"))])


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (remove_record, "s/d/b/10 has the state 'archived', but no record"),
        (run_it_after_all, "s/d/lost/10 has a record, but not the state 'archived'"),
        (forge_commit("d" * 40), "s/d/a/10 is made by a commit with 'unknown commit', which the ledger does not say"),
        (forge_commit(None), "s/d/a/10 is made by a commit with 'uncommitted changes'"),
        (drop_row, r"rows of ledger.csv of commit \w+ were changed or removed"),
        (hide_row, r"rows of ledger.csv of commit \w+ were changed or removed"),
        (drop_rows_in_a_merge, r"rows of ledger.csv of commit \w+ were changed or removed"),
        (allow_changed_files, "a row of ledger.csv allows 'uncommitted changes', which only its first version may"),
        (lambda folder: (folder / LEDGER).unlink(), r"there is no such file, but git has it: \w+ is the last commit"),
        (withdraw, "s/d/a/10 was archived by an earlier row: its state can only be 'withdrawn'"),
        (excuse_by_ties, "s/d/a is said to be scored by the former rule of ties, but its evaluators have today's"),
        (forge_digest, "s/d/a has the digest bbbbbbbbbbbb of forest, which its commit"),
        (
            lambda folder: append_rows(folder, {("s", "d", "a", "10"): (NOT_RUN, "slow")}, "abc"),
            "line 5: s/d/a/10 was archived by an earlier row: its state can only be 'withdrawn'",
        ),
        (lambda folder: append_rows(folder, {("s", "d", "x", "9"): (NOT_RUN, "")}, "abc"), "line 5: .* needs a reason"),
        (lambda folder: append_rows(folder, {("s", "d", "a", "9"): (ARCHIVED, "")}, "f" * 12), "git has no commit fff"),
    ],
)
def test_contradictions_are_found(folder, change, found):
    change(folder)
    with pytest.raises(ArchiveError, match=found):
        check_ledger(Archive(folder), {("s", "d", "a", "10")})


@pytest.mark.parametrize(("suffix", "reason"), [("", ""), ("-dirty", FORMER_TIES)])
def test_archive_removes_a_reason_only_with_the_record(folder, tmp_path_factory, monkeypatch, suffix, reason):
    commit = git(folder, "rev-parse", "HEAD")
    append_rows(folder, {("s", "d", "a", "10"): (ARCHIVED, FORMER_TIES)}, commit[:12])
    gathered = tmp_path_factory.mktemp("run") / "s/datasets/d.parquet.zst"
    gathered.parent.mkdir(parents=True)
    write_records([record_of("a", commit + suffix)], gathered)
    monkeypatch.setattr("sslrank.benchmark.steps.archive.ARCHIVE", folder)
    none = {"part_tables": [], "part_benchmarks": [], "experiments": []}
    archive_job(ArchiveJob(gathered=[gathered], **none, outcome=folder / "archived.csv"))
    assert read_ledger(folder)["s", "d", "a", "10"]["reason"] == reason


def test_planned_cells_need_a_state(folder):
    assert problems(folder, {("s", "e", "a", "10")}) == "s/e/a/10 is planned and not in the ledger"


def test_records_that_a_study_does_not_use_are_found(monkeypatch):
    """Of a dataset that was taken from the study, or whose data is said to be other data."""
    monkeypatch.chdir(ROOT)
    plan = repository_plan()
    plan.studies["survival"].datasets.remove("whas500")
    plan.catalogue["rossi"] = plan.catalogue["rossi"].model_copy(update={"fingerprint": "0" * 64})
    lines = {line.split("/")[1]: line for line in unplanned(plan)}
    assert lines.keys() == {"whas500", "rossi"}
    assert "that the study or the filters leave out" in lines["whas500"]
    assert "whose spec is not the plan's (dataset.fingerprint: " in lines["rossi"]
