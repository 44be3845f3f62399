"""Renew the picture on the documentation's front page: a screenshot of the tour's ranking (`make picture`).

It needs Chromium and Playwright (the extra `browser`).
"""

import io
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

DOCS = Path(__file__).parent
PICTURE = DOCS / "_static" / "ranking.png"
#: Rows of the table in the picture; the first one is open.
ROWS = 3
WIDTH, COLOURS = 1100, 64
QUIET = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]


def rank_table():
    """Rank the first table of the tour in the current folder, as the tour does; returns the path of the page."""
    tour = (DOCS / "start" / "rank-a-table.md").read_text(encoding="utf-8")
    exec(re.search(r"^```python\n(.*?)^```", tour, re.DOTALL | re.MULTILINE)[1], {})
    command = re.search(r"^    (sslrank rank tumours\.csv .*)$", tour, re.MULTILINE)[1]
    subprocess.run(command.split(), check=True)
    return Path("tumours/ranking.html").resolve()


def photograph(path):
    """Picture of the page's first screen, the first rows of its table and the curve."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=QUIET)
        page = browser.new_page(viewport={"width": WIDTH, "height": 900}, color_scheme="light")
        page.goto(path.as_uri())
        page.locator(".open").first.click()
        page.mouse.move(0, 0)
        screen, table, curve = (
            page.locator(section).bounding_box()
            for section in ("section:has(h1)", "section:has(> #table)", "section:has(> #number)")
        )
        row = page.locator(".ranking tbody").nth(ROWS - 1).bounding_box()
        whole = Image.open(io.BytesIO(page.screenshot(full_page=True)))
        browser.close()
    spans = [(0, screen["y"] + screen["height"]), (table["y"], row["y"] + row["height"])]
    spans.append((curve["y"], curve["y"] + curve["height"]))
    parts = [whole.crop((0, round(top), WIDTH, round(bottom) + 15)) for top, bottom in spans]
    joined = Image.new("RGB", (WIDTH, sum(part.height for part in parts)))
    for part, top in zip(parts, [sum(part.height for part in parts[:i]) for i in range(len(parts))], strict=True):
        joined.paste(part, (0, top))
    return joined.quantize(COLOURS)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        photograph(rank_table()).save(PICTURE, optimize=True)
    print(f"{PICTURE} has {PICTURE.stat().st_size // 1000} KB")
