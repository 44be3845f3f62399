"""Names of the API pages: users' names are there, and their docstrings are complete."""

import ast
import re
from functools import cache
from inspect import signature
from pathlib import Path

import pytest

import sslrank
from sslrank import evaluation, plotting
from sslrank.benchmark.plan.fingerprints import source_root
from sslrank.evaluation.evaluators import EVALUATORS, load_evaluator
from sslrank.evaluation.evaluators.protocol import Evaluator


@cache
def shown():
    """Dotted name -> definition of what has an example, which is what `src/docs/pages.py` lists."""
    return {
        ".".join(("sslrank", *path.relative_to(source_root()).with_suffix("").parts, node.name)): node
        for path in sorted(source_root().rglob("*.py"))
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        and not node.name.startswith("_")
        and ">>> " in (ast.get_docstring(node) or "")
    }


def documented_parameters(docstring):
    """Names under the heading Parameters."""
    block = docstring.partition("Parameters\n----------\n")[2]
    lines = re.split(r"\n\w[\w ]*\n-+\n", block)[0].splitlines()
    return {name.strip().lstrip("*") for line in lines if line[:1].strip() for name in line.split(" : ")[0].split(",")}


def body(function):
    """Statements and expressions of a function, without those of functions inside it."""
    todo = list(function.body)
    while todo:
        node = todo.pop()
        if not isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Lambda):
            yield node
            todo += ast.iter_child_nodes(node)


@pytest.mark.parametrize("room", [sslrank, evaluation, plotting], ids=lambda room: room.__name__)
def test_public_names_have_an_example(room):
    names = (getattr(room, name) for name in room.__all__)
    missing = [
        item.__name__ for item in names if callable(item) and f"{item.__module__}.{item.__name__}" not in shown()
    ]
    assert missing == []


def test_public_names_are_documented():
    docs = Path(__file__).parents[2] / "src/docs"
    named = {
        name
        for page in docs.glob("*/*.md")
        for name in re.findall(r"{py:(?:class|func)}`~?([\w.]+)`", page.read_text(encoding="utf-8"))
    }
    assert named - set(shown()) == set()


def of_protocol():
    """Arguments of the functions that every evaluator has, which their protocol documents, by name."""
    functions = {name: function for name, function in vars(Evaluator).items() if not name.startswith("_")}
    return {name: list(signature(function).parameters)[1:] for name, function in functions.items()}


@pytest.mark.parametrize("name", EVALUATORS)
def test_evaluators_implement_the_protocol(name):
    module = load_evaluator(name)
    assert isinstance(module, Evaluator)
    for function, arguments in of_protocol().items():
        if found := getattr(module, function, None):
            more = ["shared"] * (function == "evaluate" and name == "eca")
            assert list(signature(found).parameters) == arguments + more


def test_parameters_results_and_errors_are_documented():
    missing, evaluators = [], {load_evaluator(name).__name__ for name in EVALUATORS}
    for name, node in shown().items():
        if isinstance(node, ast.ClassDef):
            continue
        if name.rpartition(".")[0] in evaluators and node.name in of_protocol():
            continue
        text, found = ast.get_docstring(node), list(body(node))
        arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg]
        missing += [
            f"{name}: {argument.arg}"
            for argument in arguments
            if argument is not None and argument.arg not in documented_parameters(text)
        ]
        returns = any(
            isinstance(item, ast.Return) and ast.unparse(item) not in ("return", "return None") for item in found
        )
        yields = any(isinstance(item, ast.Yield) and item.value is not None for item in found)
        raises = any(isinstance(item, ast.Raise) and item.exc is not None for item in found)
        for needed, heading in ((returns, "Returns"), (yields, "Yields"), (raises, "Raises")):
            if needed and f"{heading}\n---" not in text:
                missing.append(f"{name}: {heading}")
    assert missing == []
