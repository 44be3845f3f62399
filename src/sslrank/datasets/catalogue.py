"""The catalogue of datasets: ``workflow/datasets.yaml`` as checked objects."""

from typing import Annotated, Literal

from pydantic import AfterValidator, PositiveInt, StringConstraints, model_validator

from sslrank.core.errors import DataError, errors_in
from sslrank.core.messages import nearest
from sslrank.core.tasks import DATASET_TASKS
from sslrank.datasets.blocks import CheckedBlock, check, read_yaml
from sslrank.datasets.recipes import RECIPES

#: Roles of files. "full" is the whole table; "train", "valid" and "test" are predefined parts (valid
#: joins train); "labels" is Mulan's XML; "ingredient" is read by the entry's recipe.
ROLES = ("full", "train", "valid", "test", "labels", "ingredient")


def _file_name(name):
    """Refuse a file name that points outside the cache."""
    if not name or name.startswith(".") or any(mark in name for mark in "/\\\0"):
        raise ValueError(f"{name!r} is not a name of a file or folder")
    return name


def _in_package(package):
    if ".." in package.rpartition(":")[2].split("/"):
        raise ValueError(f"{package!r} leaves the package")
    return package


FileName = Annotated[str, AfterValidator(_file_name)]
Sha256 = Annotated[str, StringConstraints(pattern="^[0-9a-f]{64}$")]


class FileSource(CheckedBlock):
    """One file of a dataset, and its addresses."""

    file: FileName
    """Name in the cache and in a mirror, below the folder of the dataset."""
    sha256: Sha256 | None = None
    """Of the file's bytes. None for a download from a home that does not promise fixed bytes: the entry's content
    fingerprint has to guard it then."""
    role: Literal[ROLES] = "full"
    """Role of the file in the dataset."""
    urls: tuple[str, ...] = ()
    """Pinned addresses of exactly these bytes. A file without an address or package is found in a mirror only."""
    package: Annotated[str, AfterValidator(_in_package)] | None = None
    """`distribution==version: path/in/it`, a released Python package with exactly these bytes."""


class ColumnMeanings(CheckedBlock):
    """Roles of the columns of a parsed table."""

    target: str | list[str] | None = None
    """A name, several names, `first N` or `last N` columns; default: as the role "labels" or the file itself says."""
    event: str | None = None
    """Of a target of the kind survival, a time: the column that says whether it ended by the event or was censored."""
    drop: tuple[str, ...] = ()
    """Columns that are neither features nor targets, such as identifiers."""
    numeric: tuple[str, ...] = ()
    """Nominal columns to be read as numbers."""
    hierarchy: Literal["tree", "dag"] = "tree"
    """Notation of a hierarchical attribute: `tree` (paths a/b/c) or `dag` (pairs parent/child)."""
    class_paths: dict[str, str] | None = None
    """Turns the classes of a nominal target into paths of a hierarchy."""
    missing_targets: bool = False
    """Accept rows without a target."""


class Shape(CheckedBlock):
    """Expected numbers of rows, features, and classes or targets; numbers that are not given are not checked."""

    rows: PositiveInt | None = None
    features: PositiveInt | None = None
    targets: PositiveInt | None = None
    """Classes that occur (classification), or columns of y."""
    parts: dict[str, PositiveInt] | None = None
    """Rows of "train" and "test"."""
    class_counts: dict[str, PositiveInt] | None = None
    """Rows by class."""


class Published(CheckedBlock):
    """Name and size of the dataset in a publication."""

    name: str
    rows: PositiveInt
    features: PositiveInt
    targets: PositiveInt


class Variant(CheckedBlock):
    """One source of the data: its files, and how they are read."""

    files: tuple[FileSource, ...] = ()
    reader: dict = {}
    """`format` and the options of that reader."""
    columns: ColumnMeanings = ColumnMeanings()
    recipe: Literal[tuple(RECIPES)] | None = None
    """A recipe of `sslrank.datasets.recipes` that assembles the table from ingredients."""


class DatasetSpec(Variant):
    """A dataset of the catalogue. Its own files, reader, columns and recipe are the preferred form."""

    name: FileName = ""
    title: str
    task: Literal[DATASET_TASKS]
    home: str
    """The canonical home, named in messages when no file is available."""
    studies: dict[str, Published] = {}
    """The publications that use it."""
    available: bool = True
    reason: str | None = None
    """Why it is not available."""
    alternatives: tuple[Variant, ...] = ()
    """Other forms, in order of preference."""
    shape: Shape = Shape()
    """Expected shape of the prepared table."""
    fingerprint: Sha256 | None = None
    """Expected fingerprint of the content, see `sslrank.datasets.fingerprint`."""
    note: str = ""
    """Traps, and differences from what the publications print."""

    @property
    def variants(self):
        """The forms of the data, in order of preference."""
        keys = Variant.model_fields
        preferred_form = Variant.model_construct(**{key: getattr(self, key) for key in keys})
        return (*[preferred_form] * bool(self.model_fields_set & set(keys)), *self.alternatives)

    @model_validator(mode="after")
    def _check_consistency(self):
        unguarded = [source.file for variant in self.variants for source in variant.files if source.sha256 is None]
        if unguarded and self.fingerprint is None:
            raise ValueError(f"{unguarded[0]} has no sha256, so the dataset needs a fingerprint")
        if self.available != (bool(self.variants) and all(variant.files for variant in self.variants)):
            raise ValueError("a dataset needs files if it is available, and only then")
        if self.available == bool(self.reason):
            raise ValueError("a dataset needs a reason if it is not available, and only then")
        return self


def load_catalogue(path):
    """Read ``datasets.yaml``.

    Parameters
    ----------
    path : path-like

    Returns
    -------
    dict of str to DatasetSpec

    Raises
    ------
    DataError
        If the file is not YAML, or has an unknown key or an invalid value; the message has a suggestion.

    Examples
    --------
    >>> from pathlib import Path
    >>> text = "mine: {title: Mine, task: regression, home: here, available: false, reason: it is private}"
    >>> written = Path("datasets.yaml").write_text(text)
    >>> load_catalogue("datasets.yaml")["mine"].task
    'regression'
    """
    content = read_yaml(path)
    if not content:
        raise DataError("expected names of datasets and their blocks, found nothing", file=path)
    with errors_in(path):
        return {name: make_entry(name, block) for name, block in content.items()}


def get_entry(catalogue, name):
    """Look up an entry by name; the message about an unknown one suggests the nearest."""
    if name not in catalogue:
        raise DataError(f"unknown dataset {name!r}{nearest(name, catalogue)}")
    return catalogue[name]


def make_entry(name, block):
    """Build and check one entry from its YAML mapping."""
    return check(DatasetSpec, block | {"name": name} if isinstance(block, dict) else block, name)


def own_entry(name, file, task, title="", reader=None, columns=None):
    """Make a catalogue entry for a user's own table."""
    reason = "it is a file of your own"
    content = {"title": title or name, "task": task, "home": str(file), "available": False, "reason": reason}
    return make_entry(name, content | {"reader": reader or {}, "columns": columns or {}})
