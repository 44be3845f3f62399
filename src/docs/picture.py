"""Renew the picture on the documentation's front page: a screenshot of the tour's ranking (`make picture`).

It needs Chromium and Playwright (the extra `browser`).
"""

import io
import os
import re
import shutil
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from sslrank.cli import main

DOCS = Path(__file__).parent
PICTURE = DOCS / "_static" / "ranking.png"
#: Headings of the sections that are shown below the first screen.
SHOWN = ("The best features", "How many features are enough")
WIDTH, COLOURS = 1100, 64
QUIET = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]


def rank_table():
    """Rank the first table of the tour in the current folder, as the tour does; returns the path of the page."""
    tour = (DOCS / "start" / "rank-a-table.md").read_text(encoding="utf-8")
    exec(re.search(r"^```python\n(.*?)^```", tour, re.DOTALL | re.MULTILINE)[1], {})
    words = re.search(r"^    sslrank (rank tumours\.csv .*)$", tour, re.MULTILINE)[1].split()
    if main(words):
        raise SystemExit("the tour's first command failed")
    return Path("tumours/ranking.html").resolve()


def photograph(path):
    """Picture of the page's first screen and, below it, the sections in :data:`SHOWN`."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=QUIET)
        page = browser.new_page(viewport={"width": WIDTH, "height": 900}, color_scheme="light")
        page.goto(path.as_uri())
        tops = page.eval_on_selector_all(
            "h2", "all => all.map(heading => [heading.textContent, heading.getBoundingClientRect().top + scrollY])"
        )
        whole = Image.open(io.BytesIO(page.screenshot(full_page=True)))
        browser.close()
    tops = [(title, int(top) - 15) for title, top in tops]
    ends = dict(zip([title for title, _ in tops], [top for _, top in tops[1:]] + [whole.height], strict=True))
    boxes = [(0, tops[0][1])] + [(top, ends[title]) for title, top in tops if title in SHOWN]
    if len(boxes) <= len(SHOWN):
        raise SystemExit(f"the page has no longer the sections {SHOWN}")
    parts = [whole.crop((0, start, WIDTH, stop)) for start, stop in boxes]
    joined = Image.new("RGB", (WIDTH, sum(part.height for part in parts)))
    for part, top in zip(parts, [sum(part.height for part in parts[:i]) for i in range(len(parts))], strict=True):
        joined.paste(part, (0, top))
    return joined.quantize(COLOURS)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        photograph(rank_table()).save(PICTURE, optimize=True)
    print(f"{PICTURE} has {PICTURE.stat().st_size // 1000} KB")
