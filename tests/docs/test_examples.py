"""Examples in docstrings run, and print what they say."""

import doctest
import importlib

import pytest

from sslrank.benchmark.plan.fingerprints import source_root

ROOT = source_root()
#: Every Python module that has examples.
MODULES = sorted(
    ".".join(("sslrank", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")
    for path in ROOT.rglob("*.py")
    if ">>> " in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("module", MODULES)
def test_docstring_examples_print_shown_output(module, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testmod(importlib.import_module(module), optionflags=doctest.ELLIPSIS)
    assert tried > 0
    assert failed == 0
