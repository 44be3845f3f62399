"""The command line: what it does, and that bad input is one message, exit code 1 and nothing left behind."""

import hashlib
import io
import os
import subprocess
import sys

import pytest
import yaml

from repository import ROOT
from sslrank.cli import main
from sslrank.datasets.dataset import Dataset

ARFF = "@relation r\n@attribute x numeric\n@attribute y {a,b}\n@data\n"
GOOD = ARFF + "1,a\n2,b\n"


def write_catalogue(folder, content, **changes):
    """A catalogue with the dataset "toy", and a mirror folder that holds its file."""
    (folder / "mirror" / "toy").mkdir(parents=True)
    (folder / "mirror" / "toy" / "a.arff").write_text(content)
    source = {"file": "a.arff", "sha256": hashlib.sha256(content.encode()).hexdigest()}
    entry = {"title": "Toy", "task": "classification", "home": "nowhere", "files": [source]}
    entry |= {"reader": {"format": "arff"}, "columns": {"target": "y"}}
    (folder / "datasets.yaml").write_text(yaml.safe_dump({"toy": {**entry, **changes}}))


def test_letters_that_the_terminal_lacks_are_escaped(monkeypatch):
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), "ascii"))
    with pytest.raises(SystemExit):
        main(["--version"])
    print("größe", file=sys.stdout, flush=True)
    assert sys.stdout.buffer.getvalue().endswith(rb"gr\xf6\xdfe" + b"\n")


def run(folder, command, *arguments):
    options = ["--catalogue", str(folder / "datasets.yaml")]
    if command != "datasets":
        options += ["--cache", str(folder / "cache"), "--mirror", str(folder / "mirror")]
    if command == "prepare":
        options += ["--out", str(folder / "out")]
    return main([command, *options, *arguments])


def test_prepare_writes_a_dataset(tmp_path, capsys):
    write_catalogue(tmp_path, GOOD)
    assert run(tmp_path, "prepare", "toy") == 0
    assert Dataset.load(tmp_path / "out" / "toy").y.tolist() == ["a", "b"]
    assert "2 rows, 1 features" in capsys.readouterr().out


def test_download_only_skips_preparation(tmp_path, capsys):
    write_catalogue(tmp_path, GOOD)
    assert run(tmp_path, "download", "toy") == 0
    assert capsys.readouterr().out.strip() == str(tmp_path / "cache" / "toy")
    assert (tmp_path / "cache" / "toy" / "a.arff").read_text() == GOOD


def test_file_size_can_be_limited(tmp_path, capsys):
    write_catalogue(tmp_path, GOOD)
    assert run(tmp_path, "prepare", "toy", "--max-size", "20") == 1
    assert f"a.arff: has more than {len(GOOD)} bytes, and the limit is 20 bytes" in capsys.readouterr().err
    assert run(tmp_path, "prepare", "toy", "--max-size", "much") == 1
    assert "'much' is not a size" in capsys.readouterr().err
    assert run(tmp_path, "prepare", "toy", "--max-size", "1k") == 0


def test_own_file_is_prepared(tmp_path):
    write_catalogue(tmp_path, "not this one")
    (tmp_path / "mine.csv").write_text("x,y\n1,a\n2,b\n")
    assert run(tmp_path, "prepare", "toy", "--path", str(tmp_path / "mine.csv")) == 0
    assert Dataset.load(tmp_path / "out" / "toy").n_rows == 2


def test_list_shows_every_dataset(capsys):
    assert main(["datasets", "--catalogue", str(ROOT / "workflow" / "datasets.yaml")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(yaml.safe_load((ROOT / "workflow" / "datasets.yaml").read_text()))
    assert any(line.startswith("ecogen ") and "not available" in line for line in lines)


BAD = {
    "truncated": (ARFF + "1,a\n2", {}, "a.arff, line 6: expected 2 values (one per attribute), found 1"),
    "wrong count": (GOOD, {"shape": {"rows": 3}}, "a.arff: dataset 'toy' has rows 2, expected 3"),
    "empty target": (ARFF + "1,a\n2,?\n", {}, "a.arff, line 6, column 'y': the target is empty"),
    "other content": (GOOD, {"fingerprint": "0" * 64}, "expected " + "0" * 64),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_exits_with_one_error_and_no_output(case, tmp_path, capsys):
    content, changes, message = BAD[case]
    write_catalogue(tmp_path, content, **changes)
    assert run(tmp_path, "prepare", "toy") == 1
    error = capsys.readouterr().err
    assert error.startswith("sslrank: error: ")
    assert message in error
    assert error.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_unknown_names_stop_before_any_work(tmp_path, capsys):
    write_catalogue(tmp_path, GOOD)
    assert run(tmp_path, "prepare", "toy", "toyy") == 1
    assert "unknown dataset 'toyy'; did you mean 'toy'?" in capsys.readouterr().err
    assert not (tmp_path / "cache").exists()
    assert run(tmp_path, "prepare", "toy", "toy", "--path", "mine.csv") == 1
    assert "--path is the file of one dataset. Name only that dataset" in capsys.readouterr().err


def test_broken_pipe_and_unwritable_folder_exit_cleanly(tmp_path):
    command = [sys.executable, "-m", "sslrank", "datasets"]
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")
