"""Examples in docstrings print what they say; scripts of the gallery run, draw, and say what they are about."""

import doctest
import importlib
import runpy
from pathlib import Path

import matplotlib
import pytest

from sslrank.benchmark.plan.fingerprints import source_root

ROOT = source_root()
#: Every Python module that has examples.
MODULES = sorted(
    ".".join(("sslrank", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")
    for path in ROOT.rglob("*.py")
    if ">>> " in path.read_text(encoding="utf-8")
)
SCRIPTS = sorted((Path(__file__).parents[2] / "src/docs/examples").glob("*.py"))
#: `make docs` and `make test-all` run all scripts of the gallery.
USUAL = ("01", "13")


@pytest.mark.parametrize("module", MODULES)
def test_docstring_examples_print_shown_output(module, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testmod(importlib.import_module(module), optionflags=doctest.ELLIPSIS)
    assert tried > 0
    assert failed == 0


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_scripts_have_title_and_introduction(script):
    lines = script.read_text(encoding="utf-8").splitlines()
    assert lines[0] == '"""'
    assert len(lines[1]) == len(lines[2])
    assert set(lines[2]) == {"="}
    assert lines[4]


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
