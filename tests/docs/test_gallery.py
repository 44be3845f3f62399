"""Every script of the gallery runs, draws, and says what it is about."""

import runpy
from pathlib import Path

import matplotlib
import pytest

EXAMPLES = Path(__file__).parents[2] / "src/docs/examples"
SCRIPTS = sorted(EXAMPLES.glob("*.py"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_scripts_have_title_and_introduction(script):
    lines = script.read_text(encoding="utf-8").splitlines()
    assert lines[0] == '"""'
    assert len(lines[1]) == len(lines[2])
    assert set(lines[2]) == {"="}
    assert lines[4]


#: `make docs` and `make test-all` run all of them.
USUAL = ("01", "13")


@pytest.mark.parametrize(
    "script",
    [pytest.param(path, marks=[] if path.stem[5:7] in USUAL else pytest.mark.exhaustive) for path in SCRIPTS],
    ids=lambda path: path.stem,
)
def test_scripts_run(script, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(matplotlib.rcParams, "backend", "agg", raising=False)
    left = runpy.run_path(str(script))
    assert isinstance(left["figure"], matplotlib.figure.Figure)
