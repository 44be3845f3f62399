"""The rule of imports: which room may import which, and no circle anywhere, in .py, .pyx and .pxd alike."""

from graphlib import CycleError, TopologicalSorter

import pytest

from sslrank.pipeline.plan.provenance import PACKAGE, imported_modules, source_root

#: Top-level modules that are no part of the ground floor.
TOP = {"sslrank", "sslrank.__main__", "sslrank.cli"}
#: Room -> rooms that it may import; all may import the ground floor, the modules beside these folders.
ROOMS = {
    "ground floor": set(),
    "measures": set(),
    "predictors": {"measures"},
    "rankers": {"measures", "predictors"},
    "data": set(),
    "evaluation": {"measures", "predictors", "rankers"},
    "plots": set(),
    "pipeline": {"measures", "predictors", "rankers", "data", "evaluation", "plots"},
    "own": {"measures", "predictors", "rankers", "data", "evaluation", "plots"},
    "top": {"data", "pipeline", "own", "top"},
}
#: The same inside of the pipeline; all may import the modules beside these folders.
PIPELINE = {
    "analysis": set(),
    "experiments": set(),
    "archive": set(),
    "jobs": {"analysis", "archive", "experiments"},
    "report": {"analysis", "archive"},
    "plan": {"analysis", "archive", "experiments"},
    "files": set(),
    "rankings": set(),
    "environment": set(),
    "logs": set(),
    "compare": {"plan", "jobs", "analysis", "archive", "report"},
    "commands": {"archive", "compare", "plan", "report"},
}
PIPELINE_FLOOR = {"files", "rankings", "environment", "logs"}


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
    second = module.split(".")[1]
    return second if second in ROOMS else "ground floor"


def test_no_import_upward(imports):
    wrong = [
        f"{module} imports {other}"
        for module, others in imports.items()
        for other in others
        if room(other) not in {room(module), "ground floor"} | ROOMS[room(module)]
    ]
    assert not wrong


def test_no_import_upward_inside_of_the_pipeline(imports):
    def floor(module):
        return module.split(".")[2] if module.count(".") > 1 else "files"

    inside = {module: others for module, others in imports.items() if room(module) == "pipeline"}
    wrong = [
        f"{module} imports {other}"
        for module, others in inside.items()
        for other in others
        if room(other) == "pipeline" and floor(other) not in {floor(module)} | PIPELINE_FLOOR | PIPELINE[floor(module)]
    ]
    assert not wrong
    assert {floor(module) for module in inside} == set(PIPELINE)


def test_no_circle(imports):
    try:
        list(TopologicalSorter(imports).static_order())
    except CycleError as error:
        pytest.fail(f"a circle of imports: {' <- '.join(error.args[1])}")


def test_every_room_is_there(imports):
    assert {room(module) for module in imports} == set(ROOMS)
    assert len(imports) > 100
    assert "sslrank._typedefs" in imports["sslrank.rankers.trees._builder"]  # of a .pyx
    assert "sslrank.rankers.trees._criterion" in imports["sslrank.rankers.trees._tests"]  # of a .pxd
