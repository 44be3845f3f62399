"""A results page in a browser: what tests of pages have in common."""

import re
from pathlib import Path

import pytest


class OpenPage:
    """A page in a window of its own, and what it complained about or asked for."""

    def __init__(self, browser, path, **options):
        self.address = Path(path).as_uri()
        self.window = browser.new_context(offline=True, **({"viewport": {"width": 1400, "height": 900}} | options))
        self.window.add_init_script(
            "window.copied = []; Object.defineProperty(navigator, 'clipboard', "
            "{value: {writeText: async text => { window.copied.push(text); }}});"
        )
        self.page = self.window.new_page()
        self.complaints, self.requests = [], set()
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.complaints.append(dialog.message), dialog.dismiss()))
        self.page.on("request", lambda request: self.requests.add(re.split("[?#]", request.url)[0]))
        self.opened = 0

    def go(self, link):
        """Load the page at a link; its address is another each time, or it would not be loaded anew."""
        self.opened += 1
        self.page.goto(f"{self.address}?{self.opened}#{link}")
        return self.page

    def follow(self, link):
        """Follow a link to another place of the open page."""
        self.page.evaluate(
            "link => new Promise(done => { if (location.hash === link) done();"
            " window.addEventListener('hashchange', done, {once: true}); location.hash = link; })",
            f"#{link}",
        )
        return self.page

    def check(self):
        """No complaint, and nothing was loaded but the page."""
        assert self.complaints == []
        assert self.requests <= {self.address}


def visible_text(page):
    return page.inner_text("main")


def faults(page, impacts=None, **options):
    """Return the faults that axe finds, each with its first place; `options` are passed to axe."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found = axe.run(page, options={"resultTypes": ["violations"]} | options).response["violations"]
    found = [item for item in found if impacts is None or item["impact"] in impacts]
    return [(item["id"], item["nodes"][0]["html"][:300]) for item in found]


def serious_faults(page, **options):
    """Return the serious ones of :func:`faults`."""
    return faults(page, ("serious", "critical"), **options)
