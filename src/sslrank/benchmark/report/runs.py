"""View "Runs" of the results page: seconds, failures, sources of results, and commands to rerun them."""

import json
from html import escape
from pathlib import Path

import numpy as np
import pandas as pd

from sslrank.benchmark import paths
from sslrank.benchmark.archive.record import newest_commit
from sslrank.benchmark.files import read_table
from sslrank.benchmark.report.context import plain_table
from sslrank.benchmark.results.explanations import FAILED, durations_table, failure_words, failures_table
from sslrank.core.durations import duration

#: Message of fits in the mode "sl" of a ranker that has no parameter `supervised` (:mod:`sslrank.benchmark.fits`).
NO_COUNTERPART = "the ranker has no supervised counterpart"


def _with_logs(failures, folder):
    """Add the path of each log relative to the page (for another language, that of the first L); none if archived."""
    logs = []
    for row in failures.itertuples():
        names = {"study": "", "dataset": row.dataset, "method": row.method, "L": row.L.split(", ")[0]}
        patterns = [paths.EXTERNAL_LOG, paths.RANKING_LOG] if not row.evaluator else [paths.SCORES_LOG]
        places = [pattern.removeprefix(paths.STUDY + "/").format(**names) for pattern in patterns]
        logs.append(next((place for place in places if (folder / place).is_file()), None))
    return failures.assign(log=np.array(logs, dtype=object))


def failure_line(folder):
    """Return the terminal's line about failures in a study; "" if nothing failed or there is no page."""
    folder = Path(folder)
    if not (folder / "report.html").is_file():
        return ""
    parts = ("status", "scoring", "datasets")
    words = failure_words(*(read_table(folder / "collected" / f"{part}.csv") for part in parts))
    if words is None:
        return ""
    why = f"Why: {folder}/report.html (view Runs) and {folder}/logs"
    why += f"; again: the same command with {_forced(folder)}" if words["again"] else ""
    return f"{folder.name}: {words['title']} {words['text']}\n  {why}\n"


def _forced(folder):
    """Return the option of Snakemake that repeats failed fits and evaluations of a study."""
    return f"--forcerun $(grep -l -e ,failed, -e ,timeout, {folder}/*/*/*.status.csv)"


def _notes(by_note):
    """List messages of fits and evaluations without failures, one row for several datasets."""
    keys = ["method", "status", "message"]
    grouped = by_note.groupby(keys, sort=False).agg(datasets=("dataset", lambda names: ", ".join(dict.fromkeys(names))))
    return grouped.reset_index()


def _notes_of_fits(status):
    """List the notes of fits: fewer labels than the study asks for, and rankings that a method leaves out."""
    by_note = {}
    for row in status.itertuples():
        noted = json.loads(row.details) if isinstance(row.details, str) else {}
        notes = {("", ""): noted["labels"]} if noted.get("labels") else {}
        notes |= {(row.method, ranking): f"left out: {why}" for ranking, why in noted.get("skipped", {}).items()}
        for key, note in notes.items():
            by_note.setdefault((row.dataset, row.L, *key), note)
    return pd.DataFrame(
        [(*key, note) for key, note in by_note.items()], columns=["dataset", "L", "method", "ranking", "note"]
    )


def failed_words(context):
    """Describe failures, see :func:`~sslrank.benchmark.results.explanations.failure_words`."""
    return failure_words(context.study.status, context.collected("scoring"), context.collected("datasets"))


def failures(context):
    """List failed fits and evaluations, with their logs."""
    statuses = failures_table(context.study.status, context.collected("scoring"))
    return _with_logs(statuses[statuses["status"].isin(FAILED)], context.folder)


def runs_view(context, command):
    """Build the view: failures, durations, and sources of results; `command` rebuilds the page."""
    manifest, status, scoring = context.manifest, context.study.status, context.collected("scoring")
    words, failed, statuses = failed_words(context), failures(context), failures_table(status, scoring)
    html = f"<h2>Runs</h2><p>{escape(_times(context))}</p><h3>Failures</h3>"
    html += f"<p>{escape(words['title'])} {escape(words['text'])}</p>" if words else "<p>Every fit succeeded.</p>"
    if len(failed):
        html += plain_table(context, failed, "Failures", logs=True)
        again = f"{command} {_forced(Path('results', context.config['name']))}"
        html += f"<p>To try them again, and keep all others:</p>{_code(again)}"
    one_mode = statuses["message"].eq(NO_COUNTERPART)
    if one_mode.any():
        names = escape(", ".join(map(context.method, statuses.loc[one_mode, "method"].unique())))
        html += f'<p class="soft">Ranked from all rows only, as there is no counterpart for labelled rows: {names}.</p>'
    unavailable = context.study.datasets[~context.study.datasets["available"].astype(bool)]
    for title, table, said in (
        ("Not supported, and notes", _notes(statuses[~statuses["status"].isin(FAILED) & ~one_mode]), ""),
        ("Notes of the fits", _notes_of_fits(status), "Fewer labels than asked for, and rankings that are slow."),
        ("Datasets that are not here", unavailable[["dataset", "task", "reason"]],
         "If you have a file of one that cannot be downloaded, name it in config.yaml under data: files:."),
        ("Durations", durations_table(status, context.collected("durations")), ""),
    ):  # fmt: skip
        if len(table):
            html += f'<h3>{title}</h3><p class="soft">{said}</p>{plain_table(context, table, title)}'
    machine = manifest["machine"]
    made = (
        f"Made on {machine['processor'] or machine['architecture']}, {machine['cores']} cores, {machine['system']}, "
        f"Python {machine['python']}, at commit {manifest['commit'] or 'unknown'}, finished "
        f"{manifest['finished'][:16].replace('T', ' ')} UTC."
    )
    sources = _sources(manifest).dropna(axis=1, how="all")
    archived = ""
    if any(item["source"] == "archive" for item in manifest["sources"]):
        archived = "<p>Results from the archive are run again without archive=…, and with datasets=NAME.</p>"
    return (
        f"{html}<h3>Where the results come from</h3><p>{escape(made)}</p>"
        f"{plain_table(context, sources, 'Where the results come from')}"
        f"<p>To build this page again:</p>{_code(command)}{archived}"
        '<p class="soft">Everything on this page is in tidy CSV files in its folder; <a href="manifest.json">'
        "manifest.json</a> says what made them: versions, and the complete configuration.</p>"
    )


def _code(text):
    return f'<pre tabindex="0">{escape(text)}</pre>'


def _times(context):
    """Describe the seconds of jobs, and the share spent in fits."""
    steps = context.collected("durations").groupby("step")["s"].sum()
    inside = context.study.status["seconds"].sum()
    words = f"All jobs took: {', '.join(f'{step} {duration(value)}' for step, value in steps.items())}; "
    words += f"inside the rankers' fits {duration(inside)}."
    if context.manifest.get("largest_memory_mb"):
        words += f" The largest job took {context.manifest['largest_memory_mb']:.0f} MB of memory."
    return words


def _sources(manifest):
    """List the sources of results."""
    rows = [
        {
            "source": item["source"],
            "of": f"parts of the experiment {item['experiment']}" if "experiment" in item else "methods on datasets",
            "results": item["parts"] if "experiment" in item else item["results"],
            "commit": newest_commit(item["commit"]) if item.get("commit") else None,
            "processor": item.get("processor"),
            "instructions": item.get("instructions"),
        }
        for item in manifest["sources"] + manifest["experiments"]
    ]
    return pd.DataFrame(rows)
