"""Write the page that leads to the pages of all studies and comparisons: ``results/index.html``."""

from collections import Counter
from html import escape
from pathlib import Path
from urllib.parse import quote

import pandas as pd

from sslrank.benchmark.files import read_json
from sslrank.benchmark.results.explanations import UNTRIED
from sslrank.plotting import pages


def write_index(results):
    """List the studies, comparisons and summaries in a folder of results, with links to their pages and the findings.

    Returns the page, ``index.html`` there; None, and nothing is written, where there is none of these.
    """
    results = Path(results)
    studies = _rows(results, "*/report.html")
    sections = [
        (
            "Run here",
            "At least a part was run in this folder; each leads to its results page.",
            [row for row in studies if row["run_here"]],
        ),
        (
            "From the archive",
            "Pages of archived results; nothing was run for them.",
            [row for row in studies if not row["run_here"]],
        ),
        (
            "Compared with the archive",
            "Results made anywhere, by sslrank compare.",
            _rows(results, "compare/*/report.html"),
        ),
        (
            "Summaries",
            "Kept from finished runs: tables, comparisons and the figures that pages show.",
            _rows(results, "summaries/*/README.md"),
        ),
    ]
    if not any(rows for *_, rows in sections):
        return None
    links = {"FINDINGS.md": "What we found: four publications reproduced", "REPORT.md": "The same as a report",
             "README.md": "How this folder is laid out"}  # fmt: skip
    links = " · ".join(f'<a href="{name}">{words}</a>' for name, words in links.items() if (results / name).is_file())
    body = f"<h1>Results</h1><p>{links}</p>" + (
        '<p class="soft">Published values: how many of the numbers printed in a publication have a counterpart in the '
        "study, not how many agree; its page compares them. A result is that of one method on one dataset.</p>"
    )
    for title, about, rows in sections:
        if rows:
            body += f'<h2>{title}</h2><p class="soft">{about}</p>{_table(title, rows)}'
    text = pages.document("Results", body)
    target = results / "index.html"
    target.write_text(text, encoding="utf-8")
    return target


def _table(title, rows):
    """Studies as a table of links; two of one title are distinguished by their names."""
    table = pd.DataFrame(rows)
    titles = Counter(table["title"])
    links = []
    for row in rows:
        twin = f" ({row['name']})" if titles[row["title"]] > 1 else ""
        links.append(f'<a href="{quote(row["link"])}">{escape(row["title"] + twin)}</a>')
    columns = ["title", "name", "scale", "datasets", "counterparts", "fits", "came_from", "made"]
    heads = {"title": "study", "counterparts": "published values", "came_from": "results from"}
    return pages.table(table[columns], title, heads=heads, html={"title": links})


def _rows(results, pattern):
    return [row for path in sorted(results.glob(pattern)) if (row := _row(path, results))]


def _row(path, results):
    """Describe one study; None without a manifest."""
    folder, link = path.parent, str(path.relative_to(results))
    if not (folder / "manifest.json").is_file():
        return None
    try:
        return {"link": link, **_facts(folder)}
    except (AttributeError, KeyError, OSError, TypeError, ValueError) as error:  # damaged, or of another version
        unread = dict.fromkeys(("scale", "datasets", "counterparts", "fits", "came_from"), "")
        why = f"its files cannot be read ({type(error).__name__}: {error})"
        return {"link": link, "name": folder.name, "title": folder.name, "run_here": True, **unread, "made": why}


def _facts(folder):
    """Read the facts of a study from its files."""
    manifest = read_json(folder / "manifest.json")
    config = manifest["config"]
    datasets = folder / "collected" / "datasets.csv"
    datasets = pd.read_csv(datasets if datasets.is_file() else folder / "datasets.csv")
    fits = manifest["fits"]
    bad = sum(fits.get(name, 0) for name in ("failed", "timeout"))
    n_fits = sum(count for status, count in fits.items() if status not in UNTRIED)
    return {
        "name": folder.name,
        "title": config["title"] or manifest["study"],
        "scale": config["scale"] + (", a part" if config.get("filtered") else ""),
        "datasets": f"{int(datasets['available'].astype(bool).sum())} of {len(datasets)}",
        "counterparts": _counterparts(folder),
        "fits": f"{n_fits}" + (f", {bad} failed" if bad else ""),
        "run_here": any(item["source"] == "run here" for item in manifest.get("sources", [])),
        "came_from": _came_from(manifest.get("sources", [])),
        "made": f"{manifest['finished'][:10]}, commit {(manifest['commit'] or 'unknown')[:7]}",
    }


def _came_from(sources):
    """Count results by source; a result is that of a method on a dataset."""
    counts = Counter()
    for source in sources:
        counts[source["source"]] += source["results"]
    return ", ".join(f"{source}: {results}" for source, results in sorted(counts.items()))


def _counterparts(folder):
    """Count published values that have a counterpart."""
    published = reproduced = 0
    for path in (folder / "compared").glob("*.agreement.csv"):
        table = pd.read_csv(path)
        published, reproduced = published + table["published"].sum(), reproduced + table["reproduced"].sum()
    return f"{int(reproduced)} of {int(published)}" if published else ""
