"""What the results page says of the runs: seconds, failures, where results come from, how to run again."""

import json
import shlex

import pandas as pd

from sslrank.benchmark.archive.record import commit_words, counted
from sslrank.benchmark.files import read_table
from sslrank.benchmark.report.json_tables import listed
from sslrank.benchmark.results.explanations import durations_table, failures_table, incomplete_table
from sslrank.core.durations import duration


def _label_notes(status):
    """Datasets on which fewer labels were there than asked for."""
    found = {}
    for row in status.itertuples():
        note = json.loads(row.details).get("labels") if isinstance(row.details, str) else None
        if note:
            found.setdefault((row.dataset, row.L), note)
    return pd.DataFrame([(*key, note) for key, note in found.items()], columns=["dataset", "L", "note"])


def runs(folder, status, durations, config, manifest):
    """The view "Runs" of a study's results."""
    scoring = read_table(folder / "collected" / "scoring.csv")
    path = folder / "estimate.csv"
    estimate = read_table(path) if path.is_file() else None
    took = durations_table(status, durations, estimate)
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
        "estimated": None if estimate is None else _estimated(took, estimate),
        "durations": listed(took.merge(_origin(folder), on=["dataset", "method"], how="left")),
        "failures": listed(failures_table(status, scoring)),
        "incomplete": listed(incomplete_table(status, scoring)),
        "labels": listed(_label_notes(status)),
        "machine": f"Made on {machine['processor'] or machine['architecture']}, {machine['cores']} cores, "
        f"{machine['system']}, Python {machine['python']}, at commit {manifest['commit'] or 'unknown'}, "
        f"finished {manifest['finished'][:16].replace('T', ' ')} UTC.{_from_archive(manifest)}",
        "rerun": "\n".join(
            (f"{rerun} --dataset DATASET", f"{rerun} --method METHOD", f"{rerun} --L {config['splits']['L'][0]}")
        ),
        "archived": any(item["source"] == "archive" for item in manifest["sources"]),
        "versions": "\n".join(f"{name} {version}" for name, version in manifest["versions"].items() if version),
        "config": json.dumps(manifest["config"], indent=1, ensure_ascii=False),
    }


def _origin(folder):
    """Where the results of each method on each dataset come from: the archive's commits, or this run."""
    table = pd.read_csv(folder / "collected" / "sources.csv", dtype=str)  # a commit may look like a number
    words = [
        f"archive, commit {commit_words(row.commit)}{', other code' if row.code == 'other' else ''}"
        if row.source == "archive"
        else row.source
        for row in table.itertuples()
    ]
    return table[["dataset", "method"]].assign(source=words).dropna(subset="dataset")


def _from_archive(manifest):
    """What is said about results from the archive."""
    words = []
    for item in manifest["sources"] + manifest["experiments"]:
        if item["source"] == "archive":
            code = ", whose code is not the one here" if item["code"] == "other" else ""
            made = f"commit {commit_words(item['commit'])}{code}, {item['processor']}, {item['instructions']}."
            words.append(f" From the archive {counted(item)}: {made}")
    return "".join(words)


def _estimated(took, estimate):
    """Expected and actual hours of what was estimated and has run."""
    known = took.dropna(subset=["actual_over_estimated"])
    pairs = estimate.merge(known[["dataset", "method"]], on=["dataset", "method"])
    expected = known[["estimated_ranking", "estimated_scoring"]].sum().sum() / 3600
    actual = known[["ranking_seconds", "scoring_seconds"]].sum().sum() / 3600
    return (
        f"For what was estimated beforehand, {expected:.3g} core-hours were expected, extrapolated from "
        f"{pairs['measured_seconds'].sum() / 60:.3g} minutes of measured work; it took {actual:.3g} hours."
    )
