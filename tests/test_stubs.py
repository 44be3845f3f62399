"""Editors and type checkers see the public names, their parameters and results."""

import inspect
from importlib.resources import files
from typing import Never, get_type_hints

import sslrank
import stubs
from sslrank.tabular.result import Ranking


def test_stub_is_current():
    assert stubs.STUB.read_text(encoding="utf-8") == stubs.stub(), "run: python tests/stubs.py"
    assert files("sslrank").joinpath("py.typed").is_file()


def test_public_functions_and_methods_are_annotated():
    hints = get_type_hints(sslrank.rank)
    assert hints["return"] is Ranking
    assert set(inspect.signature(sslrank.rank).parameters) <= set(hints)
    assert hints["unknown"] is Never  # a misspelt parameter is an error of type checkers, too
    public = [name for name in vars(Ranking) if not name.startswith("_") and inspect.isfunction(vars(Ranking)[name])]
    assert [name for name in public if "return" not in get_type_hints(getattr(Ranking, name))] == []
    assert get_type_hints(sslrank.available_rankers)["return"] == list[str]
