"""Fingerprints of the code that a job runs.

Snakemake sees when a rule or a script changes but not when an imported module does. A rule therefore
carries, as a parameter, a hash over exactly those files of this package that its code reaches by imports,
compiled extensions included: a change in a kernel re-runs what that kernel made, and nothing else.

The registry of rankers and the ``__init__`` modules that only re-export names are left out: adding a ranker
changes them, but not what the others compute.
"""

import ast
import hashlib
import importlib.util
import re
from functools import cache, lru_cache
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

PACKAGE = "sslrank"
NEUTRAL = {PACKAGE, f"{PACKAGE}.registry"}
_CYTHON_IMPORT = re.compile(r"^\s*(?:from\s+([\w.]+)\s+c?import\s+(.+)|c?import\s+([\w.]+))", re.MULTILINE)


def code_fingerprint(*modules):
    """Hash of the package's files that some modules reach.

    Parameters
    ----------
    *modules : str
        Dotted names, e.g. ``"sslrank.rankers.trees.forest"``. A module outside of this package counts with its own
        file only.

    Returns
    -------
    str
        16 hexadecimal digits.

    Raises
    ------
    ModuleNotFoundError
        If a module does not exist.
    """
    files = set()
    for module in modules:
        files |= reached_files(module)
    digest = hashlib.sha256()
    for path in sorted(files, key=lambda path: (path.name, str(path))):
        digest.update(path.name.encode() + b"\0" + _file_hash(path))
    return digest.hexdigest()[:16]


@lru_cache
def reached_files(module):
    """Files that `module` runs: its own and, within this package, those it imports.

    Cython sources are read for their imports; what is run, and counted, is the extension compiled from them.

    Parameters
    ----------
    module : str

    Returns
    -------
    frozenset of Path
    """
    files, seen, waiting = set(), set(), [module]
    while waiting:
        name = waiting.pop()
        if name in seen or name in NEUTRAL:
            continue
        seen.add(name)
        own = _files_of(name)
        if not own:
            raise ModuleNotFoundError(f"there is no module {name!r} to take a fingerprint of", name=name)
        files |= set(own)
        for path in own:
            waiting.extend(_imports(path, name))
    return frozenset(path for path in files if path.suffix not in (".pyx", ".pxd"))


def _root():
    return Path(__file__).parents[2]


def _files_of(name):
    """Source, compiled extension and Cython declarations of one module."""
    if name != PACKAGE and not name.startswith(f"{PACKAGE}."):
        spec = importlib.util.find_spec(name)
        return [Path(spec.origin)] if spec and spec.origin and Path(spec.origin).is_file() else []
    base = _root().joinpath(*name.split(".")[1:])
    if base.is_dir():
        return [path for path in (base / "__init__.py",) if path.is_file()]
    suffixes = (".py", ".pyx", ".pxd", *EXTENSION_SUFFIXES)
    return [path for path in (base.with_name(base.name + suffix) for suffix in suffixes) if path.is_file()]


def _imports(path, name):
    """Modules of this package that one file imports."""
    if path.suffix == ".py":
        found = _python_imports(ast.parse(path.read_text(encoding="utf-8")), name, path.name == "__init__.py")
    elif path.suffix in (".pyx", ".pxd"):
        found = _cython_imports(path.read_text(encoding="utf-8"), name)
    else:
        return
    for module, names in found:
        if module != PACKAGE and not module.startswith(f"{PACKAGE}."):
            continue
        if not names:
            yield module
        for item in names:
            # "from package import x" runs a module of that name, or else what the package itself defines.
            yield f"{module}.{item}" if _files_of(f"{module}.{item}") else module


def _python_imports(tree, name, is_package):
    package = name if is_package else name.rpartition(".")[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, []
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")
            base = ".".join(base[: len(base) - node.level + 1]) if node.level else ""
            module = ".".join(part for part in (base, node.module) if part)
            yield module, [alias.name for alias in node.names]


def _cython_imports(text, name):
    text = re.sub(r"\(\s*([^()]*?)\s*\)", lambda m: m[1].replace("\n", " "), text)
    package = name.rpartition(".")[0]
    for module, names, plain in _CYTHON_IMPORT.findall(text):
        if plain:
            yield plain, []
            continue
        if module.startswith("."):
            level = len(module) - len(module.lstrip("."))
            base = package.split(".")
            base = base[: len(base) - level + 1]
            module = ".".join([*base, *filter(None, [module.lstrip(".")])])
        yield module, [item.split()[0] for item in names.split("#")[0].split(",") if item.strip()]


def _file_hash(path):
    stat = path.stat()
    return _hash_once(path, stat.st_mtime_ns, stat.st_size)


@cache
def _hash_once(path, mtime, size):
    return hashlib.sha256(path.read_bytes()).digest()
