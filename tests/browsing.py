"""A results page in a browser: what tests of pages have in common."""

import re
from pathlib import Path

import pytest


class Opened:
    """A page in a window of its own, and what it complained about or asked for."""

    def __init__(self, browser, path, **options):
        self.address = Path(path).as_uri()
        self.has_scripts = options.get("java_script_enabled", True)
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
        if self.has_scripts and self.page.locator("#packed").count():
            self.page.wait_for_selector("#heading")  # until the data are unpacked
        return self.page

    def turn(self, link):
        """Follow a link to another place of the open page."""
        self.page.evaluate(
            "link => new Promise(done => { if (location.hash === link) done();"
            " window.addEventListener('hashchange', done, {once: true}); location.hash = link; })",
            f"#{link}",
        )
        return self.page

    def shown(self):
        return self.page.inner_html("#app")

    def content(self):
        """What is shown without the controls."""
        return self.page.evaluate(
            "() => { const all = document.getElementById('app').cloneNode(true);"
            " all.querySelectorAll('.controls, .legend').forEach(node => node.remove()); return all.innerHTML; }"
        )

    def check(self):
        """No complaint, and nothing was loaded but the page."""
        assert self.complaints == []
        assert self.requests <= {self.address}


def rows_of(page, caption):
    return page.eval_on_selector_all(
        f'#app [aria-label="{caption}"] tr',
        "rows => rows.map(row => [...row.cells].map(cell => cell.textContent.trim()))",
    )


def faults(page, impacts=None, **options):
    """Return the faults that axe finds, each with its first place; `options` are passed to axe."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found = axe.run(page, options={"resultTypes": ["violations"]} | options).response["violations"]
    found = [item for item in found if impacts is None or item["impact"] in impacts]
    return [(item["id"], item["nodes"][0]["html"][:300]) for item in found]


def serious_faults(page, **options):
    """Return the serious ones of :func:`faults`."""
    return faults(page, ("serious", "critical"), **options)


def try_controls(opened, view, *, told=True):
    """Use every control of a view: what is shown changes, the control keeps the focus and the link says it all.

    Returns the names of the controls. With `told`, more than the controls must change.
    """
    page = opened.go(f"view={view}")
    names = page.eval_on_selector_all(
        "#app select, #app .check input", "nodes => nodes.filter(n => n.options?.length !== 1).map(n => n.id)"
    )
    for name in names:
        page = opened.turn(f"view={view}")
        before, content = opened.shown(), opened.content()
        control = page.locator(f"#{name}")
        control.focus()
        if control.evaluate("node => node.tagName") == "SELECT":
            control.select_option(control.evaluate("node => [...node.options].findLast(o => !o.selected).value"))
        else:
            control.click()
        after = opened.shown()
        assert after != before, name
        assert not told or opened.content() != content, name
        assert page.evaluate("document.activeElement.id") == name
        opened.go(page.evaluate("location.hash.slice(1)"))
        assert opened.shown() == after, name
    return names
