"""Entries of the arena as folders that a pull request adds: ``results/entries/<name>/``.

A folder has ``entry.yaml`` (class, parameters, version, date, datasets), ``scores.csv`` and, for a class of your own,
its file. ``results/entries/places.csv`` has the places of all entries and versions.
"""

import shutil
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import pandas as pd
import yaml

from sslrank.benchmark import paths
from sslrank.benchmark.environment import git_state
from sslrank.benchmark.results.tables.arena_points import PLACE_COLUMNS
from sslrank.benchmark.results.tables.leaderboard import first_contest, place
from sslrank.datasets.fingerprint import sha256_of

SCORES = ["dataset", "ranking", "mode", "L", "fold", "measure", "k", "value"]


def write_entry(name, entry, params, scores, board):
    """Write the folder of an entry, replacing an earlier one, and add its places to the table; return the folder.

    `entry` is the class as given by the user, `scores` its scores, `board` the leaderboard of the comparison.
    """
    target, date = Path(paths.ENTRIES, name), datetime.now(UTC).date().isoformat()
    if target.exists():
        shutil.rmtree(target)
    target.mkdir(parents=True)
    entry_info = {"name": name, "entry": entry, "params": params}
    entry_info |= {"version": version("sslrank"), "commit": git_state(".")}
    file = Path(entry.rpartition(":")[0])
    if file.suffix == ".py":
        shutil.copyfile(file, target / file.name)
        entry_info |= {"entry": f"{file.name}:{entry.rpartition(':')[2]}", "sha256": sha256_of(file)}
    entry_info |= {"date": date, "datasets": list(dict.fromkeys(scores["dataset"]))}
    (target / "entry.yaml").write_text(yaml.safe_dump(entry_info, sort_keys=False), encoding="utf-8")
    scores[SCORES].to_csv(target / "scores.csv", index=False)
    contest = first_contest(board, name)
    rows = [
        dict(zip(PLACE_COLUMNS, (name, row.entry, version("sslrank"), date, row.n_datasets), strict=False))
        | dict(zip(("place", "of"), place(contest, row.entry), strict=True))
        | {"average_rank": round(row.average_rank, 4)}
        for row in contest[(contest["method"] == name) & contest["average_rank"].notna()].itertuples()
    ]
    table = pd.DataFrame(rows, columns=PLACE_COLUMNS)
    history = target.parent / "places.csv"
    if history.is_file():
        table = pd.concat([pd.read_csv(history, dtype={"version": str}), table], ignore_index=True)
    table.drop_duplicates(["name", "version", "date"], keep="last").to_csv(history, index=False)
    return target
