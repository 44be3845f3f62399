"""Get the files of a dataset from the cache, installed packages, a mirror, or pinned addresses."""

import contextlib
import importlib.metadata
import logging
import os
import shutil
import sys
import zipfile
from pathlib import Path
from urllib.parse import quote

from sslrank.core.extras import require
from sslrank.datasets.dataset import DataError
from sslrank.datasets.fingerprint import sha256_of
from sslrank.datasets.readers.source import read_bytes

#: Environment variable with the mirror: a folder or an address, laid out as ``<dataset>/<file>``.
MIRROR_VARIABLE = "SSLRANK_MIRROR"
#: Folder of downloaded files, for the commands and the workflow.
DEFAULT_CACHE = ".cache/datasets"
#: Number of retries of a failed download per address, after 1, 2, 3, ... seconds.
RETRIES = 3
#: Timeout in seconds, for the answer and for further bytes.
TIMEOUT = 30.0
_SCHEMES = ("http://", "https://")
_log = logging.getLogger(__name__)


class SourceUnavailable(Exception):
    """Raised if a source does not have the file; the message states the reason."""


def fetch(entry, cache_dir, mirror=None, *, offline=False):
    """Get the files of a dataset, and check their sha256; a terminal shows progress bars.

    A file without a known sha256 (its bytes may change) must not be empty or a web page;
    :func:`~sslrank.datasets.prepare.prepare` checks its content by the fingerprint.

    Sources are tried in this order: the cache; an installed package, a mirror folder (no network);
    a mirror address, the pinned addresses. If a file is not available, the entry's next variant is tried. Every
    address that fails is logged as a warning by the logger of this module.

    Parameters
    ----------
    entry : sslrank.datasets.catalogue.DatasetSpec
    cache_dir : path-like
        Files are kept in ``cache_dir/<name>/``.
    mirror : str or path-like, optional
        A folder or ``http(s)://`` address; by default the environment variable ``SSLRANK_MIRROR``.
        ``""``: no mirror.
    offline : bool
        Use no network.

    Returns
    -------
    Path
        The folder with the files.

    Raises
    ------
    DataError
        If they are not available; the message lists every source and why it failed.

    Examples
    --------
    >>> from sslrank.datasets.catalogue import own_entry
    >>> fetch(own_entry("mine", "data.csv", "regression"), "cache", offline=True)
    Traceback (most recent call last):
        ...
    sslrank.core.errors.DataError: dataset 'mine' is not available: it is a file of your own. ...
    """
    folder = Path(cache_dir) / entry.name
    if mirror is None:
        mirror = os.environ.get(MIRROR_VARIABLE, "")
    mirror = str(mirror)
    if not entry.available:
        raise DataError(
            f"dataset {entry.name!r} is not available: {entry.reason}",
            advice=f"Get it from its canonical home, {entry.home}, and run sslrank prepare {entry.name} --path FILE",
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"the folder cannot be made: {error.strerror}", file=folder) from None
    failures = {}
    for use_network in (False,) if offline else (False, True):
        for variant in entry.variants:
            if all(_get(source, folder, mirror, use_network, failures) for source in variant.files):
                return folder
    with contextlib.suppress(OSError):  # it may hold other files of the dataset
        folder.rmdir()
    lines = [f"dataset {entry.name!r} could not be obtained"]
    for file, tried in failures.items():
        lines += [f"  {file}:", *(f"    {attempt}" for attempt in tried)]
    lines.append(
        f"  Get it by hand from its canonical home ({entry.home}) and give the file's path, or set "
        f"{MIRROR_VARIABLE} to a folder or address that has {entry.name}/{next(iter(failures))}.\n"
        f"  To leave it out of a study, delete it from the study's datasets, or set 'available: false' and a "
        "'reason' in its entry of the catalogue; the study's page then lists it with that reason"
    )
    raise DataError("\n".join(lines))


def _get(source, folder, mirror, use_network, failures):
    """Get a file into the cache; return False if no source has it, and add the reasons to `failures`."""
    target = folder / source.file
    with contextlib.suppress(OSError):
        if use_network and target.is_file() and source.sha256 in (None, sha256_of(target)):
            return True
    sources = _remote(source, target, mirror) if use_network else _local(source, target, mirror)
    for origin, attempt in sources:
        try:
            attempt()
        except (SourceUnavailable, OSError) as reason:  # the disk may be full, or the cache read-only
            _log.log(logging.WARNING if use_network else logging.DEBUG, "%s: %s: %s", source.file, origin, reason)
            failures.setdefault(source.file, []).append(f"{origin}: {reason}")
        else:
            failures.pop(source.file, None)
            return True
    return False


def _local(source, target, mirror):
    """Name for messages, and function that gets the file, of each local source."""
    yield f"cache {target}", lambda: _check_cache(target, source.sha256)
    if source.package:
        yield f"package {source.package}", lambda: _from_package(source, target)
    if mirror and not mirror.startswith(_SCHEMES):
        path = Path(mirror) / target.parent.name / source.file
        yield f"mirror {path}", lambda: _copy(path, target, source.sha256)


def _remote(source, target, mirror):
    if mirror.startswith(_SCHEMES):
        url = f"{mirror.rstrip('/')}/{quote(target.parent.name)}/{quote(source.file)}"
        yield f"mirror {url}", lambda: _download(url, target, source)
    for url in source.urls:
        yield f"address {url}", lambda url=url: _download(url, target, source)


def _check_cache(target, sha256):
    if not target.is_file():
        raise SourceUnavailable("not there")
    actual = sha256_of(target)
    if sha256 not in (None, actual):
        target.unlink()
        raise SourceUnavailable(f"had sha256 {actual}, expected {sha256}; removed")


def _from_package(source, target):
    specification, _, inside = source.package.partition(":")
    distribution, _, version = specification.partition("==")
    try:
        installed = importlib.metadata.distribution(distribution)
    except importlib.metadata.PackageNotFoundError:
        raise SourceUnavailable(f"the package is not installed (pip install {specification})") from None
    try:
        _copy(Path(installed.locate_file(inside.strip())), target, source.sha256)
    except SourceUnavailable as reason:
        raise SourceUnavailable(f"{reason} (installed is version {installed.version}, known is {version})") from None


def _copy(path, target, sha256):
    """Check a file, and copy it to a temporary name first, because other jobs may read the target."""
    if not path.is_file():
        raise SourceUnavailable("not there")
    actual = sha256_of(path)
    if sha256 not in (None, actual):
        raise SourceUnavailable(f"sha256 is {actual}, expected {sha256}: it is another or a damaged file")
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    shutil.copyfile(path, temporary)
    temporary.replace(target)


def _download(url, target, source):
    """Download by pooch, which retries, checks the hash, and moves the complete file to its path."""
    require("download", "downloading datasets")
    import pooch
    import requests

    pooch.get_logger().setLevel("WARNING")
    target.unlink(missing_ok=True)
    try:
        pooch.Pooch(
            target.parent,
            base_url="",
            registry={target.name: source.sha256},
            urls={target.name: url},
            retry_if_failed=RETRIES,
        ).fetch(target.name, downloader=pooch.HTTPDownloader(sys.stderr.isatty(), timeout=TIMEOUT))
        if source.sha256 is None and not zipfile.is_zipfile(target):
            read_bytes(target)  # refuses an empty file or an HTML page
    except (requests.RequestException, ValueError) as error:  # DataError is a ValueError
        target.unlink(missing_ok=True)
        raise SourceUnavailable(f"{type(error).__name__}: {error}") from None
    target.chmod(0o644)
