"""Data of the page's view "Runs": seconds, failures, sources of the results, commands that run them again."""

import json
import shlex
from pathlib import Path

import numpy as np
import pandas as pd

from sslrank.benchmark import paths
from sslrank.benchmark.archive.record import newest_commit
from sslrank.benchmark.files import read_table
from sslrank.benchmark.results.explanations import (
    FAILED,
    durations_table,
    failure_words,
    failures_table,
    incomplete_table,
)
from sslrank.core.durations import duration

#: Message of fits in the mode "sl" of a ranker that has no parameter `supervised` (:mod:`sslrank.benchmark.fits`).
NO_COUNTERPART = "the ranker has no supervised counterpart"


def _with_logs(failures, folder):
    """Add the log of each, of its first L or evaluator, as seen from the page; results of the archive have none."""
    logs = []
    for row in failures.itertuples():
        names = {"study": "", "dataset": row.dataset, "method": row.method, "L": row.L.split(", ")[0]}
        patterns = [paths.EXTERNAL_LOG, paths.RANKING_LOG] if not row.evaluator else [paths.SCORES_LOG]
        names["evaluator"] = row.evaluator.split(", ")[0]
        places = [pattern.removeprefix(paths.STUDY + "/").format(**names) for pattern in patterns]
        logs.append(next((place for place in places if (folder / place).is_file()), None))
    return failures.assign(log=np.array(logs, dtype=object))


def failure_line(folder):
    """Say on the terminal what failed in a study, and where to see why; "" if nothing did, or there is no page."""
    folder = Path(folder)
    if not (folder / "report.html").is_file():
        return ""
    parts = ("status", "scoring", "datasets")
    words = failure_words(*(read_table(folder / "collected" / f"{part}.csv") for part in parts))
    if words is None:
        return ""
    why = f"Why: {folder}/report.html (view Runs) and {folder}/logs"
    why += f"; again: sslrank rerun {shlex.quote(str(folder))} --failed" if words["again"] else ""
    return f"{folder.name}: {words['title']} {words['text']}\n  {why}\n"


def _notes(found):
    """The same without failures, those of several datasets in one row."""
    keys = ["method", "status", "message"]
    grouped = found.groupby(keys, sort=False).agg(datasets=("dataset", lambda names: ", ".join(dict.fromkeys(names))))
    return grouped.reset_index()


def _label_notes(status):
    """List datasets that have fewer labels than the study asks for."""
    found = {}
    for row in status.itertuples():
        note = json.loads(row.details).get("labels") if isinstance(row.details, str) else None
        if note:
            found.setdefault((row.dataset, row.L), note)
    return pd.DataFrame([(*key, note) for key, note in found.items()], columns=["dataset", "L", "note"])


def _skipped(status):
    """List rankings that a method leaves out on a dataset, with the limit."""
    found = {}
    for row in status.itertuples():
        for ranking, why in json.loads(row.details).get("skipped", {}).items() if isinstance(row.details, str) else ():
            found.setdefault((row.method, ranking, row.dataset), f"L = {row.L}: {why}")
    return pd.DataFrame([(*key, why) for key, why in found.items()], columns=["method", "ranking", "dataset", "why"])


def runs(context, command):
    """Make the data of the view "Runs" of a study; `command` builds its page again."""
    folder, config, manifest, status = context.folder, context.config, context.manifest, context.study.status
    scoring, datasets, durations = (
        read_table(folder / "collected" / f"{part}.csv") for part in ("scoring", "datasets", "durations")
    )
    took = durations_table(status, durations)
    found = failures_table(status, scoring)
    failed, one_mode = found["status"].isin(FAILED), found["message"].eq(NO_COUNTERPART)
    inside, steps = status["seconds"].sum(), durations.groupby("step")["s"].sum()
    words = [f"All jobs took: {', '.join(f'{step} {duration(value)}' for step, value in steps.items())};"]
    words.append(f"inside the rankers' fits {duration(inside)}.")
    if steps.get("ranking", 0) > inside:
        share = 100 * (1 - inside / steps["ranking"])
        words.append(f"{share:.0f} % of the ranking jobs went into starting Python, reading and writing.")
    if manifest.get("largest_memory_mb"):
        words.append(f"The largest job took {manifest['largest_memory_mb']:.0f} MB of memory.")
    machine = manifest["machine"]
    rerun = f"sslrank rerun {shlex.quote('results/' + config['name'])}"
    return {
        "summary": " ".join(words),
        "durations": took.merge(_origin(folder), on=["dataset", "method"], how="left"),
        "failed": failure_words(status, scoring, datasets),
        "failures": _with_logs(found[failed], folder),
        "again": f"{rerun} --failed",
        "command": command,
        "notes": _notes(found[~failed & ~one_mode]),
        "one_mode": list(found.loc[one_mode, "method"].unique()),
        "incomplete": incomplete_table(status, scoring),
        "labels": _label_notes(status),
        "skipped": _skipped(status),
        "machine": f"Made on {machine['processor'] or machine['architecture']}, {machine['cores']} cores, "
        f"{machine['system']}, Python {machine['python']}, at commit {manifest['commit'] or 'unknown'}, "
        f"finished {manifest['finished'][:16].replace('T', ' ')} UTC.",
        "sources": _sources(folder, manifest),
        "rerun": "\n".join(
            (f"{rerun} --dataset DATASET", f"{rerun} --method METHOD", f"{rerun} --L {config['splits']['L'][0]}")
        ),
        "archived": any(item["source"] == "archive" for item in manifest["sources"]),
        "versions": "\n".join(f"{name} {version}" for name, version in manifest["versions"].items() if version),
        "config": json.dumps(manifest["config"], indent=1, ensure_ascii=False),
    }


def _origin(folder):
    """Name the source of each method's results on each dataset: the archive's commits, or this run."""
    table = pd.read_csv(folder / "collected" / "sources.csv", dtype=str)  # a commit may look like a number
    words = [
        f"archive, commit {newest_commit(row.commit)}{', earlier code' if row.code == 'other' else ''}"
        if row.source == "archive"
        else row.source
        for row in table.itertuples()
    ]
    return table[["dataset", "method"]].assign(source=words).dropna(subset="dataset")


def _sources(folder, manifest):
    """List the sources of the results, each with the cells of it that `verify` recomputed, by verdict."""
    verified = _verified(folder, manifest["study"])
    rows = []
    for item in manifest["sources"] + manifest["experiments"]:
        experiment = item.get("experiment")
        same = verified["experiment"].eq(experiment) if experiment else verified["commit"].eq(item.get("commit"))
        found = verified[same] if item["source"] == "archive" else verified.iloc[:0]
        verdicts = ", ".join(
            f"{count} {verdict}" for verdict, count in found["verdict"].value_counts(sort=False).items()
        )
        rows.append(
            {
                "source": item["source"],
                "of": f"parts of the experiment {experiment}" if experiment else "methods on datasets",
                "results": item["parts"] if experiment else item["results"],
                "commit": newest_commit(item["commit"]) if item.get("commit") else None,
                "code": {"other": "earlier", "same": "this commit's"}.get(item.get("code"), item.get("code")),
                "processor": item.get("processor"),
                "instructions": item.get("instructions"),
                "recomputed": f"{len(found)} cells: {verdicts}" if len(found) else None,
            }
        )
    return pd.DataFrame(rows)


def _verified(folder, study):
    """Cells of the archive that `verify` computed again for this study, with the commit of the result that they check.

    The table is ``results/archive/verified.csv``; without it no cell.
    """
    columns = ["dataset", "method", "experiment", "verdict"]
    path = folder.parent / "archive" / "verified.csv"
    if not path.is_file():
        return pd.DataFrame(columns=[*columns, "commit"], dtype=object)
    table = pd.read_csv(path, dtype=str)
    table = table.loc[table["study"] == study].reindex(columns=columns)
    sources = pd.read_csv(folder / "collected" / "sources.csv", dtype=str)  # a commit may look like a number
    return table.merge(sources[["dataset", "method", "commit"]].dropna(), on=["dataset", "method"], how="left")
