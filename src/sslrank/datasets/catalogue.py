"""The catalogue of datasets: ``workflow/datasets.yaml`` as checked objects.

``python -m sslrank.datasets.catalogue`` writes ``workflow/schemas/datasets.schema.json``, which tells editors the keys.
"""

import json
import re
from dataclasses import field, fields
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import yaml
from pydantic import AfterValidator, ConfigDict, Field, PositiveInt, StringConstraints, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from sslrank.core.messages import nearest
from sslrank.core.targets import TASKS
from sslrank.datasets.dataset import DataError
from sslrank.datasets.recipes import RECIPES

#: Roles of files. "full" is the whole table; "train", "valid" and "test" are predefined parts (valid
#: joins train); "labels" is Mulan's XML; "ingredient" is read by the entry's recipe.
ROLES = ("full", "train", "valid", "test", "labels", "ingredient")
SCHEMA = "workflow/schemas/datasets.schema.json"


def _file_name(name):
    """Refuse a name that would leave the folder of the cache."""
    if not name or name.startswith(".") or any(mark in name for mark in "/\\\0"):
        raise ValueError(f"{name!r} is no name of a file or folder")
    return name


def _in_package(package):
    if ".." in package.rpartition(":")[2].split("/"):
        raise ValueError(f"{package!r} leaves the package")
    return package


def _recipe(name):
    if name not in RECIPES:
        raise ValueError(f"there is no recipe {name!r}{nearest(name, RECIPES)}")
    return name


FileName = Annotated[str, AfterValidator(_file_name)]
Sha256 = Annotated[str, StringConstraints(pattern="^[0-9a-f]{64}$")]
_block = partial(dataclass, frozen=True, config=ConfigDict(extra="forbid"))


@_block()
class FileSource:
    """One file of a dataset and where its bytes can be had.

    Attributes
    ----------
    file : str
        Name in the cache and in a mirror, below the folder of the dataset.
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

    Examples
    --------
    >>> FileSource(file="iris.csv", urls=("https://example.org/iris.csv",), sha256="0" * 64).role
    'full'
    """

    file: FileName
    sha256: Sha256 | None = None
    role: Literal[ROLES] = "full"
    bytes: PositiveInt | None = None
    urls: tuple[str, ...] = ()
    package: Annotated[str, AfterValidator(_in_package)] | None = None


@_block()
class Columns:
    """Meaning of the columns of a parsed table.

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

    Examples
    --------
    >>> Columns(target="last 2", drop=("id",)).drop
    ('id',)
    """

    target: str | list[str] | None = None
    drop: tuple[str, ...] = ()
    drop_constant: bool = False
    numeric: Literal["all"] | tuple[str, ...] = ()
    hierarchy: Literal["tree", "dag"] = "tree"
    class_paths: dict[str, str] | None = None
    row_parts: dict[Literal["train", "test"], Annotated[list[int], Field(min_length=2, max_length=2)]] | None = None
    missing_targets: bool = False


@_block()
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

    Examples
    --------
    >>> Shape(rows=150, features=4, targets=3).targets
    3
    """

    rows: PositiveInt | None = None
    features: PositiveInt | None = None
    targets: PositiveInt | None = None
    parts: dict[str, PositiveInt] | None = None
    class_counts: dict[str, PositiveInt] | None = None


@_block()
class Published:
    """Name and numbers of the dataset in a publication.

    Examples
    --------
    >>> Published(name="Iris", rows=150, features=4, targets=3).name
    'Iris'
    """

    name: str
    rows: PositiveInt
    features: PositiveInt
    targets: PositiveInt


@_block()
class Variant:
    """One form in which the data can be had: files and how to read them.

    A file without an address or package is had from a mirror only. A `recipe`
    (:mod:`sslrank.datasets.recipes`) assembles the table from ingredients.

    Examples
    --------
    >>> Variant(files=(FileSource(file="iris.csv"),), columns=Columns(target="species")).columns.target
    'species'
    """

    files: tuple[FileSource, ...] = ()
    reader: dict = field(default_factory=dict)
    columns: Columns = field(default_factory=Columns)
    recipe: Annotated[str, AfterValidator(_recipe)] | None = None


@_block()
class Entry:
    """A dataset of the catalogue.

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

    Examples
    --------
    >>> Entry(name="iris", title="Iris", task="classification", home="https://example.org/iris").available
    True
    """

    name: FileName
    title: str
    task: Literal[TASKS]
    home: str
    studies: dict[str, Published] = field(default_factory=dict)
    available: bool = True
    reason: str | None = None
    variants: tuple[Variant, ...] = ()
    shape: Shape = field(default_factory=Shape)
    fingerprint: Sha256 | None = None
    note: str = ""


#: Keys of an entry that describe the first of its variants.
VARIANT = tuple(item.name for item in fields(Variant))


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

    Examples
    --------
    >>> from pathlib import Path
    >>> text = "mine: {title: Mine, task: str, home: here, available: false, reason: it is private}"
    >>> written = Path("datasets.yaml").write_text(text)
    >>> load_catalogue("datasets.yaml")["mine"].task
    'str'
    """
    path = Path(path)
    try:
        content = yaml.load(path.read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", file=path) from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise DataError(f"not valid YAML: {error}", file=path) from None
    if not isinstance(content, dict) or not content:
        raise DataError("expected a mapping of dataset names to entries", file=path)
    try:
        return {name: make_entry(name, value) for name, value in content.items()}
    except DataError as error:
        raise DataError(str(error), file=path) from None


def get_entry(catalogue, name):
    """Look up an entry by name; the message about an unknown one suggests the nearest."""
    if name not in catalogue:
        raise DataError(f"unknown dataset {name!r}{nearest(name, catalogue)}")
    return catalogue[name]


def make_entry(name, content):
    """Build and check one entry from its YAML mapping.

    A DataError has the place of the first mistake; misspelt keys come before wrong values.
    """
    if not isinstance(content, dict):
        raise DataError(f"{name}: expected a mapping, found {content!r}")
    first = {key: content[key] for key in VARIANT if key in content}
    variants = [first, *(content.get("alternatives") or [])] if first else []
    others = {key: value for key, value in content.items() if key not in (*VARIANT, "alternatives")}
    entry = _build(Entry, name, {**others, "name": name, "variants": variants})
    unguarded = [source.file for variant in entry.variants for source in variant.files if source.sha256 is None]
    if unguarded and entry.fingerprint is None:
        raise DataError(f"{name}: {unguarded[0]} has no sha256, so the dataset needs a fingerprint")
    if entry.available != (bool(entry.variants) and all(variant.files for variant in entry.variants)):
        raise DataError(f"{name}: a dataset needs files if it is available, and only then")
    if entry.available == bool(entry.reason):
        raise DataError(f"{name}: a dataset needs a reason if it is not available, and only then")
    return entry


def own_entry(name, file, task, title="", reader=None, columns=None):
    """Make the entry of a table of the user's own.

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

    Examples
    --------
    >>> own_entry("mine", "data.csv", "classification", columns={"target": "y"}).variants[0].columns.target
    'y'
    """
    reason = "it is a file of your own"
    variant = {"reader": reader or {}, "columns": columns or {}}
    content = {"title": title or name, "task": task, "home": str(file), "available": False, "reason": reason}
    return make_entry(name, content | variant)


def make_columns(where, content):
    """Build and check :class:`Columns` from a YAML mapping; `where` begins the message of an error."""
    return _build(Columns, where, content)


def _keys(kind):
    """The keys of a block, as they stand in the file."""
    names = [item.name for item in fields(kind)]
    if kind is Entry:
        names = [name for name in names if name not in ("name", "variants")] + [*VARIANT, "alternatives"]
    return sorted(names)


def _build(kind, where, content):
    try:
        return TypeAdapter(kind).validate_python(content)
    except ValidationError as error:
        found = min(error.errors(), key=lambda item: item["type"] != "unexpected_keyword_argument")
    blocks = {"columns": Columns, "shape": Shape, "studies": Published, "files": FileSource, "variants": Variant}
    path, value, block = "", content, kind
    for step in found["loc"]:
        is_inside = isinstance(value, dict) and step in value
        if not (is_inside or (isinstance(value, list | tuple) and isinstance(step, int))):
            break  # a missing key, or the name that pydantic gives to a member of a union
        if (
            found["type"] == "unexpected_keyword_argument"
            and value[step] is found["input"]
            and step == found["loc"][-1]
        ):
            break
        path, value, block = (
            path + (f"[{step}]" if isinstance(step, int) else f".{step}"),
            value[step],
            blocks.get(step, block),
        )
    path = re.sub(
        r"^\.variants\[([0-9]+)\]", lambda at: f".alternatives[{int(at[1]) - 1}]" if at[1] != "0" else "", path
    )
    given, key, advice = found["input"], found["loc"][-1] if found["loc"] else "", None
    if found["type"] == "unexpected_keyword_argument":
        known = _keys(block)
        problem, advice = f"unknown key {key!r}{nearest(key, known)}", f"Known: {', '.join(known)}"
    elif found["type"] == "missing":
        problem = f"the key {key!r} is missing"
    elif found["type"] == "dataclass_type":
        problem = f"expected a mapping, found {given!r}"
    elif found["type"] == "literal_error":
        known = ", ".join(re.findall(r"'([^']*)'", found["ctx"]["expected"]))
        problem = f"{given!r} is none of {known}"
    elif found["type"] == "value_error":
        problem = str(found["ctx"]["error"])
    else:
        problem = f"{found['msg'].removeprefix('Input ')}, found {given!r:.60}"
    raise DataError(f"{where}{path}: {problem}", advice=advice)


def schema():
    """Make the JSON schema of ``datasets.yaml``, for editors."""
    made = TypeAdapter(dict[str, Entry]).json_schema()
    entry, variant = (made["$defs"][kind] for kind in ("Entry", "Variant"))
    entry["properties"] |= variant["properties"] | {"alternatives": entry["properties"].pop("variants")}
    del entry["properties"]["name"]
    entry["required"].remove("name")
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "workflow/datasets.yaml"}
    return json.dumps(made | head, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    Path(SCHEMA).write_text(schema(), encoding="utf-8")
