"""What a study will cost, from a short calibration on this machine.

One fit per dataset, method and mode, on the first fold with the middle L and with the cheaper parameters that
the method's `calibration` names, is multiplied by its `times`, by the folds and by the number of L.
"""

import resource
import time
from pathlib import Path

import pandas as pd

from sslrank.dataset import Dataset
from sslrank.pipeline.files import read_table
from sslrank.pipeline.ranking import rank_dataset
from sslrank.splits import Splits

COLUMNS = ["dataset", "task", "method", "seconds", "memory_mb", "disk_mb", "measured_seconds", "note"]
#: Bytes that a row of a rankings table takes in Parquet, about.
BYTES_PER_IMPORTANCE = 9


def calibrate_job(data, splits, output, *, calibration, method, modes, seed=0):
    """Measure one fit per mode and extrapolate to all folds and L.

    Parameters
    ----------
    data, splits : path-like
    output : path-like
        One row with the columns :data:`COLUMNS`.
    calibration : dict
        "spec" of the cheaper fit, and "times".
    method : str
    modes : sequence of str
    seed : int
    """
    dataset, every = Dataset.load(data), Splits.load(splits)
    budget = every.budgets[len(every.budgets) // 2]
    first = Splits(every.scheme, every.dataset, every.seed, every.n_rows, every.budgets, every.folds[:1])
    started = time.perf_counter()
    rankings, status = rank_dataset(dataset, first, budget, calibration["spec"], modes=modes, seed=seed)
    measured = status.loc[status["status"] == "ok", "seconds"].sum()
    runs = len(every.folds) * len(every.budgets)
    problems = status.loc[status["status"] != "ok", "message"].unique()
    row = {
        "dataset": dataset.name,
        "task": dataset.task,
        "method": method,
        "seconds": measured * calibration["times"] * runs,
        "memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "disk_mb": len(rankings) * runs * BYTES_PER_IMPORTANCE / 1e6,
        "measured_seconds": time.perf_counter() - started,
        "note": "; ".join(problems),
    }
    pd.DataFrame([row])[COLUMNS].to_csv(output, index=False, float_format="%.6g")


def estimate_job(files, output):
    """Put the calibrations of a study together.

    Returns
    -------
    str
        Core-hours by method and in all, the largest items, memory and disk, as text.
    """
    parts = [read_table(path) for path in files]
    table = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=COLUMNS)
    table = table.sort_values("seconds", ascending=False)
    table.to_csv(output, index=False, float_format="%.6g")
    return describe(table, Path(output).parent.name)


def describe(table, study):
    """The estimate as text."""
    hours = table["seconds"].sum() / 3600
    lines = [f"{study}: about {hours:.3g} core-hours of ranking"]
    for method, seconds in table.groupby("method")["seconds"].sum().sort_values(ascending=False).items():
        lines.append(f"  {method:24} {seconds / 3600:10.3g} h")
    lines.append("  the largest items:")
    for row in table.head(10).itertuples():
        lines.append(f"  {row.dataset:24} {row.method:20} {row.seconds / 3600:10.3g} h")
    memory = table["memory_mb"].max() if len(table) else 0
    lines.append(f"  memory of the largest job {memory:.0f} MB, disk {table['disk_mb'].sum():.0f} MB")
    return "\n".join(lines)
