"""The rule of imports: which room may import which, and no circle anywhere, in .py, .pyx and .pxd alike."""

import ast
from graphlib import CycleError, TopologicalSorter

import pytest

from sslrank.benchmark.plan.fingerprints import PACKAGE, imported_modules, source_root

#: Top-level modules that belong to no room.
TOP = {"sslrank", "sslrank.__main__", "sslrank.cli", "sslrank.testing"}
#: Room -> rooms that it may import, from the bottom up.
ROOMS = {
    "core": set(),
    "stats": {"core"},
    "metrics": {"core"},
    "model_selection": {"core"},
    "datasets": {"core"},
    "models": {"core", "metrics"},
    "rankers": {"core", "metrics", "model_selection", "models"},
    "evaluation": {"core", "metrics", "model_selection", "models", "rankers"},
    "plotting": {"core", "stats"},
}
LIBRARY = set(ROOMS)
ROOMS |= {"tabular": LIBRARY, "benchmark": LIBRARY, "top": {"core", "rankers"}}
#: Wings of tabular, and its three modules, from the bottom up: each may import all below it.
TABULAR = ("understanding", "fits", "trust", "show", "result", "ranking", "as_ranker", "command")
#: The same inside of the benchmark; all may import the modules beside these folders.
BENCHMARK = {
    "results": set(),
    "experiments": set(),
    "archive": {"results"},
    "config": {"results", "archive", "experiments"},
    "steps": {"results", "archive", "experiments", "report"},
    "report": {"results", "archive", "config"},
    "plan": {"results", "archive", "experiments", "config", "steps", "report"},
    "submit": {"plan", "steps", "results", "archive", "report", "config"},
    "cli": {"archive", "submit", "plan", "report", "config"},
}
BENCHMARK_FLOOR = {"files", "fits", "scoring", "rankings", "environment", "logs", "paths", "kept"}


def source_files(root):
    """(dotted name of the module, file) of every source file."""
    for path in sorted(root.rglob("*.py*")):
        if path.suffix in (".py", ".pyx", ".pxd"):
            parts = path.relative_to(root).with_suffix("").parts
            yield ".".join((PACKAGE, *(part for part in parts if part != "__init__"))), path


def graph(root):
    """Module -> modules that it imports, itself left out."""
    found = {}
    for name, path in source_files(root):
        found.setdefault(name, set()).update(set(imported_modules(path, name)) - {name})
    return found


@pytest.fixture(scope="module")
def imports():
    return graph(source_root())


def room(module):
    if module in TOP:
        return "top"
    return module.split(".")[1]


def test_no_import_upward(imports):
    wrong = [
        f"{module} imports {other}"
        for module, others in imports.items()
        for other in others
        if room(other) not in {room(module), "top"} | ROOMS[room(module)]
    ]
    assert not wrong


def test_no_import_upward_inside_of_the_benchmark(imports):
    def floor(module):
        return module.split(".")[2] if module.count(".") > 1 else "files"

    inside = {module: others for module, others in imports.items() if room(module) == "benchmark"}
    wrong = [
        f"{module} imports {other}"
        for module, others in inside.items()
        for other in others
        if room(other) == "benchmark"
        and floor(other) not in {floor(module)} | BENCHMARK_FLOOR | BENCHMARK.get(floor(module), set())
    ]
    assert not wrong
    assert {floor(module) for module in inside} == set(BENCHMARK) | BENCHMARK_FLOOR


def test_wings_of_tabular_import_one_way(imports):
    inside = {module: others for module, others in imports.items() if room(module) == "tabular"}

    def wing(module):
        return module.split(".")[2] if module.count(".") > 1 else ""

    wrong = [
        f"{module} imports {other}"
        for module, others in inside.items()
        for other in others
        if room(other) == "tabular"
        and wing(other) != wing(module)
        and wing(other) not in ("", *TABULAR[: TABULAR.index(wing(module))])
    ]
    assert not wrong
    assert {wing(module) for module in inside} == {"", *TABULAR}


def test_no_circle(imports):
    try:
        list(TopologicalSorter(imports).static_order())
    except CycleError as error:
        pytest.fail(f"a circle of imports: {' <- '.join(error.args[1])}")


def test_every_room_is_there(imports):
    assert {room(module) for module in imports} == set(ROOMS)
    assert len(imports) > 100
    assert "sslrank.core._typedefs" in imports["sslrank.rankers.trees._builder"]  # of a .pyx
    assert "sslrank.rankers.trees._criterion" in imports["sslrank.rankers.trees._tests"]  # of a .pxd


# ---- underscored names


def folder_of(path, root):
    """The folder directly under sslrank, or the module's name for those that are in none."""
    return path.relative_to(root).parts[0]


def defined_privately(tree):
    """Underscored names that a module defines: functions, classes, variables, and attributes of its classes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            yield node.name
        elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.id if isinstance(node, ast.Name) else node.attr
        elif isinstance(node, ast.keyword | ast.arg) and node.arg:
            yield node.arg


def is_private(name):
    return name.startswith("_") and not name.startswith("__")


def private_uses(root):
    """Uses of an underscored name of another folder: imports and attributes."""
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(root.rglob("*.py"))}
    defined = {}
    for path, tree in trees.items():
        names = {name for name in defined_privately(tree) if is_private(name)}
        defined.setdefault(folder_of(path, root), set()).update(names)
    for path, tree in trees.items():
        folder, place = folder_of(path, root), path.relative_to(root).as_posix()
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == PACKAGE:
                parts = [*node.module.split("."), *(alias.name for alias in node.names)]
                other = node.module.split(".")[1] if "." in node.module else folder
                if other != folder and any(is_private(part) for part in parts):
                    yield f"{place}, line {node.lineno}: import of {'.'.join(parts)}"
            elif isinstance(node, ast.Attribute) and is_private(node.attr):
                others = {of for of, names in defined.items() if node.attr in names}
                if others and folder not in others:
                    yield f"{place}, line {node.lineno}: {node.attr} of {', '.join(sorted(others))}"


def test_no_package_reads_another_s_underscored_names():
    assert list(private_uses(source_root())) == []


@pytest.mark.parametrize(
    "code",
    [
        "from sslrank.core.base import _hidden",
        "from sslrank.core import _hidden",
        "from sslrank.core._hidden import name",
        "from sslrank.core import base\nbase._hidden()",
        "def of(other):\n    return other._member",
    ],
)
def test_uses_of_underscored_names_are_found(tmp_path, code):
    for folder in ("core", "rankers"):
        (tmp_path / folder).mkdir()
    base = "def _hidden():\n    pass\n\nclass Base:\n    def _member(self):\n        pass\n"
    (tmp_path / "core/base.py").write_text(base)
    own = "class Own:\n    _kept = 1\n    def fit(self):\n        return self._kept\n"
    (tmp_path / "rankers/own.py").write_text(own)
    assert list(private_uses(tmp_path)) == []
    (tmp_path / "rankers/own.py").write_text(own + code + "\n")
    assert list(private_uses(tmp_path))
