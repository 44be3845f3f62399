"""The built documentation, checked by `make docs`: links lead somewhere, nothing is loaded from the network."""

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

SITE = Path(__file__).parents[2] / "results" / "docs"
PAGES = sorted(path for path in SITE.rglob("*.html") if "_static" not in path.parts)
#: What a browser loads without being asked: tag -> attribute.
LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src", "object": "data"}

pytestmark = pytest.mark.skipif(not PAGES, reason="results/docs is not built (make docs)")


class Page(HTMLParser):
    """Links, loaded files and anchors of a page."""

    def __init__(self, path):
        super().__init__()
        self.links, self.loaded, self.anchors = set(), set(), set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.anchors |= {found[key] for key in ("id", "name") if found.get(key)}
        if tag == "a" and found.get("href"):
            self.links.add(found["href"])
        if found.get(LOADED.get(tag)):
            self.loaded.add(found[LOADED[tag]])


@pytest.fixture(scope="module")
def pages():
    return {path: Page(path) for path in PAGES}


def test_site_loads_nothing_from_the_network(pages):
    assert [(path.name, name) for path, page in pages.items() for name in page.loaded if urlsplit(name).netloc] == []
    assert [path.name for path in SITE.rglob("*.css") if "url(http" in path.read_text(encoding="utf-8")] == []


def test_loaded_files_exist(pages):
    missing = {
        (path.name, name)
        for path, page in pages.items()
        for name in page.loaded
        if not urlsplit(name).scheme and not (path.parent / unquote(urlsplit(name).path)).exists()
    }
    assert missing == set()


def test_links_resolve(pages):
    wrong = []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchors = pages[target].anchors if target in pages else {parts.fragment}
            if not target.exists() or (parts.fragment and unquote(parts.fragment) not in anchors):
                wrong.append((path.name, link))
    assert wrong == []
