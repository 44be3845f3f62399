"""Build the results page of a study: one HTML file that opens from disk, without network.

The page consists of a template, stylesheets and scripts in `assets/` and two blocks of JSON
(:mod:`~sslrank.benchmark.report.page_data`), of which the one with the data of single datasets is packed. The scripts
draw tables and SVG from the data and keep the state in the link. They are joined into one (:func:`script`), as browsers
load no modules from disk.

No charting library, because Vega-Lite with its bundle has 898 kB, the scripts of all views 76 kB. Heat maps, comparison
matrices and leaderboards are tables, which people sort, copy and have read to them; critical-distance diagrams and
intervals in cells would be drawn by hand there as well.
"""

import base64
import gzip
import json
import shlex
from importlib import resources
from pathlib import Path

import jinja2
import pandas as pd
from markupsafe import Markup

from sslrank.benchmark.archive.store import MISSING
from sslrank.benchmark.files import read_json, read_table
from sslrank.benchmark.report.json_tables import read_or_empty
from sslrank.benchmark.report.page_data import page_data
from sslrank.benchmark.results.explanations import UNTRIED
from sslrank.benchmark.results.titles import TASKS
from sslrank.core.messages import counted
from sslrank.core.theme import theme_css

#: Columns of the leaderboard that is shown without scripts and on paper.
BOARD = ["mode", "task", "entry", "average_rank", "lower", "upper", "win_rate", "relative"]
BOARD += ["better_than_random", "score", "seconds"]
#: Headings of the folders of pictures, in order; other folders below figures/ have their names.
_FIGURES = {
    "figures/critical_distance": "Critical-distance diagrams",
    "published_figures": "Published and reproduced",
    "figures/curves": "Curves",
    "figures/experiments": "Experiments",
}
#: Folders whose pictures are drawn by views, which show more.
_DRAWN = ("figures/critical_distance", "published_figures", "figures/curves")

#: Data of single datasets and answers for every choice, about 90 % of all.
PACKED = ("curves", "features", "stability")
#: Scripts in the order in which they are joined: a script follows those that it uses when it is loaded.
SCRIPTS = [
    "state.js",
    "looks.js",
    "table.js",
    *(f"charts/{name}.js" for name in ("axes", "curves", "scatter", "bars", "diagram")),
    *(
        f"views/{name}.js"
        for name in ("overview", "datasets", "methods", "pairs", "published", "figures", "tables", "runs")
    ),
    "frame.js",
]


def script():
    """Return all scripts as one, in a scope of its own."""
    return '"use strict";\n(async () => {\n' + "\n".join(asset(name) for name in SCRIPTS) + "})();\n"


def asset(name):
    """Return the text of a file of the page."""
    return resources.files("sslrank.benchmark.report").joinpath("assets", name).read_text(encoding="utf-8")


def template(name):
    """Return the Jinja2 template in a file of the page."""
    options = {"autoescape": True, "trim_blocks": True, "lstrip_blocks": True, "undefined": jinja2.StrictUndefined}
    return jinja2.Environment(**options).from_string(asset(name))


def packed(data):
    """Write data as JSON, compress it by gzip and encode it in Base64: a quarter of the size."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()


def embedded(data):
    """Write data as JSON for a script element: no sequence in it can end the element."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for mark in "<>&\u2028\u2029":
        text = text.replace(mark, f"\\u{ord(mark):04x}")
    return Markup(text)


def _figures(folder, leave_out=()):
    """List pictures by heading: path within the study's folder and label."""
    found, others = [], [f"figures/{path.name}" for path in sorted((folder / "figures").glob("*/"))]
    for place in dict.fromkeys([*_FIGURES, *others]):
        title = _FIGURES.get(place, place.rpartition("/")[2].replace("_", " ").capitalize())
        paths = sorted((folder / place).glob("*.svg")) if place not in leave_out else []
        if paths:
            found.append((title, [(f"{place}/{path.name}", f"{title}: {path.stem}") for path in paths]))
    return found


def _findings(folder, config):
    """List the findings next to a folder of results, those about the study's publication first: link and title."""
    candidates = {f"findings/{config.get('published')}.md": "Findings about this publication"}
    candidates |= {"FINDINGS.md": "What we found in all studies"}
    return [(f"../{place}", title) for place, title in candidates.items() if (folder.parent / place).is_file()]


def _facts(config, datasets, manifest):
    available = datasets["available"].astype(bool)
    every = config.get("out_of", len(datasets))
    tasks = datasets.loc[available, "task"].nunique()
    folds = config["splits"]["folds"]
    bad = sum(count for status, count in manifest["fits"].items() if status in ("failed", "timeout"))
    n_fits = sum(count for status, count in manifest["fits"].items() if status not in UNTRIED)
    scheme = config["splits"]["scheme"]
    several = {"holdout": "", "whole-dataset": ": ranked and judged on the same rows"}.get(scheme, f", {folds} folds")
    methods = counted(len(config["methods"]), "method")
    controls = f" and {counted(len(config['controls']), 'control')}" if config["controls"] else ""
    return [
        counted(int(available.sum()), "dataset") + (f" of {every}" if every > available.sum() else ""),
        counted(tasks, "kind") + " of target",
        methods + controls,
        f"L = {', '.join(config['splits']['L'])}",
        f"{scheme}{several}",
        counted(n_fits, "fit") + (f", {bad} failed" if bad else ", none failed"),
        f"commit {(manifest['commit'] or 'unknown')[:12]}",
        f"finished {manifest['finished'][:10]}",
        *["results from the archive"] * any(item["source"] == "archive" for item in manifest.get("sources", [])),
    ]


def build_page(folder, config):
    """Return the page of the results in a folder as text; `config` is the study's complete block."""
    folder = Path(folder)
    manifest = read_json(folder / "manifest.json")
    data = page_data(folder, config, manifest)
    command = page_command(manifest)
    data["runs"]["command"] = command
    data["pictures"] = _figures(folder, leave_out=_DRAWN)
    board = read_or_empty(folder / "tables" / "leaderboard.csv")
    board = board.replace({"entry": data["names"], "task": TASKS})
    board = board[[name for name in BOARD if name in board.columns]].dropna(axis=1, how="all")
    modes = len(config["modes"]) > 1
    headings = [
        (TASKS.get(key.split()[1], key.split()[1]) + (f", {key.split()[0].upper()}" if modes else ""), found)
        for key, found in data["answers"].items()
    ]
    return template("page.html.j2").render(
        title=data["title"],
        config=config,
        facts=_facts(config, read_table(folder / "collected" / "datasets.csv"), manifest),
        styles=Markup(theme_css() + asset("base.css") + asset("page.css")),
        script=Markup(script()),
        data=embedded({key: value for key, value in data.items() if key not in PACKED}),
        packed=packed({key: data[key] for key in PACKED}),
        answers=headings,
        leaderboard={
            "columns": [name.replace("_", " ") for name in board.columns],
            "rows": [
                [None if pd.isna(cell) else float(f"{cell:.4g}") if isinstance(cell, float) else cell for cell in row]
                for row in board.itertuples(index=False)
            ],
        },
        figures=_figures(folder),
        files=[(block["file"], block["title"]) for block in data["tables"].values()]
        + [(block["file"], f"{block['title']}: published and reproduced") for block in data["published"]],
        machine=data["runs"]["machine"],
        failed=data["runs"]["failed"],
        missing=sum(item["results"] for item in manifest["sources"] if item["source"] == MISSING),
        results=sum(item["results"] for item in manifest["sources"]),
        findings=_findings(folder, config),
        lacking=[item["reason"] for item in manifest["experiments"] if item["source"] == MISSING],
        command=command,
    )


def page_command(manifest, *, archive=True):
    """Return the command that builds a study's page again, with the configuration files and filters of its run.

    It is typed in the folder that has `results`. ``archive=use`` or ``archive=only`` of the run is kept with `archive`.
    """
    if (manifest.get("command") or "").startswith("sslrank "):
        return manifest["command"]
    config, words = manifest["config"], ["snakemake", "--cores", "all", manifest["config"]["name"]]
    if manifest.get("snakefile"):
        words[1:1] = ["--snakefile", manifest["snakefile"]]
    if manifest.get("configfiles"):
        words += ["--configfile", *manifest["configfiles"]]
    chosen = {"datasets": config["datasets"], "methods": [*config["methods"], *config["controls"]]}
    settings = [f"{key}={','.join(names)}" for key, names in chosen.items()] if config["filtered"] else []
    settings += [f"archive={manifest['archive']}"] if archive and manifest.get("archive") else []
    return shlex.join([*words, *(["--config", *settings] if settings else [])])


def page_job(folder, output, *, config):
    """Write the page."""
    Path(output).write_text(build_page(folder, config), encoding="utf-8")
