"""The real download code against a local web server that misbehaves on request."""

import errno
import hashlib
import math
import os
import shutil
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

import pooch
import pytest

from sslrank.datasets.catalogue import ColumnMeanings, FileSource, Variant, make_entry
from sslrank.datasets.dataset import DataError
from sslrank.datasets.download import fetch
from sslrank.datasets.prepare import prepare

CSV = b"x1,x2,y\n1,2,a\n3,4,b\n5,6,a\n"
SHA256 = hashlib.sha256(CSV).hexdigest()
FINGERPRINT = "0" * 64  # of other content
PAGE = b"<!DOCTYPE html><html><body>Sign in</body></html>"


class Server:
    """Serves `answers`: path -> bytes, and a fault of the first requests of which a number is given."""

    def __init__(self):
        self.answers, self.requests, self.stop = {}, Counter(), threading.Event()
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                owner.requests[self.path] += 1
                content, fault, n_faults = owner.answers.get(self.path, (b"", 404, math.inf))
                fault = fault if owner.requests[self.path] <= n_faults else None
                if isinstance(fault, int):
                    self.send_error(fault)
                    return
                self.send_response(200)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                if fault == "hang":
                    owner.stop.wait(10)
                elif fault == "drop":
                    self.wfile.write(content[: len(content) // 2])
                else:
                    self.wfile.write(content)

            def log_message(self, *arguments):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.handle_error = lambda *arguments: None
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}"
        threading.Thread(target=self.http.serve_forever, args=(0.01,), daemon=True).start()

    def add(self, path, content=CSV, fault=None, n_faults=math.inf):
        self.answers[path] = content, fault, n_faults
        return self.url + path

    def close(self):
        self.stop.set()
        self.http.shutdown()
        self.http.server_close()


@pytest.fixture
def server(monkeypatch):
    monkeypatch.delenv("SSLRANK_MIRROR", raising=False)
    monkeypatch.setattr(pooch.core, "time", SimpleNamespace(sleep=lambda seconds: None))
    server = Server()
    yield server
    server.close()


def entry_of(*urls, file="table.csv", sha256=SHA256, **changes):
    source = {"file": file, "sha256": sha256, "urls": urls, **changes}
    about = {"title": "Toy", "task": "classification", "home": "https://home.example"}
    about |= {"fingerprint": FINGERPRINT} if sha256 is None else {}
    return make_entry("toy", about | {"files": [source], "reader": {"format": "csv"}, "columns": {"target": "y"}})


def get(entry, cache, *, retries=3, timeout=5, **options):
    with patch.multiple("sslrank.datasets.download", RETRIES=retries, TIMEOUT=timeout):
        return fetch(entry, cache, **{"mirror": "", **options})


def put(folder, content, name="table.csv"):
    """Put a file of the dataset into a mirror or a cache."""
    (folder / "toy").mkdir(parents=True, exist_ok=True)
    (folder / "toy" / name).write_bytes(content)


def content_of(folder):
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


def test_pinned_address_is_downloaded_once(server, tmp_path):
    entry = entry_of(server.add("/a.csv"))
    folder = get(entry, tmp_path)
    assert folder == tmp_path / "toy"
    assert (folder / "table.csv").read_bytes() == CSV
    assert os.stat(folder / "table.csv").st_mode & 0o444 == 0o444
    get(entry, tmp_path)
    get(entry, tmp_path, offline=True)
    assert server.requests["/a.csv"] == 1
    assert prepare(entry, folder).n_rows == 3


def test_wrong_hash_falls_back_to_next_source(server, tmp_path):
    wrong, right = server.add("/wrong.csv", PAGE), server.add("/right.csv")
    assert (get(entry_of(wrong, right), tmp_path) / "table.csv").read_bytes() == CSV
    with pytest.raises(DataError) as caught:
        get(entry_of(wrong), tmp_path / "other")
    found = hashlib.sha256(PAGE).hexdigest()
    assert f"{wrong}: ValueError: SHA256 hash of downloaded file (table.csv) does not match" in str(caught.value)
    assert f"expected {SHA256} but got {found}" in str(caught.value)
    assert list((tmp_path / "other").iterdir()) == []


@pytest.mark.parametrize("fault", ["drop", 503])
def test_faults_are_retried_and_failures_logged(fault, server, tmp_path, caplog):
    gone, faulty = f"{server.url}/gone.csv", server.add("/a.csv", CSV, fault, 2)
    assert (get(entry_of(gone, faulty), tmp_path) / "table.csv").read_bytes() == CSV
    assert server.requests["/a.csv"] == 3
    (record,) = caplog.records
    assert record.getMessage().startswith(f"table.csv: address {gone}: HTTPError: 404 Client Error")


def test_silent_server_times_out(server, tmp_path):
    url = server.add("/a.csv", fault="hang")
    with pytest.raises(DataError, match=r"(?i)timed out"):
        get(entry_of(url), tmp_path, retries=0, timeout=0.2)
    assert content_of(tmp_path) == []


def test_error_lists_every_source_and_reason(server, tmp_path):
    entry = entry_of(
        f"{server.url}/gone.csv",
        "http://127.0.0.1:9/refused.csv",
        "no-scheme/x.csv",
        package="no-such-distribution==1.0: data/table.csv",
    )
    with pytest.raises(DataError) as caught:
        get(entry, tmp_path, mirror=tmp_path / "mirror", retries=1)
    message = str(caught.value)
    for part in (
        "dataset 'toy' could not be obtained",
        f"cache {tmp_path}/toy/table.csv: not there",
        "package no-such-distribution==1.0: data/table.csv: the package is not installed (pip install",
        f"mirror {tmp_path}/mirror/toy/table.csv: not there",
        "/gone.csv: HTTPError: 404 Client Error: ",
        "refused.csv: ConnectionError: ",
        "no-scheme/x.csv: MissingSchema",
        "https://home.example",
        "SSLRANK_MIRROR",
        "To leave it out of a study, delete it from the study's datasets, or set 'available: false' and a 'reason'",
    ):
        assert part in message


def test_mirror_address_is_tried_first(server, tmp_path):
    server.add("/data/toy/table.csv")
    pinned = server.add("/pinned.csv")
    get(entry_of(pinned), tmp_path / "a", mirror=f"{server.url}/data/")
    assert server.requests == {"/data/toy/table.csv": 1}
    get(entry_of(pinned), tmp_path / "b", mirror=f"{server.url}/elsewhere")
    assert server.requests["/pinned.csv"] == 1


def test_mirror_folder_needs_no_network(tmp_path, monkeypatch):
    mirror = tmp_path / "mirror"
    put(mirror, CSV)
    monkeypatch.setenv("SSLRANK_MIRROR", str(mirror))
    folder = fetch(entry_of("http://127.0.0.1:9/never"), tmp_path / "cache")
    assert (folder / "table.csv").read_bytes() == CSV


def test_wrong_file_in_mirror_or_cache_is_ignored(server, tmp_path):
    entry = entry_of(server.add("/a.csv"))
    put(tmp_path / "mirror", PAGE)
    put(tmp_path / "cache", PAGE)
    with pytest.raises(DataError) as caught:
        get(entry, tmp_path / "cache", mirror=tmp_path / "mirror", offline=True)
    assert "expected" in str(caught.value)
    assert "removed" in str(caught.value)
    put(tmp_path / "cache", PAGE)
    folder = get(entry, tmp_path / "cache", mirror=tmp_path / "mirror")
    assert (folder / "table.csv").read_bytes() == CSV


@pytest.mark.parametrize("content", [None, PAGE])
def test_unwritable_cache_folder_raises(content, server, tmp_path, monkeypatch):
    put(tmp_path / "mirror", CSV)
    if content is not None:
        put(tmp_path / "cache", content)

    def refuse(*arguments, **options):
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(Path, "unlink", refuse)
    monkeypatch.setattr(shutil, "copyfile", refuse)
    with pytest.raises(DataError) as caught:
        get(entry_of(server.add("/a.csv")), tmp_path / "cache", mirror=tmp_path / "mirror")
    assert str(caught.value).count("Read-only file system") == (2 if content is None else 3)


def test_wrong_package_version_is_refused(tmp_path):
    entry = entry_of(package="pytest==0.1: pytest/__init__.py")
    with pytest.raises(DataError, match=rf"installed is version {pytest.__version__}, known is 0\.1"):
        get(entry, tmp_path)


def test_unavailable_variant_falls_back_to_next(server, tmp_path):
    other = CSV.replace(b",", b";")
    urls, sha256 = (server.add("/b.csv", other),), hashlib.sha256(other).hexdigest()
    source = FileSource(file="other.csv", sha256=sha256, urls=urls)
    second = Variant(files=(source,), reader={"format": "csv", "delimiter": ";"}, columns=ColumnMeanings(target="y"))
    entry = entry_of(f"{server.url}/gone.csv").model_copy(update={"alternatives": (second,)})
    folder = get(entry, tmp_path)
    assert content_of(folder) == ["other.csv"]
    assert prepare(entry, folder).provenance["files"][0]["file"] == "other.csv"


def test_local_variant_is_preferred(server, tmp_path):
    source = FileSource(file="other.csv", sha256=SHA256)
    second = Variant(files=(source,), reader={"format": "csv"}, columns=ColumnMeanings(target="y"))
    entry = entry_of(server.add("/a.csv")).model_copy(update={"alternatives": (second,)})
    put(tmp_path / "mirror", CSV, "other.csv")
    folder = get(entry, tmp_path / "cache", mirror=tmp_path / "mirror")
    assert content_of(folder) == ["other.csv"]
    assert not server.requests


def test_unpinned_source_is_checked_by_fingerprint(server, tmp_path):
    entry = entry_of(server.add("/page", PAGE), server.add("/a.csv"), sha256=None)
    folder = get(entry, tmp_path / "a")
    assert (folder / "table.csv").read_bytes() == CSV
    assert prepare(entry, folder, check=False).n_rows == 3
    with pytest.raises(DataError, match=r"fingerprint is [0-9a-f]{64}, expected 0{64}"):
        prepare(entry, folder)
    with pytest.raises(DataError, match="HTML page"):
        get(entry_of(f"{server.url}/page", sha256=None), tmp_path / "b")
    assert content_of(tmp_path / "b") == []


def test_unavailable_dataset_error_names_reason_and_source(tmp_path):
    entry = entry_of().model_copy(update={"available": False, "reason": "it is private"})
    for attempt, advice in ((fetch, "and run sslrank prepare toy --path FILE"), (prepare, "and give the file's path")):
        with pytest.raises(DataError, match=rf"it is private.*https://home\.example,? {advice}"):
            attempt(entry, tmp_path)


def test_progress_is_shown_on_a_terminal(server, tmp_path, capfd, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    get(entry_of(server.add("/a.csv")), tmp_path)
    assert "100%" in capfd.readouterr().err


def test_unwritable_cache_exits_with_one_error(server, tmp_path):
    (tmp_path / "cache").write_text("a file, not a folder")
    with pytest.raises(DataError, match="cannot be made: Not a directory"):
        get(entry_of(server.add("/a.csv")), tmp_path / "cache")
