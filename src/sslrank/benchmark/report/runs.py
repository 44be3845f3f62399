"""View "Runs" of the results page: seconds, failures, sources of results, and commands to rerun them."""

import json
import shlex
from html import escape
from pathlib import Path

import pandas as pd

from sslrank.benchmark.archive.record import newest_commit
from sslrank.benchmark.files import read_table
from sslrank.benchmark.report.context import plain_table
from sslrank.benchmark.results.explanations import FAILED, durations_table, failure_words, failures_table
from sslrank.core.durations import duration


def _with_logs(failures, folder):
    """Add the path of each log relative to the page (for another language, that of the first L), and links to them."""
    logs = []
    for row in failures.itertuples():
        pair = f"{row.dataset}/{row.method}"
        paths = [f"logs/exchange/{pair}/L{row.L.split(', ')[0]}.log", f"logs/rankings/{pair}.log"]
        paths = [f"logs/scores/{pair}.log"] if row.evaluator else paths
        logs.append(next((path for path in paths if (folder / path).is_file()), ""))
    return failures.assign(log=logs), [f'<a href="{escape(log)}">{escape(log)}</a>' if log else "" for log in logs]


def failure_line(folder):
    """Return the terminal's line about failures in a study; "" if nothing failed or there is no page."""
    folder = Path(folder)
    if not (folder / "report.html").is_file():
        return ""
    words = failed_words(folder)
    if words is None:
        return ""
    why = f"Why: {folder}/report.html (view Runs) and {folder}/logs"
    why += f"; again: sslrank rerun {shlex.quote(str(folder))} --failed" if words["again"] else ""
    return f"{folder.name}: {words['title']} {words['text']}\n  {why}\n"


def has_result(folder):
    """Check if a finished study has a score or a table of an experiment."""
    experiments = Path(folder, "experiments")
    return len(read_table(Path(folder, "collected", "scores.csv"))) > 0 or experiments.is_dir()


def _notes(by_note):
    """List messages of fits and evaluations without failures, one row for several datasets."""
    keys = ["method", "status", "message"]
    grouped = by_note.groupby(keys, sort=False).agg(datasets=("dataset", lambda names: ", ".join(dict.fromkeys(names))))
    return grouped.reset_index()


def _notes_of_fits(status):
    """List the notes of fits: fewer labels than the study asks for, and rankings that a method leaves out."""
    rows = {}
    for row in status.itertuples():
        noted = json.loads(row.details) if isinstance(row.details, str) else {}
        notes = [noted["labels"]] if noted.get("labels") else []
        notes += [f"{row.method}: {name} is left out: {why}" for name, why in noted.get("skipped", {}).items()]
        rows |= dict.fromkeys((row.dataset, row.L, note) for note in notes)
    return pd.DataFrame(list(rows), columns=["dataset", "L", "note"])


def failed_words(folder):
    """Describe failures in a study, see :func:`~sslrank.benchmark.results.explanations.failure_words`."""
    tables = (read_table(folder / "collected" / f"{part}.csv") for part in ("status", "scoring", "datasets"))
    return failure_words(*tables)


def runs_view(context, command):
    """Build the view: failures, durations, and sources of results; `command` rebuilds the page."""
    status, scoring = context.study.status, context.collected("scoring")
    words, statuses = failed_words(context.folder), failures_table(status, scoring)
    is_failed = statuses["status"].isin(FAILED)
    rerun = f"sslrank rerun {shlex.quote('results/' + context.config['name'])}"
    text = f"{words['title']} {words['text']}" if words else "No fit failed."
    html = f"<h2>Runs</h2><h3>Failures</h3><p>{escape(text)}</p>"
    if is_failed.any():
        failed, links = _with_logs(statuses[is_failed], context.folder)
        html += plain_table(context, failed, "Failures", html={"log": links})
        html += "<p>To repeat them, delete these rankings with this command, then build the page again:</p>"
        html += _code(f"{rerun} --failed")
    unavailable = context.study.datasets[~context.study.datasets["available"].astype(bool)]
    for title, table, note in (
        ("Not supported, and notes", _notes(statuses[~is_failed]), ""),
        ("Notes of the fits", _notes_of_fits(status), "Fits with fewer labels than requested; slow rankings left out."),
        ("Unavailable datasets", unavailable[["dataset", "task", "reason"]],
         "If you have the file of a dataset that cannot be downloaded, name it in config.yaml under data: files:."),
        ("Durations", durations_table(status, context.collected("durations")), ""),
    ):  # fmt: skip
        if len(table):
            html += f'<h3>{title}</h3><p class="soft">{note}</p>{plain_table(context, table, title)}'
    options = ("--dataset DATASET", "--method METHOD", f"--L {context.config['splits']['L'][0]}")
    again = "\n".join(f"{rerun} {option}" for option in options)
    return (
        f"{html}<h3>Where the results come from</h3><p>{escape(_provenance(context.manifest))}</p>"
        f"{plain_table(context, _sources(context.manifest), 'Where the results come from')}"
        f"<p>To build this page again:</p>{_code(command)}"
        "<p>To repeat a dataset, a method or an L, delete its rankings with one of these commands (options can be "
        f"combined), then run the command above, without archive=… if they are archived:</p>{_code(again)}"
        '<p class="soft">Everything on this page is in tidy CSV files in its folder; <a href="manifest.json">'
        "manifest.json</a> has the versions and the complete configuration.</p>"
    )


def _code(text):
    return f'<pre tabindex="0">{escape(text)}</pre>'


def _provenance(manifest):
    """Describe the machine, the commit and the time of a run, and what its jobs took."""
    machine = manifest["machine"]
    text = (
        f"Made on {machine['processor'] or machine['architecture']}, {machine['cores']} cores, {machine['system']}, "
        f"Python {machine['python']}, at commit {manifest['commit'] or 'unknown'}, finished "
        f"{manifest['finished'][:16].replace('T', ' ')} UTC. The fits took {duration(3600 * manifest['fit_hours'])}"
    )
    memory = manifest["largest_memory_mb"]
    return text + (f", the largest job {memory:.0f} MB of memory." if memory else ".")


def _sources(manifest):
    """List the sources of results and of parts of experiments."""
    table = pd.DataFrame(manifest["sources"] + manifest["experiments"] or [{"source": "no result", "commit": None}])
    table["commit"] = table["commit"].where(table["commit"].astype(bool)).map(newest_commit, na_action="ignore")
    return table.dropna(axis=1, how="all")
