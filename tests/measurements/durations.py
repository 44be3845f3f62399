"""Renew workflow/durations.csv, by which jobs ask a cluster for walltime and memory, from the archive's jobs."""

from pathlib import Path

import pandas as pd

from sslrank.benchmark import paths
from sslrank.benchmark.archive.store import Archive
from sslrank.benchmark.plan.plan import Plan
from sslrank.benchmark.plan.resources import START, TABLE, million_values

ROOT = Path(__file__).parents[2]
#: Studies whose methods have the names of others, and run other programs.
LEFT_OUT = ("ssl-ranking-original",)


def jobs(archive, catalogue):
    """Yield step, name, seconds per root of a million values, and megabytes of every job in the archive."""
    for names in archive.subjects:
        if names[0] in LEFT_OUT:
            continue
        record = archive.read(*names)
        spec = record.spec
        for job in record.parts["job"].dropna(subset=["s", "max_rss"]).to_dict("records"):
            if record.is_experiment:
                yield "part", spec["experiment"]["module"], job["s"], job["max_rss"]
                continue
            took = {spec["method"]["name"]: (job["s"] - START, spec["L"] if pd.isna(job["L"]) else [job["L"]])}
            if job["step"] == "scores":  # one job for each evaluator in older versions
                scoring = record.parts["scoring"].set_index("evaluator")["seconds"]
                evaluators = scoring.index if pd.isna(job["evaluator"]) else [job["evaluator"]]
                took = {name: (scoring[name], spec["evaluators"][name]["L"]) for name in evaluators}
            for name, (seconds, budgets) in took.items():
                n_fits = len(spec["modes"]) * len(budgets)
                values = million_values(catalogue[spec["dataset"]["name"]].shape, spec["splits"], n_fits)
                yield job["step"], name, max(seconds, 0.3) / values**0.5, job["max_rss"]


if __name__ == "__main__":
    import yaml

    config = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    found = pd.DataFrame(
        jobs(Archive(paths.ARCHIVE), Plan(config, ROOT).catalogue), columns=["step", "name", "seconds", "megabytes"]
    )
    grouped = found.groupby(["step", "name"])
    table = grouped["seconds"].quantile(0.75).map("{:.4g}".format).to_frame()
    table["megabytes"] = grouped["megabytes"].max().round().astype(int)
    table.reset_index().to_csv(ROOT / TABLE, index=False, lineterminator="\n")
