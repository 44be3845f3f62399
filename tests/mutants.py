"""Plant seeded bugs in a copy of the checkout and list those that no test finds: ``make mutants SEED=1 N=30``.

A plant changes one place: a constant, a comparison, an operator, a condition, a loop; or it drops a keyword argument or
exchanges two arguments. Lines are drawn with equal probability from all lines that can be changed, so that long modules
get more plants. The closest tests run first, then all; lint does not, as it would object to how a plant is written.

`strict` of zip is left out: ruff demands it, and the lengths that it compares are equal unless there is another bug.
"""

import argparse
import difflib
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

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


def draw(files, n, seed):
    """Draw n plants: file, line, kind, the file's text with the plant."""
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
        plants.append((file, line, kind, mutate_code(file.read_text(encoding="utf-8"), operator, occurrence)))
    return plants


def closest_tests(file):
    """Return the tests that import a module or are named after it, or else those of the nearest folder."""
    tests, name = COPY / "tests", file.stem.strip("_")
    module = re.compile(rf"\b{'.'.join(file.with_suffix('').parts[1:])}\b")
    importing = {path for path in tests.rglob("test_*.py") if module.search(path.read_text("utf-8"))}
    importing -= {tests / "test_imports.py"}  # it names modules, but runs none
    if named := importing.union(tests.rglob(f"test_{name}.py"), tests.rglob(f"test_{name}_*.py")):
        return sorted(named)
    folders = [COPY / folder for folder in (Path("tests") / file.relative_to("src/sslrank")).parents]
    return next(([folder] for folder in folders if folder != tests and any(folder.glob("test_*.py"))), [])


def fails(tests):
    """Say whether a test fails, or does not end within half an hour."""
    workers = "0" if tests else str(os.cpu_count())  # few tests end before workers have started
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-n", workers]
    environment = os.environ | {"PYTHONPATH": str(COPY / "src")}
    try:
        return subprocess.run(
            [*command, *map(str, tests)], cwd=COPY, env=environment, capture_output=True, timeout=1800, check=False
        ).returncode not in (0, 5)
    except subprocess.TimeoutExpired:
        return True


def compiled(file):
    """Compile the copy's kernels if the plant is in one; return whether they can be."""
    if file.suffix == ".py":
        return True
    command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    return subprocess.run(command, cwd=COPY, capture_output=True, check=False).returncode == 0


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
    parser.add_argument("--closest", action="store_true", help="run the closest tests only")
    arguments = parser.parse_args()
    os.chdir(ROOT)
    under = Path(arguments.under)
    files = [under] if under.is_file() else sorted(f for s in ("*.py", "*.pyx") for f in under.rglob(s))
    copy_checkout()
    plants, survivors, refused = draw(files, arguments.n, arguments.seed), [], 0
    for number, (file, line, kind, text) in enumerate(plants, 1):
        before = file.read_text(encoding="utf-8")
        (COPY / file).write_text(text, encoding="utf-8")
        if not compiled(file):
            refused, verdict = refused + 1, "does not compile"
        else:
            near = closest_tests(file)
            by = "closest" if near and fails(near) else "all" if not arguments.closest and fails([]) else None
            verdict = f"found by {by} tests" if by else "SURVIVED"
        changed = list(difflib.unified_diff(before.split("\n"), text.split("\n"), lineterm="", n=0))[3:]
        print(f"{number}/{len(plants)} {file}:{line} ({kind}): {verdict}", *changed, sep="\n    ", flush=True)
        if verdict == "SURVIVED":
            survivors.append(f"{file}:{line}")
        (COPY / file).write_text(before, encoding="utf-8")
        compiled(file)
    print(f"{len(plants) - refused} planted, {len(survivors)} survived (seed {arguments.seed})", *survivors, sep="\n  ")


if __name__ == "__main__":
    main()
