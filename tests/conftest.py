"""A browser for the tests of pages; forked parsers; no deadlines of hypothesis; fewer looks for garbage."""

import gc
import shutil

import pytest
from hypothesis import settings

import forked_parser
from browsing import OpenPage

forked_parser.install()
settings.register_profile("sslrank", deadline=None, max_examples=50)  # a busy machine is no failure
settings.load_profile("sslrank")

#: Options of chromium that keep it from asking for anything by itself.
QUIET = [
    "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip


gc.disable()  # until all tests are collected, as nothing is garbage before


def pytest_collection_finish():
    """Six thousand tests stay to the end; looking through them for garbage took a twentieth of the time."""
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def browser():
    """Debian's or any other installed Chromium, through Playwright."""
    api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed: pip install '.[browser]'")
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("no Chromium is installed (on Debian and Ubuntu: the package chromium)")
    with api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=QUIET)
        yield started
        started.close()


@pytest.fixture
def open_page(browser):
    """Opens pages, each in a window of its own; checks at the end that they were quiet."""
    opened = []

    def new(path, **options):
        opened.append(OpenPage(browser, path, **options))
        return opened[-1]

    yield new
    for one in opened:
        one.check()
        one.window.close()
