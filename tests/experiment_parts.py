"""Finished parts of a tiny experiment, made without Snakemake."""

import json
from pathlib import Path

from sslrank.benchmark.environment import environment
from sslrank.benchmark.plan.fingerprints import experiment_code, step_code
from sslrank.benchmark.steps.experiment_part import PartJob, experiment_part_job

#: Three parts of some milliseconds: single-truth, single-0.3-0 and single-0.3-10.
NOISE = {
    "experiment": "noise",
    "params": {
        "names": ["single"], "thetas": [0.3], "n_rankings": 11, "cv": 2, "sizes": [2, 4.0], "n_samples": 40,
        "n_features": 12, "predictor": "knn",
    },
}  # fmt: skip


def finish_parts(plan, study, experiment, names=None):
    """Make parts of an experiment in the working directory, with their benchmarks, as jobs do."""
    spec = plan.sources(study).experiments[experiment]
    code = {"code": step_code("experiment_part"), "used": experiment_code(spec["experiment"]["module"])}
    for name in names or spec["parts"]:
        given = {"name": spec["experiment"]["module"], "part": spec["parts"][name], "seed": spec["seed"]}
        tables, benchmark = part_files(study, experiment, name)
        experiment_part_job(PartJob(**given, tables=tables))
        benchmark.parent.mkdir(parents=True, exist_ok=True)
        measured = {"s": 3.5, "max_rss": 100.25, "cpu_time": 2.5, "date": "2026-01-09T00:00:00+00:00"}
        benchmark.write_text(json.dumps(measured | {"params": given | code, "environment": environment()}))


def part_files(study, experiment, name):
    """Folder and benchmark of a part."""
    part = f"{experiment}/{name}"
    return Path("results", study, "experiment_parts", part), Path(f"results/{study}/benchmarks/parts/{part}.json")
