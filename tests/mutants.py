"""Plant seeded bugs in a copy of the checkout and list those that no test finds: ``make mutants SEED=1 N=30``.

A plant changes one place: a constant, a comparison, an operator, a condition, a loop; or it drops a keyword argument or
exchanges two arguments. Lines are drawn with equal probability from all lines that can be changed, so that long modules
get more plants. The closest tests run first. Then all tests run once with many plants that those did not find, and the
tests that fail run again with each plant alone. Lint does not run, as it would object to how a plant is written.

`strict` of zip is left out: ruff demands it, and the lengths that it compares are equal unless there is another bug.
"""

import argparse
import contextlib
import difflib
import json
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import parso
from cosmic_ray.ast import Visitor, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator
from cosmic_ray.plugins import get_operator, operator_names

ROOT = Path(__file__).parents[1]
COPY = ROOT / "build" / "mutants"
#: Operators of cosmic-ray, by kind. Exceptions, decorators and operations on bits are left out.
KINDS = {
    "constant": "NumberReplacer|ReplaceTrueWithFalse|ReplaceFalseWithTrue",
    "comparison": r"ReplaceComparisonOperator_(Eq_NotEq|NotEq_Eq|Lt_LtE|LtE_Lt|Gt_GtE|GtE_Gt|Lt_Gt|Gt_Lt|Is\w*_Is\w*)",
    "arithmetic": "ReplaceBinaryOperator_(Add_Sub|Sub_Add|Mul_Div|Div_Mul|FloorDiv_Mul|Pow_Mul|Mod_FloorDiv)",
    "logic": "AddNot|ReplaceAndWithOr|ReplaceOrWithAnd|ReplaceUnaryOperator_(USub_UAdd|Delete_.*)",
    "loop": "ReplaceBreakWithContinue|ReplaceContinueWithBreak|ZeroIterationForLoop",
}


#: Around a star that multiplies nothing: signatures and calls.
STARS = ("parameters", "lambdef", "argument", "param")


class _Arguments(Operator):
    """An operator on the arguments of a call."""

    def mutation_positions(self, node):
        if node.type == "arglist" and node.parent.type == "trailer" and self.chosen(node):
            yield node.start_pos, node.end_pos

    def mutate(self, node, index):
        text = self.changed([child.get_code().strip() for child in self.chosen(node)], node)
        return parso.python.tree.Name(text, node.start_pos, prefix=node.children[0].get_first_leaf().prefix)

    @classmethod
    def examples(cls):
        return ()


class DropKeyword(_Arguments):
    """Drop the last keyword argument of a call."""

    def chosen(self, node):
        named = [c for c in node.children if c.type == "argument" and c.children[0].type == "name"]
        return [c for c in named if c.children[0].value != "strict"][-1:]

    def changed(self, chosen, node):
        return ", ".join(
            c.get_code().strip() for c in node.children if c.type != "operator" and c.get_code().strip() not in chosen
        )


class ExchangeArguments(_Arguments):
    """Exchange the first two arguments of a call, which are names."""

    def chosen(self, node):
        names = [c for c in node.children[:3] if c.type == "name"]
        return names if len(names) == 2 and names[0].value != names[1].value else []

    def changed(self, chosen, node):
        rest = [c.get_code().strip() for c in node.children[3:] if c.type != "operator"]
        return ", ".join([chosen[1], chosen[0], *rest])


def operators():
    """Return the operators of each kind, as a dict of lists."""
    names = [name for name in operator_names() if name.startswith("core/")]
    found = {
        kind: [get_operator(name)() for name in names if re.fullmatch(pattern, name.removeprefix("core/"))]
        for kind, pattern in KINDS.items()
    }
    return found | {"argument": [DropKeyword(), ExchangeArguments()]}


class _Candidates(Visitor):
    """Lists what operators can change in a file: line, kind, operator, occurrence."""

    def __init__(self, kinds):
        self.kinds, self.candidates, self.seen = kinds, [], {}

    def visit(self, node):
        around = node.parent
        for kind, members in self.kinds.items():
            for operator in members:
                for start, _ in operator.mutation_positions(node):
                    occurrence = self.seen.get(operator, 0)
                    self.seen[operator] = occurrence + 1
                    if not around or (around.type not in STARS and around.get_first_leaf().value != "strict"):
                        self.candidates.append((start[0], kind, operator, occurrence))
        return node


class Plant(NamedTuple):
    """A bug to be planted: the whole text of its file, changed in one place."""

    file: Path
    line: int
    kind: str
    text: str

    def __str__(self):
        before = self.file.read_text(encoding="utf-8")
        changed = difflib.unified_diff(before.split("\n"), self.text.split("\n"), lineterm="", n=0)
        return "\n    ".join([f"{self.file}:{self.line} ({self.kind})", *list(changed)[3:]])


def draw(files, n, seed):
    """Draw n plants."""
    kinds, lines = operators(), {}
    for file in files:
        walk = _Candidates(kinds)
        walk.walk(get_ast(file.read_text(encoding="utf-8")))
        for line, *candidate in walk.candidates:
            lines.setdefault((file, line), []).append(candidate)
    rng = random.Random(seed)
    plants = []
    for file, line in rng.sample(sorted(lines), min(n, len(lines))):
        candidates = lines[file, line]
        kind = rng.choice(sorted({candidate[0] for candidate in candidates}))
        _, operator, occurrence = rng.choice([candidate for candidate in candidates if candidate[0] == kind])
        plants.append(Plant(file, line, kind, mutate_code(file.read_text(encoding="utf-8"), operator, occurrence)))
    return plants


def closest_tests(file):
    """Return the tests that import a module or, in those of its package, are named after it; or the nearest folder."""
    tests, name = COPY / "tests", file.stem.strip("_")
    of_package = tests / file.parts[2]
    module = re.compile(rf"\b{'.'.join(file.with_suffix('').parts[1:])}\b")
    importing = {path for path in tests.rglob("test_*.py") if module.search(path.read_text("utf-8"))}
    importing -= {tests / "test_imports.py"}  # it names modules, but runs none
    if named := importing.union(of_package.rglob(f"test_{name}.py"), of_package.rglob(f"test_{name}_*.py")):
        return sorted(named)
    folders = [COPY / folder for folder in (Path("tests") / file.relative_to("src/sslrank")).parents]
    return next(([folder] for folder in folders if folder != tests and any(folder.glob("test_*.py"))), [])


def failing(*arguments):
    """Return the tests of the copy that fail; all of the arguments if pytest does not end within half an hour."""
    shutil.rmtree(COPY / ".pytest_cache", ignore_errors=True)
    command = [sys.executable, "-m", "pytest", "-q", *map(str, arguments)]
    environment = os.environ | {"PYTHONPATH": str(COPY / "src")}
    with contextlib.suppress(subprocess.TimeoutExpired):
        subprocess.run(command, cwd=COPY, env=environment, capture_output=True, timeout=1800, check=False)
    cache = COPY / ".pytest_cache" / "v" / "cache"
    if not (cache / "nodeids").exists():  # written at the end
        return set(map(str, arguments))
    failed = cache / "lastfailed"
    return set(json.loads(failed.read_text(encoding="utf-8"))) if failed.exists() else set()


def compiled(plants):
    """Compile the copy's kernels if a plant is in one; return whether they can be."""
    if all(plant.file.suffix == ".py" for plant in plants):
        return True
    command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    return subprocess.run(command, cwd=COPY, capture_output=True, check=False).returncode == 0


@contextlib.contextmanager
def planted(*plants):
    """Change the copy by plants of different files, and change it back; yield whether it compiles."""
    for plant in plants:
        (COPY / plant.file).write_text(plant.text, encoding="utf-8")
    yield compiled(plants)
    for plant in plants:
        (COPY / plant.file).write_text(plant.file.read_text(encoding="utf-8"), encoding="utf-8")
    compiled(plants)


def found_by_closest_tests(plant):
    """Say whether the closest tests find a plant; None: it does not compile."""
    with planted(plant) as compiles:
        near = closest_tests(plant.file)
        return bool(near and failing("-x", *near)) if compiles else None


def found_by_all_tests(plants):
    """Return which plants of different files the tests find that fail with all of them.

    The tests that one plant explains are not run for the next ones, so that more may be found without it.
    """
    with planted(*plants):
        failed = failing("-n", os.cpu_count())
    failed -= failing(*sorted(failed)) if failed else set()  # some need the whole checkout
    found = []
    for plant in sorted(plants, key=lambda plant: plant.file.suffix != ".pyx"):  # kernels break most tests
        with planted(plant):
            if failed and (explained := failing(*sorted(failed))):
                found.append(plant)
                failed -= explained
    return found


def copy_checkout():
    """Copy the checkout's files and the compiled kernels to the folder of the plants."""
    shutil.rmtree(COPY, ignore_errors=True)
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    compiled_files = [path for pattern in ("*.so", "*.c") for path in (ROOT / "src").rglob(pattern)]
    compiler_files = [path for path in (ROOT / "build").glob("*-cpython-*/**/*") if path.is_file()]
    built = [path.relative_to(ROOT) for path in (*compiled_files, *compiler_files)]
    for name in [*filter(None, listed.stdout.split("\n")), *built]:
        (COPY / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, COPY / name, follow_symlinks=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-n", type=int, default=30, help="number of plants")
    parser.add_argument("--under", default="src/sslrank", help="file or folder to plant in")
    arguments = parser.parse_args()
    os.chdir(ROOT)
    under = Path(arguments.under)
    files = [under] if under.is_file() else sorted(f for s in ("*.py", "*.pyx") for f in under.rglob(s))
    copy_checkout()
    plants = draw(files, arguments.n, arguments.seed)
    refused, left, survivors = 0, [], []
    for number, plant in enumerate(plants, 1):
        found = found_by_closest_tests(plant)
        refused += found is None
        verdict = {None: "does not compile", True: "found by closest tests", False: "not found by them"}[found]
        print(f"{number}/{len(plants)} {verdict}: {plant}", flush=True)
        if found is False:
            left.append(plant)
    while left:
        together = list({plant.file: plant for plant in left}.values())
        found = found_by_all_tests(together)
        for plant in found:
            print(f"found by all tests: {plant}", flush=True)
        survivors += [] if found else together
        left = [plant for plant in left if plant not in (found or together)]
    print(f"{len(plants) - refused} planted, {len(survivors)} survived (seed {arguments.seed}):")
    print(*survivors, sep="\n")


if __name__ == "__main__":
    main()
