"""Write the manifest of a run: configuration, code, versions and machine."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pandas as pd

from sslrank.benchmark.environment import git_state, machine, package_versions, this_run
from sslrank.benchmark.files import read_table


def write_manifest(collected, output, *, config, root, command=None):
    """Write the manifest of a study, from the folder of collected tables and the study's complete block.

    `root` is the repository; `command` is the command of the run, by default the one that the workflow recorded.
    """
    folder = Path(collected)
    durations = read_table(folder / "durations.csv")
    status = read_table(folder / "status.csv")
    content = {
        "study": config["name"],
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        **this_run(),
        **({"command": command} if command else {}),
        "commit": git_state(root),
        "machine": machine(),
        "versions": package_versions(),
        "job_hours": {step: round(part["s"].sum() / 3600, 6) for step, part in durations.groupby("step")},
        "fit_hours": round(float(status["seconds"].sum()) / 3600, 6),
        "largest_memory_mb": float(durations["max_rss"].max()) if durations["max_rss"].notna().any() else None,
        "fits": {str(key): int(count) for key, count in status["status"].value_counts().items()},
        **_sources(pd.read_csv(folder / "sources.csv", dtype=str)),
        "config": config,
    }
    Path(output).write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _sources(table):
    """List the sources of the results, with the number of results or experiment parts of each."""
    keys = ["source", "commit", "processor", "instructions"]
    of_pairs = table[table["experiment"].isna()]
    counts = of_pairs.groupby(keys, sort=False, dropna=False).size().rename("results").reset_index()
    parts = table.loc[table["experiment"].notna(), ["experiment", "parts", *keys, "reason"]]
    tables = {"sources": counts, "experiments": parts.astype({"parts": int})}
    return {name: part.astype(object).where(part.notna(), None).to_dict("records") for name, part in tables.items()}
