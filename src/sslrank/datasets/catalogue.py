"""The catalogue of data sets: ``workflow/datasets.yaml`` as checked objects.

``workflow/schemas/datasets.schema.yaml`` describes the same file for editors and for Snakemake; the tests
keep the two equal.
"""

from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path

import yaml

from sslrank.core.messages import nearest
from sslrank.core.targets import TASKS
from sslrank.datasets.dataset import DataError
from sslrank.datasets.recipes import RECIPES

#: What a file is for. "full" is the whole table; "train", "valid" and "test" are predefined parts (valid
#: joins train); "labels" is Mulan's XML; "ingredient" is read by the entry's recipe.
ROLES = ("full", "train", "valid", "test", "labels", "ingredient")


@dataclass(frozen=True)
class FileSource:
    """One file of a data set and where its bytes can be had.

    Attributes
    ----------
    file : str
        Name in the cache and in a mirror, below the folder of the data set.
    role : str
        One of :data:`ROLES`.
    sha256 : str or None
        Of the file's bytes. None for a download from a home that does not promise fixed bytes: the entry's
        content fingerprint has to guard it then.
    bytes : int or None
        Size, for the progress bar.
    urls : tuple of str
        Pinned addresses of exactly these bytes.
    package : str or None
        ``"distribution==version: path/in/it"``, a released Python package with exactly these bytes.
    """

    file: str
    sha256: str | None = None
    role: str = "full"
    bytes: int | None = None
    urls: tuple = ()
    package: str | None = None


@dataclass(frozen=True)
class Columns:
    """What the columns of the parsed table mean.

    Attributes
    ----------
    target : str, list of str, or None
        A name, several names, ``"first N"`` or ``"last N"`` columns. None: the role "labels" or a
        hierarchical attribute tells.
    drop : tuple of str
        Columns that are neither features nor targets, such as identifiers.
    drop_constant : bool
        Drop the features with a single value.
    numeric : tuple of str
        Nominal columns to be read as numbers, or ``"all"``.
    hierarchy : str
        How a hierarchical attribute is written: "tree" (paths ``a/b/c``) or "dag" (pairs ``parent/child``).
    class_paths : dict or None
        Turns the classes of a nominal target into paths of a hierarchy.
    row_parts : dict or None
        Predefined parts as ``[start, stop)`` row ranges; the rows are reordered, train first.
    missing_targets : bool
        Whether rows without a target are accepted.
    """

    target: object = None
    drop: tuple = ()
    drop_constant: bool = False
    numeric: object = ()
    hierarchy: str = "tree"
    class_paths: dict | None = None
    row_parts: dict | None = None
    missing_targets: bool = False


@dataclass(frozen=True)
class Shape:
    """Numbers of rows, features, and classes or targets; None is not checked.

    Attributes
    ----------
    rows, features : int or None
    targets : int or None
        Classes that occur (classification), or columns of y.
    parts : dict or None
        Rows of "train" and "test".
    class_counts : dict or None
        Rows by class.
    """

    rows: int | None = None
    features: int | None = None
    targets: int | None = None
    parts: dict | None = None
    class_counts: dict | None = None


@dataclass(frozen=True)
class Published:
    """How a publication names and counts the data set."""

    name: str
    rows: int
    features: int
    targets: int


@dataclass(frozen=True)
class Variant:
    """One form in which the data can be had: files and how to read them.

    A file without an address or package is had from a mirror only. A `recipe`
    (:mod:`sslrank.datasets.recipes`) assembles the table from ingredients.
    """

    files: tuple
    reader: dict = field(default_factory=dict)
    columns: Columns = field(default_factory=Columns)
    recipe: str | None = None


@dataclass(frozen=True)
class Entry:
    """A data set of the catalogue.

    Attributes
    ----------
    name : str
    title : str
    task : str
    home : str
        The canonical home, named in messages when no file can be had.
    studies : dict of str to Published
        The publications that use it.
    available : bool
    reason : str or None
        Why it is not available.
    variants : tuple of Variant
        In order of preference; the first is the one described by ``files``, ``reader``, ``columns``.
    shape : Shape
        What preparation must give.
    fingerprint : str or None
        What the content must be (:func:`sslrank.datasets.fingerprint.fingerprint`).
    note : str
        Traps, and differences from what the publications print.
    """

    name: str
    title: str
    task: str
    home: str
    studies: dict = field(default_factory=dict)
    available: bool = True
    reason: str | None = None
    variants: tuple = ()
    shape: Shape = field(default_factory=Shape)
    fingerprint: str | None = None
    note: str = ""


def load_catalogue(path):
    """Read ``datasets.yaml``.

    Parameters
    ----------
    path : path-like

    Returns
    -------
    dict of str to Entry

    Raises
    ------
    DataError
        If the file is not YAML, or has an unknown key (the message names the nearest right one) or value.
    """
    path = Path(path)
    try:
        content = yaml.load(path.read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", file=path) from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise DataError(f"not valid YAML: {error}", file=path) from None
    if not isinstance(content, dict) or not content:
        raise DataError("expected a mapping of data set names to entries", file=path)
    try:
        return {name: make_entry(name, value) for name, value in content.items()}
    except DataError as error:
        raise DataError(str(error), file=path) from None


def get_entry(catalogue, name):
    """The entry of a name; the error for an unknown one names the nearest."""
    if name not in catalogue:
        raise DataError(f"unknown data set {name!r}{nearest(name, catalogue)}")
    return catalogue[name]


def make_entry(name, content):
    """Build and check one entry from its YAML mapping."""
    if not isinstance(content, dict):
        raise DataError(f"{name}: expected a mapping, found {content!r}")
    content = dict(content)
    first = {key: content.pop(key) for key in ("files", "reader", "columns", "recipe") if key in content}
    variants = [first, *content.pop("alternatives", [])] if first else []
    variants = tuple(
        _make_variant(f"{name}.alternatives[{i - 1}]" if i else name, value) for i, value in enumerate(variants)
    )
    content["studies"] = {
        study: _build(Published, f"{name}.studies.{study}", value)
        for study, value in (content.get("studies") or {}).items()
    }
    content["shape"] = _build(Shape, f"{name}.shape", content.get("shape") or {})
    allowed = {*_keys(Entry), "files", "reader", "columns", "recipe", "alternatives"} - {"variants", "name"}
    _check_name(name, name)
    entry = _build(Entry, name, {**content, "name": str(name), "variants": variants}, allowed)
    if entry.task not in TASKS:
        raise DataError(f"{name}.task: {entry.task!r} is none of {', '.join(TASKS)}")
    unguarded = [source.file for variant in variants for source in variant.files if source.sha256 is None]
    if unguarded and entry.fingerprint is None:
        raise DataError(f"{name}: {unguarded[0]} has no sha256, so the data set needs a fingerprint")
    if entry.available != (bool(variants) and all(variant.files for variant in variants)):
        raise DataError(f"{name}: a data set needs files if it is available, and only then")
    if entry.available == bool(entry.reason):
        raise DataError(f"{name}: a data set needs a reason if it is not available, and only then")
    return entry


def own_entry(name, file, task, title="", reader=None, columns=None):
    """The entry of a table of the user's own.

    Parameters
    ----------
    name : str
    file : path-like
    task : str
    title : str
    reader, columns : dict, optional

    Returns
    -------
    Entry

    Raises
    ------
    DataError
        If `columns` has an unknown key or value.
    """
    reason = "it is a file of your own"
    variant = {"reader": reader or {}, "columns": columns or {}}
    content = {"title": title or name, "task": task, "home": str(file), "available": False, "reason": reason}
    return make_entry(name, content | variant)


def _make_variant(where, content):
    files = []
    for i, value in enumerate(content.get("files") or []):
        source = _build(FileSource, f"{where}.files[{i}]", {**value, "urls": tuple(value.get("urls", ()))})
        _check_name(f"{where}.files[{i}].file", source.file)
        if ".." in str(source.package).rpartition(":")[2].split("/"):
            raise DataError(f"{where}.files[{i}].package: {source.package!r} leaves the package")
        if source.role not in ROLES:
            raise DataError(f"{where}.files[{i}].role: {source.role!r} is none of {', '.join(ROLES)}")
        files.append(source)
    columns = make_columns(f"{where}.columns", content.get("columns") or {})
    known = {"files", "reader", "columns", "recipe"}
    for key in set(content) - known:
        raise DataError(f"{where}: unknown key {key!r}{nearest(key, known)}")
    recipe = content.get("recipe")
    if recipe is not None and recipe not in RECIPES:
        raise DataError(f"{where}.recipe: there is no recipe {recipe!r}{nearest(recipe, RECIPES)}")
    return Variant(tuple(files), dict(content.get("reader") or {}), columns, recipe)


def _check_name(where, name):
    """Refuse a name that would leave the folder of the cache."""
    if not isinstance(name, str) or not name or name.startswith(".") or any(mark in name for mark in "/\\\0"):
        raise DataError(f"{where}: {name!r} is no name of a file or folder")


def make_columns(where, content):
    """Build and check :class:`Columns` from a YAML mapping."""
    columns = _build(Columns, where, content)
    if columns.hierarchy not in ("tree", "dag"):
        raise DataError(f"{where}.hierarchy: {columns.hierarchy!r} is none of tree, dag")
    return columns


def _keys(kind):
    return [item.name for item in fields(kind)]


def _build(kind, where, content, allowed=None):
    if not isinstance(content, dict):
        raise DataError(f"{where}: expected a mapping, found {content!r}")
    allowed = sorted(allowed or _keys(kind))
    for key in content:
        if key not in allowed and key not in _keys(kind):
            raise DataError(
                f"{where}: unknown key {key!r}{nearest(key, allowed)}", advice=f"Known: {', '.join(allowed)}"
            )
    for item in fields(kind):
        if item.default is MISSING and item.default_factory is MISSING and item.name not in content:
            raise DataError(f"{where}: the key {item.name!r} is missing")
    return kind(**content)
