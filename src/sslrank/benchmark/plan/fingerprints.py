"""Fingerprints of what a job's result depends on in addition to its inputs: code and facts of the catalogue.

Snakemake detects a changed rule or script, but not a changed module that they import. A rule therefore has as a
parameter the hash of all files of this package that its script reaches by imports, including compiled extensions. A
change in a kernel thus re-runs what depends on the kernel, and nothing else. Comments, docstrings and the layout of
Python files do not count.

Left out are this package's ``__init__.py`` files, which list names or import modules by name, and :data:`LEFT_OUT`: a
new ranker changes the registry, but not the results of other rankers. Modules that a job imports by the names in its
parameters are added by its rule.
"""

import ast
import hashlib
import importlib.util
import re
import sysconfig
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

from sslrank.benchmark.experiments import experiment_module
from sslrank.benchmark.results.tables import table_module
from sslrank.datasets.readers import SUFFIXES, format_of, reader_module
from sslrank.evaluation.evaluators import evaluator_modules
from sslrank.rankers.registry import RANKERS, ranker_info

PACKAGE = "sslrank"
#: Imported modules that do not count: rules name them (registries, readers of some datasets), or they change no result
#: (logs, machine and paths).
LEFT_OUT = {
    "sslrank.rankers.registry",
    "sslrank.datasets.readers.mulan",
    "sslrank.datasets.recipes",
    "sslrank.benchmark.logs",
    "sslrank.benchmark.environment",
    "sslrank.benchmark.paths",
}
#: The user's own ranker as named in a parameter.
_CLASS = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
_CYTHON_IMPORT = re.compile(r"^\s*from\s+([a-z]\w*\.[\w.]+)\s+c?import\b", re.MULTILINE)


# --- which modules a job finds by name --------------------------------------------------------------------


def step_code(name):
    """Return the fingerprint of the module of a step."""
    return code_fingerprint(f"{PACKAGE}.benchmark.steps.{name}")


def ranker_modules(ranker, params):
    """List the modules of a ranker and of rankers in its parameters, such as the members of a mean rank."""
    modules, waiting, seen = set(), [(ranker, params)], set()
    while waiting:
        name, given = waiting.pop()
        seen.add(name)
        info = ranker_info(name)
        modules.add(info.path.partition(":")[0])
        texts = _texts({**info.params, **given})
        waiting += [(text, {}) for text in texts if text not in seen and (text in RANKERS or _CLASS.fullmatch(text))]
    return sorted(modules)


def _texts(value):
    """Yield all texts in a parameter, which may be a nested list or mapping."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)


def ranker_facts(ranker):
    """Return the registry's facts about a ranker, which its fingerprint does not cover."""
    info = ranker_info(ranker)
    return {"path": info.path, "params": info.params, "tasks": sorted(info.tasks)}


def evaluator_code(evaluator):
    """Return the fingerprint of an evaluator and its settings, a block with "evaluator" and "params"."""
    return code_fingerprint(*evaluator_modules(evaluator["evaluator"], evaluator["params"]))


def experiment_code(experiment):
    """Return the fingerprint of an experiment, by its name."""
    return code_fingerprint(experiment_module(experiment))


def table_code(tables):
    """Return the fingerprint of some tables, by the names of their functions."""
    return code_fingerprint(*{table_module(name) for name in tables})


def reader_code(entry, path=None):
    """Hash the code of the readers of a catalogue entry, or of the user's file in `path`, and of its recipe."""
    modules = set()
    for variant in entry.variants:
        if variant.recipe:
            modules.add("sslrank.datasets.recipes")
        formats = [variant.reader.get("format")] if "format" in variant.reader else []
        for source in variant.files:
            if source.role == "labels":
                modules.add("sslrank.datasets.readers.mulan")
            elif not formats and not variant.recipe:
                modules.add(reader_module(format_of(source.file)))
        modules.update(map(reader_module, formats))
    if path is not None and "".join(Path(path).suffixes).lower().endswith(tuple(SUFFIXES)):
        modules.add(reader_module(format_of(path)))
    return code_fingerprint(*modules)


def source_facts(entry):
    """Return the facts that a download depends on: files, hashes and addresses."""
    return [source.model_dump() for variant in entry.variants for source in variant.files]


def content_facts(entry):
    """Return the facts that a prepared dataset depends on: everything but titles and notes."""
    facts = entry.model_dump(include={"name", "task", "shape", "fingerprint"})
    return facts | {"variants": [variant.model_dump() for variant in entry.variants]}


def page_assets():
    """Return the fingerprint of the styles and the script of a results page."""
    files = ("core/theme.css", "plotting/page.css", "plotting/page.js")
    return hashlib.sha256(b"".join((source_root() / file).read_bytes() for file in files)).hexdigest()[:16]


# --- the fingerprint of modules ---------------------------------------------------------------------------


@cache
def code_fingerprint(*modules):
    """Return module names with the hash of the files that they reach; Snakemake shows it as the reason of a re-run.

    Modules are dotted names; in the result, ``module: hash``, the name of this package is omitted. Results are cached
    in the process, because thousands of jobs ask for the same modules.
    """
    files = frozenset().union(*map(reached_files, modules))
    hashes = sorted((path.name.encode(), _read(path)[0]) for path in files)
    digest = hashlib.sha256(b"".join(name + b"\0" + file_hash for name, file_hash in hashes)).hexdigest()[:16]
    return f"{', '.join(name.removeprefix(PACKAGE + '.') for name in sorted(modules))}: {digest}"


@cache
def reached_files(module):
    """Find the files that `module` runs: its own, and those of all modules that it imports, anywhere in the code.

    Of this package all files count except ``__init__.py`` and :data:`LEFT_OUT`. A module outside of it counts with its
    imports from this package and from its own package (for a single file: from modules next to it), but not from
    installed packages. Cython sources are read for imports; the compiled extension is what counts. Imports of names
    computed at run time are not detected.
    """
    files, seen, waiting = set(), set(), [module]
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        own = _files_of(name)
        if not own and name == module:
            raise ModuleNotFoundError(f"there is no module {name!r} to take a fingerprint of", name=name)
        files |= {path for path in own if path.name != "__init__.py" or not _is_ours(name)}
        for path in own:
            waiting.extend(imported for imported in imported_modules(path, name, module) if imported not in LEFT_OUT)
        if not _is_ours(name):  # importing a module runs its packages; ours only export names
            waiting.extend(filter(None, [name.rpartition(".")[0]]))
    return frozenset(path for path in files if path.suffix not in (".pyx", ".pxd"))


def source_root():
    """Return the folder of this package."""
    return Path(__file__).parents[2]


def _is_ours(name):
    return name.partition(".")[0] == PACKAGE


def _base(name):
    """Return the path of a module's file without suffix, or its folder; None for a built-in module."""
    top, *below = name.split(".")
    if top == PACKAGE:
        return source_root().joinpath(*below)
    try:
        spec = importlib.util.find_spec(top)  # of the top-level package: this runs nothing
    except ValueError:
        return None
    if spec is None:
        return None
    places = list(spec.submodule_search_locations or [])
    if not places and not spec.has_location:
        return None
    return (Path(places[0]) if places else Path(spec.origin).parent / top).joinpath(*below)


def _files_of(name):
    """List source, compiled extension and Cython declarations of one module."""
    base = _base(name)
    if base is None:
        return []
    if base.is_dir():
        paths = [base / "__init__.py"]
    else:
        paths = [base.with_name(base.name + suffix) for suffix in (".py", ".pyx", ".pxd", *EXTENSION_SUFFIXES)]
    return [path for path in paths if path.is_file()]


@cache
def _counts(top, start):
    """Check if the top-level package or module `top` counts for the module `start`."""
    own = start.partition(".")[0]
    if top in (PACKAGE, own):
        return True
    start_folder, top_folder = _base(own), _base(top)
    if own == PACKAGE or start_folder is None or top_folder is None or start_folder.parent != top_folder.parent:
        return False
    return str(start_folder.parent) not in sysconfig.get_paths().values()


def imported_modules(path, name, start=PACKAGE):
    """Yield the modules that a .py, .pyx or .pxd file imports, if they count for the module `start`.

    `name` is the dotted name of the file's module, for relative imports; for what counts see :func:`reached_files`.
    """
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for level, module, names in _read(path)[1]:
        if level:
            parents = package.split(".")
            module = ".".join(filter(None, [*parents[: len(parents) - level + 1], module]))
        if not _counts(module.partition(".")[0], start):
            continue
        if not names:
            yield module
        for item in names:
            # "from package import x" runs the module x, the module that exports x, or the package itself.
            yield f"{module}.{item}" if _files_of(f"{module}.{item}") else _exporter(module, item)


def _exporter(package, name):
    """Return the module behind a name that one of our packages imports lazily."""
    if package not in (PACKAGE, f"{PACKAGE}.evaluation", f"{PACKAGE}.stats"):
        return package
    return getattr(importlib.import_module(package), "_MODULE_OF", {}).get(name, package)


def _read(path):
    """Return the hash of a file, and (number of leading dots, module, names) for each import."""
    stat = path.stat()
    return _read_once(path, stat.st_mtime_ns, stat.st_size)


@cache
def _read_once(path, mtime, size):
    content, imports = path.read_bytes(), ()
    if path.suffix == ".py":
        tree = ast.parse(content)
        statements = _statements(tree)
        imports = tuple(_python_imports(statements))
        _drop_docstrings(statements)
        content = ast.dump(tree).encode()
    elif path.suffix in (".pyx", ".pxd"):
        imports = tuple((0, module, []) for module in _CYTHON_IMPORT.findall(content.decode()))
    return hashlib.sha256(content).digest(), imports


def _statements(tree):
    """List a module and all its statements; expressions have neither imports nor docstrings."""
    statements = [tree]
    for node in statements:
        for key in ("body", "orelse", "finalbody", "handlers", "cases"):
            statements.extend(getattr(node, key, ()))
    return statements


def _python_imports(statements):
    for node in statements:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield 0, alias.name, []
        elif isinstance(node, ast.ImportFrom):
            yield node.level, node.module or "", [alias.name for alias in node.names]


def _drop_docstrings(statements):
    for node in statements:
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                node.body = node.body[1:]
