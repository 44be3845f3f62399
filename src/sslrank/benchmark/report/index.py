"""Write the index of all studies and comparisons, ``results/index.html``."""

from html import escape
from pathlib import Path
from urllib.parse import quote

import pandas as pd

from sslrank.benchmark.files import read_json
from sslrank.plotting import pages

#: Title, about and pages of each section.
SECTIONS = (
    ("Studies", "Run in this folder, or read from the archive.", "*/report.html"),
    ("Compared with the archive", "Results made anywhere, by sslrank compare.", "compare/*/report.html"),
    ("Summaries", "Kept from finished runs: tables, comparisons and some figures.", "summaries/*/README.md"),
)
LINKS = {
    "FINDINGS.md": "What we found: four publications reproduced",
    "REPORT.md": "The same as a report",
    "README.md": "How this folder is laid out",
}


def write_index(folder):
    """Write the index of studies, comparisons and summaries in a folder of results, with links to pages and findings.

    Returns the page, ``index.html`` there; if there is nothing to list, writes nothing and returns None.
    """
    folder = Path(folder)
    sections = [
        (title, about, [_row(path, folder) for path in sorted(folder.glob(pattern)) if _manifest(path).is_file()])
        for title, about, pattern in SECTIONS
    ]
    if not any(rows for *_, rows in sections):
        return None
    links = " · ".join(f'<a href="{name}">{words}</a>' for name, words in LINKS.items() if (folder / name).is_file())
    body = f"<h1>Results</h1><p>{links}</p>"
    for title, about, rows in sections:
        if rows:
            table = pd.DataFrame(rows)
            links = [
                f'<a href="{quote(link)}">{escape(name)}</a>'
                for link, name in zip(table.pop("link"), table["name"], strict=True)
            ]
            body += f'<h2>{title}</h2><p class="soft">{about}</p>{pages.table(table, title, html={"name": links})}'
    target = folder / "index.html"
    target.write_text(pages.document("Results", body), encoding="utf-8")
    return target


def _manifest(page):
    return page.parent / "manifest.json"


def _row(page, folder):
    """Describe the study of a page in a row."""
    row = {"link": str(page.relative_to(folder)), "name": page.parent.name, "title": "", "datasets": "", "made": ""}
    try:
        manifest = read_json(_manifest(page))
        config = manifest["config"]
        return row | {
            "title": config["title"] or manifest["study"],
            "scale": config["scale"] + (", a part" if config.get("filtered") else ""),
            "datasets": len(config["datasets"]),
            "failed fits": sum(manifest["fits"].get(name, 0) for name in ("failed", "timeout")),
            "results from": ", ".join(dict.fromkeys(item["source"] for item in manifest.get("sources", []))),
            "made": f"{manifest['finished'][:10]}, commit {(manifest['commit'] or 'unknown')[:7]}",
        }
    except (AttributeError, KeyError, OSError, TypeError, ValueError) as error:  # damaged, or of another version
        return row | {"made": f"its files cannot be read ({type(error).__name__}: {error})"}
