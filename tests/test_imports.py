"""Rules for source files: which package may import which, without cycles, and which sorts may reorder ties."""

import re
from collections import Counter
from graphlib import CycleError, TopologicalSorter

import pytest

from sslrank.benchmark.plan.fingerprints import PACKAGE, source_root

#: Top-level modules that belong to no package.
TOP = {"sslrank", "sslrank.__main__", "sslrank.cli", "sslrank.testing"}
#: Package -> packages that it may import, from the bottom up.
PACKAGES = {
    "core": set(),
    "stats": {"core"},
    "metrics": {"core"},
    "model_selection": {"core"},
    "datasets": {"core"},
    "models": {"core", "metrics"},
    "rankers": {"core", "metrics", "models"},
    "evaluation": {"core", "metrics", "models", "rankers"},
    "hypothesis_tests": {"core"},
    "plotting": {"core", "stats"},
}
LIBRARY = set(PACKAGES)
#: Wings of tabular, and its three modules, from the bottom up: each may import all below it.
TABULAR = ("schema", "fits", "trust", "output", "result", "ranking", "as_ranker", "command")
#: The same inside of the benchmark; all may import the modules next to these folders.
BENCHMARK = {
    "results": set(),
    "experiments": set(),
    "archive": {"results"},
    "config": {"results", "archive", "experiments"},
    "steps": {"results", "archive", "experiments", "report"},
    "report": {"results", "archive", "config"},
    "plan": {"results", "archive", "experiments", "config", "steps", "report"},
    "digests": {"plan", "steps"},
    "audit": {"plan", "steps", "results", "archive", "report", "submit", "config"},
    "submit": {"plan", "steps", "results", "archive", "report", "config"},
    "cli": {"archive", "submit", "plan", "report", "config", "audit"},
}
BENCHMARK_FLOOR = {"files", "fits", "scoring", "rankings", "environment", "paths", "partial_results", "rerun"}


def layers():
    """Layer -> layers that it may import: packages, and the parts of tabular and benchmark as `tabular.fits`."""
    found = PACKAGES | {"top": {"core", "rankers"}, "tabular": LIBRARY, "benchmark": LIBRARY}
    for number, name in enumerate(TABULAR):
        found[f"tabular.{name}"] = LIBRARY | {"tabular", *(f"tabular.{lower}" for lower in TABULAR[:number])}
    for name, others in (dict.fromkeys(BENCHMARK_FLOOR, frozenset()) | BENCHMARK).items():
        inside = {f"benchmark.{other}" for other in others | BENCHMARK_FLOOR}
        found[f"benchmark.{name}"] = LIBRARY | {"benchmark"} | inside
    return found


def source_files(root):
    """(dotted name of the module, file) of every source file."""
    for path in sorted(root.rglob("*.py*")):
        if path.suffix in (".py", ".pyx", ".pxd"):
            parts = path.relative_to(root).with_suffix("").parts
            yield ".".join((PACKAGE, *(part for part in parts if part != "__init__"))), path


def graph(root):
    """Module -> modules that it imports, itself left out; a name that a package exports counts as the package."""
    found = {name: set() for name, _ in source_files(root)}
    statement = re.compile(rf"^[ ]*from ({PACKAGE}[\w.]*) c?import (\([^)]*\)|.*)", re.MULTILINE)
    for name, path in source_files(root):
        for module, names in statement.findall(path.read_text(encoding="utf-8")):
            modules = {f"{module}.{item}" for item in re.findall(r"\w+", names)} & found.keys()
            found[name] |= (modules or {module}) - {name}
    return found


@pytest.fixture(scope="module")
def imports():
    return graph(source_root())


def layer(module):
    if module in TOP:
        return "top"
    parts = module.split(".")[1:]
    return ".".join(parts[:2]) if parts[0] in ("tabular", "benchmark") else parts[0]


def test_layers_import_downward_only(imports):
    allowed = layers()
    assert {layer(module) for module in imports} == set(allowed)
    wrong = [
        f"{module} imports {other}"
        for module, others in imports.items()
        for other in others
        if layer(other) not in {layer(module), "top"} | allowed[layer(module)]
    ]
    assert not wrong


def test_modules_have_no_import_cycles(imports):
    try:
        list(TopologicalSorter(imports).static_order())
    except CycleError as error:
        pytest.fail(f"a circle of imports: {' <- '.join(error.args[1])}")


def test_imports_of_kernels_are_seen(imports):
    assert len(imports) > 100
    assert "sslrank.core._typedefs" in imports["sslrank.rankers.trees._builder"]  # of a .pyx
    assert "sslrank.rankers.trees._criterion" in imports["sslrank.rankers.trees._tests"]  # of a .pxd


def test_packages_import_no_private_names():
    """``ruff`` refuses attributes; imports are left to this test."""
    for path in source_root().rglob("*.py"):
        for other, names in re.findall(rf"^ *from {PACKAGE}\.(\w+)[\w.]* import (.*)", path.read_text(), re.MULTILINE):
            is_own = other == path.relative_to(source_root()).parts[0]
            assert is_own or not re.search(r"\b_\w", names), f"{path}: {names}"


def test_only_these_sorts_leave_equal_values_in_any_order():
    """NumPy's default sort orders equal values differently on another processor, ``kind="stable"`` does not."""
    lines = ((path.stem, line) for path in source_root().rglob("*.py") for line in path.read_text().splitlines())
    found = Counter(name for name, line in lines if re.search(r"^(?!.*>>>).*argsort\((?!.*kind=)", line))
    harmless = "affinity coding cotraining half_samples information_gain marginal space testing"
    assert found == Counter(harmless.split())
