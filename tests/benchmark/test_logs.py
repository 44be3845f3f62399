"""Sums that tell damaged results from those that a job has written."""

import os
from types import SimpleNamespace

import pytest

from sslrank.benchmark.logs import check_foreign, content_hash, log_to, read_record
from sslrank.core.errors import DataError


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def job(read=(), written=()):
    return SimpleNamespace(rule="made", params={}, input=list(read), output=list(written))


def make(folder):
    """Results of a job: a file and a folder."""
    with log_to("logs/first.log", job(written=["results/a.csv", "results/tables"])):
        (folder / "results/tables").mkdir(parents=True)
        (folder / "results/a.csv").write_text("x,y\n1,2\n3,4\n")
        (folder / "results/tables/t.csv").write_text("k\n5\n")
    (folder / "results/tables/.snakemake_timestamp").write_text("")


def use(folder, record=True):
    with log_to("logs/second.log", job(["results/a.csv", "results/tables"], ["results/b"]), record=record):
        (folder / "results/b").write_text("made")


def test_what_was_written_is_read(folder):
    make(folder)
    use(folder)
    record = read_record("logs/second.log")
    assert record["input"]["results/a.csv"] == content_hash("results/a.csv")
    assert record["output"] == {"results/b": content_hash("results/b")}
    log = folder / "logs/second.log"
    log.write_bytes(log.read_bytes().rstrip()[:-9])  # the disk got full
    assert read_record(log) is None
    use(folder, record=False)
    assert read_record("logs/second.log") is None


@pytest.mark.parametrize("name", ["results/a.csv", "results/tables/t.csv"])
@pytest.mark.parametrize("text", ["x,y\n1,2\n", ""])
def test_what_was_cut_off_is_refused(folder, capsys, name, text):
    make(folder)
    (folder / name).write_text(text)
    with pytest.raises(SystemExit):
        use(folder)
    said = capsys.readouterr().err
    assert said.startswith(f"DataError: {name.removesuffix('/t.csv')} is not what was written there (sha256)")
    assert said.count("\n") == 1
    assert not (folder / "results/b").exists()
    make_again = folder / name
    make_again.unlink()
    (folder / "results/tables/t.csv").unlink(missing_ok=True)
    (folder / "results/tables/.snakemake_timestamp").unlink()
    (folder / "results/tables").rmdir()
    make(folder)
    use(folder)


def test_all_that_is_damaged_is_named_at_once(folder, capsys):
    make(folder)
    (folder / "results/a.csv").write_text("x,y\n")
    (folder / "results/tables/t.csv").write_text("")
    with pytest.raises(SystemExit):
        use(folder)
    said = capsys.readouterr().err
    assert said.startswith("DataError: results/a.csv, results/tables are not what was written there (sha256); they are")


def test_a_damaged_sum_is_no_traceback(folder, capsys):
    make(folder)
    (sum_of_a,) = (path for path in folder.rglob("*") if path.is_file() and "a.csv.sha256" in path.name)
    sum_of_a.write_bytes(b"\xff\xfe")
    with pytest.raises(SystemExit):
        use(folder)
    assert capsys.readouterr().err.startswith("DataError: results/a.csv is not what was written there (sha256)")


def test_files_of_nobody_are_not_checked(folder):
    (folder / "own.csv").write_text("1")
    with log_to("logs/a.log", job(["own.csv", str(folder / "own.csv"), "../" + folder.name + "/own.csv"])):
        pass
    (folder / "own.csv").write_text("2")
    with log_to("logs/b.log", job(["own.csv"])):
        pass


def test_what_a_program_wrote_changes_only_when_it_runs(folder):
    found, run = folder / "results/L10.csv", folder / "run.tsv"
    found.parent.mkdir()
    for seconds, text in ((1, "a"), (2, "b"), (2, "b")):
        found.write_text(text)
        run.write_text("s")
        os.utime(run, (seconds, seconds))
        check_foreign("results/L10.csv", "run.tsv")
    found.write_text("c")
    for _ in range(2):
        with pytest.raises(DataError, match=r"results/L10.csv is not what was written there \(sha256\)"):
            check_foreign("results/L10.csv", "run.tsv")
    os.utime(run, (3, 3))
    check_foreign("results/L10.csv", "run.tsv")
