"""The results page of a study: one HTML file that opens from disk, without network."""

import argparse
import json
import re
import shlex
from pathlib import Path

import jinja2
import pandas as pd

from sslrank.pipeline.analysis.accounts import durations_table, failures_table, incomplete_table
from sslrank.pipeline.files import read_table

TASK_NAMES = {
    "classification": "Classification",
    "mlc": "Multi-label classification",
    "hmlc": "Hierarchical multi-label classification",
    "str": "Single-target regression",
    "mtr": "Multi-target regression",
    "all": "All kinds of target",
}
#: Rows of a table that are shown at once; longer ones scroll in a box of their own.
LONG = 30
_PREAMBLE = re.compile(r"^.*?(?=<svg\b)", re.DOTALL)
_METADATA = re.compile(r"<metadata>.*?</metadata>", re.DOTALL)


def inline_svg(path, label, number):
    """An SVG file as an element of the page.

    Parameters
    ----------
    path : path-like
    label : str
        What a screen reader says.
    number : int
        Different for every picture of the page: identifiers inside get it as a prefix, since they must be
        unique.

    Returns
    -------
    markupsafe.Markup
    """
    text = _PREAMBLE.sub("", Path(path).read_text(encoding="utf-8"), count=1)
    text = _METADATA.sub("", text)
    text = re.sub(r'\bid="', f'id="p{number}-', text)
    text = re.sub(r'href="#', f'href="#p{number}-', text)
    text = re.sub(r"url\(#", f"url(#p{number}-", text)
    size = re.search(r'<svg\b[^>]*?\bwidth="([\d.]+)pt"', text)
    style = f"width:{float(size[1]) * 4 / 3:.0f}px" if size else ""
    text = re.sub(r'(<svg\b[^>]*?) width="[^"]*"', r"\1", text, count=1)
    text = re.sub(r'(<svg\b[^>]*?) height="[^"]*"', r"\1", text, count=1)
    head = f'<svg role="img" aria-label="{jinja2.utils.markupsafe.escape(label)}" style="{style}"'
    return jinja2.utils.markupsafe.Markup(text.replace("<svg", head, 1))


def format_cell(value):
    """Text of a table's cell, and whether it is a number."""
    if value is None or value is pd.NA or (isinstance(value, float) and pd.isna(value)):
        return "", False
    if isinstance(value, bool):
        return ("yes" if value else "no"), False
    if isinstance(value, float):
        if value.is_integer() and abs(value) < 1e9:
            return f"{int(value)}", True
        return (f"{value:.3f}" if 0.0005 <= abs(value) < 1000 else f"{value:.2g}"), True
    if isinstance(value, int):
        return f"{value}", True
    return str(value), False


def table_view(table, *, title="", note="", name=""):
    """What the template needs of a table."""
    rows = []
    failed = [str(column).startswith("better_than_") for column in table.columns]
    controls = table["control"].eq(True) if "control" in table.columns else [False] * len(table)
    for record, control in zip(table.astype(object).itertuples(index=False), controls, strict=True):
        cells = []
        for value, fails in zip(record, failed, strict=True):
            value = value.item() if hasattr(value, "item") else value
            text, numeric = format_cell(value)
            mark = "bad" if fails and text == "no" else "soft" if control else ""
            cells.append({"text": text, "numeric": numeric, "value": value if numeric else text, "mark": mark})
        rows.append(cells)
    numeric = [any(row[j]["numeric"] for row in rows) for j in range(table.shape[1])]
    columns = [str(column).replace("_", " ") for column in table.columns]
    return {
        "title": title,
        "note": note,
        "name": name,
        "columns": list(zip(columns, numeric, strict=True)),
        "rows": rows,
        "long": len(rows) > LONG,
    }


def _read(path):
    try:
        return read_table(path)
    except (FileNotFoundError, pd.errors.EmptyDataError):
        return pd.DataFrame()


class Figures:
    """Finds a study's pictures and numbers them."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.count = 0

    def __call__(self, name, label):
        """The picture, or None where there is none."""
        path = self.folder / f"{name}.svg"
        if not path.is_file():
            return None
        self.count += 1
        return {"svg": inline_svg(path, label, self.count), "label": label, "png": f"{name}.png"}


def _panel_text(panel):
    return "" if panel == "main" else f", k = {panel[1:]}"


#: Headings of the curves by kind of figure, what is said about them, and the captions of single pictures.
CURVES = {
    "labels": (
        "Performance over the number of labelled examples",
        "Fold averages weighted with the sizes of the test sets. A solid line ranks with all training rows "
        "(SSL), a dashed one with the labelled rows only (SL).",
        "Performance over L on",
    ),
    "features": (
        "Performance over the number of features",
        "A predictor that sees the top features only. Fold averages weighted with the sizes of the test sets.",
        "Performance over the number of features on",
    ),
    "errors": (
        "Error curves",
        "A predictor that sees the best (left) or the worst features only (right). Grey is the expected "
        "curve of random rankings, with a band of two standard errors; where high values are good, a good "
        "ranking is above it on the left and below it on the right.",
        "Error curves on",
    ),
}
#: What the comparison of a contest is followed by; parts of the file names and their titles.
CONTEST = {
    "orders": "Order of the methods, dataset by dataset",
    "ranks": "Average ranks",
    "tests": "Friedman tests and critical distances",
    "pairs": "Wilcoxon tests against the method that the publication ranks best",
}


def _curves(figures, datasets, config):
    caption = CURVES[config["figures"].get("kind", "labels")][2]
    panels = [f"k{k}" for k in config["figures"].get("k", [])] or ["main"]
    shown = config["figures"].get("curves")
    sections = []
    for task, part in datasets[datasets["available"].astype(bool)].groupby("task", sort=False):
        rows = []
        for name in part["dataset"]:
            if shown is not None and name not in shown:
                continue
            captions = {panel: f"{caption} {name}{_panel_text(panel)}" for panel in panels}
            found = [figures(f"figures/curves/{name}-{panel}", text) for panel, text in captions.items()]
            rows.append([figure for figure in found if figure])
        if len(panels) == 1:  # nothing to line up: fill the width
            rows = [[figure for row in rows for figure in row]]
        if any(rows):
            sections.append({"task": TASK_NAMES.get(task, task), "rows": rows})
    return sections


def _tables(folder, figures, config):
    views = []
    for name, block in config["tables"].items():
        table = _read(folder / "tables" / f"{name}.csv")
        view = {
            "name": name,
            "title": block["title"],
            "about": block["about"],
            "table": table_view(table, name=f"tables/{name}.csv"),
            "compared": None,
            "remark": block["note"],
            "verdict": block["verdict"],
            "contest": [],
            "diagrams": [],
        }
        if block["published"]:
            cells = _read(folder / "compared" / f"{name}.csv")
            summary = _read(folder / "compared" / f"{name}.agreement.csv")
            view["compared"] = table_view(cells.dropna(axis=1, how="all"), name=f"compared/{name}.csv")
            view["agreement"] = table_view(summary.dropna(axis=1, how="all"))
            view["figure"] = figures(f"published_figures/{name}", f"{view['title']}: published against reproduced")
            view["contest"] = _contest(folder / "compared", name)
            view["diagrams"] = _numbered(figures, name, view["title"])
        views.append(view)
    return views


def _experiments(folder, figures):
    """Pictures of experiments that need no dataset."""
    names = sorted(path.stem for path in (folder / "figures" / "experiments").glob("*.svg"))
    found = [figures(f"figures/experiments/{name}", f"Error curves of {name}") for name in names]
    return [figure for figure in found if figure]


def _contest(folder, name):
    views = []
    for part, title in CONTEST.items():
        table = _read(folder / f"{name}.{part}.csv")
        if len(table):
            if part == "ranks":
                keys = [name for name in table.columns if name not in ("scores", "average_rank")]
                wide = table.pivot(index=keys, columns="scores", values="average_rank")
                table = wide[list(dict.fromkeys(table["scores"]))].reset_index()
            views.append(table_view(table, title=title, name=f"compared/{name}.{part}.csv"))
    return views


def _numbered(figures, name, title):
    """The critical-distance diagrams of a contest, as many as there are."""
    found = []
    while True:
        label = f"{title}: critical-distance diagram {len(found) + 1}"
        figure = figures(f"published_figures/{name}.contest{len(found)}", label)
        if figure is None:
            return found
        found.append(figure)


def _label_notes(status):
    """Datasets on which fewer labels were there than asked for."""
    found = {}
    for row in status.itertuples():
        note = json.loads(row.details).get("labels") if isinstance(row.details, str) else None
        if note:
            found.setdefault((row.dataset, row.L), note)
    return pd.DataFrame([(*key, note) for key, note in found.items()], columns=["dataset", "L", "note"])


def _estimated(took, estimate):
    """Expected and actual seconds of what was estimated and has run, and the seconds of the calibration."""
    known = took.dropna(subset=["actual_over_estimated"])
    pairs = estimate.merge(known[["dataset", "method"]], on=["dataset", "method"])
    return {
        "expected": float(known[["estimated_ranking", "estimated_scoring"]].sum().sum()),
        "actual": float(known[["ranking_seconds", "scoring_seconds"]].sum().sum()),
        "measured": float(pairs["measured_seconds"].sum()),
    }


def build_page(folder, config, template):
    """The page as text.

    Parameters
    ----------
    folder : path-like
        The study's results.
    config : dict
        The study's complete block.
    template : path-like

    Returns
    -------
    str
    """
    folder = Path(folder)
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    datasets, status, durations = (
        read_table(folder / "collected" / f"{name}.csv") for name in ("datasets", "status", "durations")
    )
    figures = Figures(folder)
    tasks = list(dict.fromkeys(datasets.loc[datasets["available"].astype(bool), "task"]))
    diagrams = [
        {
            "task": TASK_NAMES.get(task, task),
            "figure": figures(
                f"figures/critical_distance/{task}",
                f"Critical-distance diagram, {TASK_NAMES.get(task, task)}",
            ),
        }
        for task in [*tasks, "all"]
    ]
    estimate = folder / "estimate.csv"
    estimate = read_table(estimate) if estimate.is_file() else None
    took = durations_table(status, durations, estimate)
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(template).parent),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    steps = durations.groupby("step")["s"].sum()
    return environment.get_template(Path(template).name).render(
        config=config,
        manifest=manifest,
        command=page_command(config, manifest["command"]),
        config_text=json.dumps(manifest["config"], indent=1, ensure_ascii=False),
        n_datasets=int(datasets["available"].astype(bool).sum()),
        n_asked=len(datasets),
        fits=manifest["fits"],
        tables=_tables(folder, figures, config),
        diagrams=[item for item in diagrams if item["figure"]],
        no_diagram=[item["task"] for item in diagrams[:-1] if not item["figure"]],
        curves=_curves(figures, datasets, config),
        experiments=_experiments(folder, figures),
        curves_title=CURVES[config["figures"].get("kind", "labels")][0],
        curves_about=CURVES[config["figures"].get("kind", "labels")][1],
        unavailable=table_view(
            datasets.loc[~datasets["available"].astype(bool), ["dataset", "task", "reason"]].fillna("")
        ),
        datasets=table_view(
            datasets[datasets["available"].astype(bool)]
            .drop(columns=["available", "reason"])
            .dropna(axis=1, how="all"),
            name="collected/datasets.csv",
        ),
        incomplete=table_view(incomplete_table(status)),
        failures=table_view(failures_table(status)),
        label_notes=table_view(_label_notes(status)),
        durations=table_view(took),
        estimated=None if estimate is None else _estimated(took, estimate),
        seconds={step: float(value) for step, value in steps.items()},
        seconds_inside=float(status["seconds"].sum()),
    )


def page_command(config, command=None):
    """The command that makes a study's page, with what the run's command said about files and filters.

    Parameters
    ----------
    config : dict
        The study's complete block.
    command : str, optional
        What was typed.
    """
    words, typed = ["snakemake", "--cores", "all", config["name"]], shlex.split(command or "")
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--configfile", "--configfiles", nargs="+", default=[])
    files = parser.parse_known_args(typed[1 : typed.index("--")] if "--" in typed else typed[1:])[0].configfile
    if files:
        words += ["--configfile", *files]
    if config["filtered"]:
        words += ["--config", *(f"{key}={','.join(config[key])}" for key in ("datasets", "methods"))]
    return shlex.join(words)


def page_job(folder, output, *, config, template):
    """Write the page."""
    Path(output).write_text(build_page(folder, config, template), encoding="utf-8")
