"""The estimating job: the calibrations of a study put together."""

from pathlib import Path

import pandas as pd

from sslrank.benchmark.files import CALIBRATION_COLUMNS, read_table


def estimate_job(files, output):
    """Put the calibrations of a study together.

    Returns
    -------
    str
        Core-hours by method and in all, the largest items, memory and disk, as text.
    """
    parts = [read_table(path) for path in files]
    table = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=CALIBRATION_COLUMNS)
    table = table.sort_values("seconds", ascending=False)
    table.to_csv(output, index=False, float_format="%.6g")
    return describe(table, Path(output).parent.name)


def describe(table, study):
    """The estimate as text."""
    steps = table.groupby("step")["seconds"].sum() / 3600
    parts = ", ".join(f"{step} {hours:.3g}" for step, hours in steps.items())
    lines = [
        f"{study}: about {steps.sum():.3g} core-hours ({parts}),",
        f"  all extrapolated from {table['measured_seconds'].sum() / 60:.3g} minutes of measured work",
    ]
    lines += _pivot(table, "method") + _pivot(table, "dataset")
    memory = table["memory_mb"].max() if len(table) else 0
    lines.append(f"  memory of the largest job {memory:.0f} MB, disk {table['disk_mb'].sum():.0f} MB")
    return "\n".join(lines)


def _pivot(table, key):
    """Hours of each method or dataset, by step; the largest first."""
    hours = table.pivot_table(index=key, columns="step", values="seconds", aggfunc="sum", fill_value=0) / 3600
    hours = hours.loc[hours.sum(axis=1).sort_values(ascending=False).index]
    lines = [f"  {key + ', hours':26}" + "".join(f"{step:>10}" for step in hours.columns)]
    for name, row in hours.iterrows():
        lines.append(f"  {name:26}" + "".join(f"{value:10.3g}" for value in row))
    return lines
