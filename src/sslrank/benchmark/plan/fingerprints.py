"""Fingerprints of what a job's result depends on besides its inputs: its code, and facts of the catalogue.

Snakemake sees when a rule or a script changes but not when an imported module does. A rule therefore carries, as a
parameter, a hash over exactly those files of this package that its script reaches by imports, compiled extensions
included: a change in a kernel re-runs what that kernel made, and nothing else. Comments, docstrings and the layout of
Python files do not count.

Left out are the ``__init__.py`` of this package, which list names or import modules by name, and :data:`LEFT_OUT`:
adding a ranker changes the registry, but not what the others compute. What a job finds by name depends on its
parameters, so its rule names that module as well.
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
#: Modules that do not count where they are imported: rules name them (a registry; readers of some datasets only), or
#: they change no result (logs, and what a job ran on and where its files are).
LEFT_OUT = {
    "sslrank.rankers.registry",
    "sslrank.datasets.readers.mulan",
    "sslrank.datasets.recipes",
    "sslrank.benchmark.logs",
    "sslrank.benchmark.environment",
    "sslrank.benchmark.paths",
}
#: A ranker of one's own, as a parameter names it.
_CLASS = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
_CYTHON_IMPORT = re.compile(r"^\s*(?:from\s+([\w.]+)\s+c?import\s+(.+)|c?import\s+([\w.]+))", re.MULTILINE)


# --- which modules a job finds by name --------------------------------------------------------------------


def step_code(name):
    """Fingerprint of the module of a step."""
    return code_fingerprint(f"{PACKAGE}.benchmark.steps.{name}")


def ranker_modules(ranker, params):
    """Modules of a ranker and of those that its parameters name, such as the members of a mean rank."""
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
    """All texts in a parameter, which may be a list or mapping of others."""
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
    """Fingerprint of an evaluator with its settings: a block with "evaluator" and "params"."""
    return code_fingerprint(*evaluator_modules(evaluator["evaluator"], evaluator["params"]))


def experiment_code(experiment):
    """Fingerprint of an experiment, by its name."""
    return code_fingerprint(experiment_module(experiment))


def table_code(tables):
    """Fingerprint of some tables, by their functions' names."""
    return code_fingerprint(*{table_module(name) for name in tables})


def reader_code(entry, path=None):
    """Fingerprint of the readers of a catalogue's entry, or of the user's own file in `path`, and of its recipe."""
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
    """Return the facts that a download depends on: files, their hashes and addresses."""
    return [source.model_dump() for variant in entry.variants for source in variant.files]


def content_facts(entry):
    """Return the facts that a prepared dataset depends on: everything but titles and notes."""
    facts = entry.model_dump(include={"name", "task", "shape", "fingerprint"})
    return facts | {"variants": [variant.model_dump() for variant in entry.variants]}


def page_assets():
    """Fingerprint of what a results page is made of besides data and Python code: styles and script."""
    root = source_root()
    files = [root / name for name in ("core/theme.css", "plotting/page.css", "plotting/page.js")]
    hashes = sorted(
        (path.relative_to(root).as_posix().encode(), hashlib.sha256(path.read_bytes()).digest()) for path in files
    )
    return hashlib.sha256(b"".join(name + b"\0" + found for name, found in hashes)).hexdigest()[:16]


# --- the fingerprint of modules ---------------------------------------------------------------------------


@cache
def code_fingerprint(*modules):
    """Name some modules, with a hash of the files that they reach: what Snakemake shows as the reason of a re-run.

    Modules are dotted names; in the result, ``module: hash``, those of this package are without its name. Thousands of
    jobs ask for the same ones, so they are those of the code that the process has started with.
    """
    files = frozenset().union(*map(reached_files, modules))
    hashes = sorted((path.name.encode(), _read(path)[0]) for path in files)
    digest = hashlib.sha256(b"".join(name + b"\0" + found for name, found in hashes)).hexdigest()[:16]
    return f"{', '.join(name.removeprefix(PACKAGE + '.') for name in sorted(modules))}: {digest}"


@cache
def reached_files(module):
    """Files that `module` runs: its own, and those of the modules that it imports, anywhere in their text.

    Of this package everything counts but ``__init__.py`` and :data:`LEFT_OUT`. A module outside of it counts with what
    it imports from this package and from its own one, or, where it is a single file, from the modules next to it;
    installed packages that it uses do not count. Cython sources are read for their imports; what is run, and counted,
    is the extension compiled from them. Imports of a name that is made at run time are not seen.
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
            waiting.extend(found for found in imported_modules(path, name, module) if found not in LEFT_OUT)
        if not _is_ours(name):  # running a module runs the packages that it is in; ours only export names
            waiting.extend(filter(None, [name.rpartition(".")[0]]))
    return frozenset(path for path in files if path.suffix not in (".pyx", ".pxd"))


def source_root():
    """Folder of this package."""
    return Path(__file__).parents[2]


def _is_ours(name):
    return name.partition(".")[0] == PACKAGE


def _base(name):
    """Path of a module's file without its suffix, or its folder; None if it has neither, as built-in ones."""
    top, *rest = name.split(".")
    if top == PACKAGE:
        return source_root().joinpath(*rest)
    try:
        spec = importlib.util.find_spec(top)  # of the outermost package: this runs nothing
    except ValueError:
        return None
    if spec is None:
        return None
    places = list(spec.submodule_search_locations or [])
    if not places and not spec.has_location:
        return None
    return (Path(places[0]) if places else Path(spec.origin).parent / top).joinpath(*rest)


def _files_of(name):
    """Source, compiled extension and Cython declarations of one module."""
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
    """True if the outermost package or module `top` counts for the module `start`."""
    own = start.partition(".")[0]
    if top in (PACKAGE, own):
        return True
    here, there = _base(own), _base(top)
    if own == PACKAGE or here is None or there is None or here.parent != there.parent:
        return False
    return str(here.parent) not in sysconfig.get_paths().values()


def imported_modules(path, name, start=PACKAGE):
    """Yield the modules that a .py, .pyx or .pxd file imports, if they count for the module `start`.

    `name` is the dotted name of the file's module, for relative imports; see :func:`reached_files` for what counts.
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
            # "from package import x" runs a module of that name, or the one that exports x, or the package itself.
            yield f"{module}.{item}" if _files_of(f"{module}.{item}") else _exporter(module, item)


def _exporter(package, name):
    """The module behind a name that one of our packages imports only when it is asked for."""
    if package not in (PACKAGE, f"{PACKAGE}.evaluation", f"{PACKAGE}.stats"):
        return package
    return getattr(importlib.import_module(package), "HOME", {}).get(name, package)


def _read(path):
    """Hash of a file, and (number of leading dots, module, names) of its imports."""
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
        imports = tuple(_cython_imports(content.decode()))
    return hashlib.sha256(content).digest(), imports


def _statements(tree):
    """List a module and all its statements; expressions have neither imports nor docstrings."""
    found = [tree]
    for node in found:
        for key in ("body", "orelse", "finalbody", "handlers", "cases"):
            found.extend(getattr(node, key, ()))
    return found


def _python_imports(statements):
    for node in statements:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield 0, alias.name, []
        elif isinstance(node, ast.ImportFrom):
            yield node.level, node.module or "", [alias.name for alias in node.names]


def _cython_imports(text):
    text = re.sub(r"#.*", "", text)
    # Names in parentheses on one line, as one of them may be a module.
    text = re.sub(r"\(\s*([^()]*?)\s*\)", lambda m: m[1].replace("\n", " "), text)
    for module, names, plain in _CYTHON_IMPORT.findall(text):
        if plain:
            yield 0, plain, []
            continue
        bare = module.lstrip(".")
        yield len(module) - len(bare), bare, [item.split()[0] for item in names.split(",") if item.strip()]


def _drop_docstrings(statements):
    for node in statements:
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                node.body = node.body[1:]
