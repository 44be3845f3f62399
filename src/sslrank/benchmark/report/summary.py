"""The summary of a finished study, to commit: tables, some figures and the manifest."""

import re
import shutil
from pathlib import Path

from sslrank.benchmark.archive.ledger import standing_words
from sslrank.benchmark.archive.store import MISSING, Archive
from sslrank.benchmark.files import read_json, read_table
from sslrank.benchmark.paths import ARCHIVE
from sslrank.benchmark.results.explanations import durations_table, failures_table

#: Patterns of files to copy from the study's results.
COPIED = ("manifest.json", "tables/*.csv", "compared/*.csv", "experiments/*/*.csv")
#: Larger files are named instead of copied.
MAX_BYTES = 1_000_000


def write_summary(study, target):
    """Write the summary of a finished study from its folder of results; return its files relative to `target`.

    `target` gets the files of :data:`COPIED`, ``datasets.csv``, ``failures.csv``, ``seconds.csv`` (per dataset and
    method), ``jobs.csv`` (wall seconds and largest memory, per step, dataset, method and evaluator), ``stability.csv``
    (of the top features, mean over the datasets), figures linked by a page (:func:`linked_pictures`), and a
    ``README.md`` with their origin. An earlier summary is removed.
    """
    source, target = Path(study), Path(target)
    manifest = read_json(source / "manifest.json")
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    files = [path for pattern in COPIED for path in sorted(source.glob(pattern))]
    with_results = {item["experiment"] for item in manifest.get("experiments", []) if item["source"] != MISSING}
    files = [path for path in files if path.parents[1] != source / "experiments" or path.parent.name in with_results]
    files += [path for path in map(source.joinpath, linked_pictures(target.name)) if path.is_file()]
    left_out = [path.relative_to(source) for path in files if path.stat().st_size > MAX_BYTES]
    for path in files:
        relative_path = path.relative_to(source)
        if relative_path not in left_out:
            (target / relative_path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target / relative_path)
    write_overviews(source / "collected", target, manifest["config"]["comparison"]["excluded_datasets"])
    (target / "README.md").write_text(_readme(manifest, source.name, left_out), encoding="utf-8")
    return sorted(path.relative_to(target) for path in target.rglob("*") if path.is_file())


def write_overviews(collected, target, excluded):
    """Write the tables of a summary that are made from the collected ones; `excluded` datasets are not compared."""
    datasets, status, scoring, durations, stability = (
        read_table(collected / f"{part}.csv") for part in ("datasets", "status", "scoring", "durations", "stability")
    )
    tables = {
        "datasets": datasets,
        "failures": failures_table(status, scoring),
        "seconds": durations_table(status, durations),
        "jobs": _jobs(durations),
        "stability": _stability(stability[~stability["dataset"].isin(excluded)]),
    }
    for name, table in tables.items():
        table.to_csv(target / f"{name}.csv", index=False, float_format="%.6g")


def linked_pictures(study, root="."):
    """Find a study's figures that findings, the report or a publication's protocol link to."""
    pages = [*Path(root, "results").glob("*.j2"), *Path(root, "results/findings").glob("*.j2")]
    pages += Path(root, "workflow/published").glob("*/README.md")
    pattern = rf"summaries/{re.escape(study)}/((?:figures|published_figures)/[^)\s]+\.svg)"
    return sorted({path for page in pages for path in re.findall(pattern, page.read_text(encoding="utf-8"))})


def _stability(stability):
    """Average the stability of the top features over the datasets."""
    grouped = stability.groupby(["task", "method", "ranking", "mode", "L", "top"], sort=False)
    return grouped.agg(n_datasets=("stability", "count"), stability=("stability", "mean")).reset_index()


def _jobs(durations):
    keys = ["step", "dataset", "method", "evaluator"]
    grouped = durations.groupby(keys, sort=False, dropna=False)
    table = grouped.agg(jobs=("s", "size"), seconds=("s", "sum"), largest_memory_mb=("max_rss", "max"))
    return table.reset_index()


def _readme(manifest, name, left_out):
    config = manifest["config"]
    part = ", **a part of the study**: the command's filters left out datasets or methods" if config["filtered"] else ""
    standing = standing_words(Archive(ARCHIVE)).get(name)
    rests_on = f"- rests on: {standing}\n" if standing else ""
    too_large = f"\nToo large for the summary: {', '.join(map(str, left_out))}.\n" if left_out else ""
    return f"""# {config["title"] or name}

Summary of the study `{name}`: its tables, and some figures.

- command: `{manifest.get("command") or "not recorded"}`{part}
- finished: {manifest["finished"]}, at commit {manifest["commit"] or "unknown"}
{rests_on}- settings, versions, machine and the sources of results: [manifest.json](manifest.json)
{too_large}"""
