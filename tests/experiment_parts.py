"""Finished parts of a tiny experiment, made without Snakemake."""

from pathlib import Path
from types import SimpleNamespace

from sslrank.benchmark.logs import log_to
from sslrank.benchmark.plan.fingerprints import experiment_code, step_code
from sslrank.benchmark.steps.experiment_part import experiment_part_job

#: Three parts of some milliseconds: single-truth, single-0.3-0 and single-0.3-10.
NOISE = {
    "experiment": "noise",
    "params": {
        "names": ["single"],
        "thetas": [0.3],
        "n_rankings": 11,
        "cv": 2,
        "sizes": [2, 4.0],
        "n_samples": 40,
        "n_features": 12,
        "predictor": "knn",
    },
}


def finish_parts(plan, study, experiment, names=None):
    """Make parts of an experiment in the working directory, with their logs and benchmarks, as jobs do."""
    found = plan.results(study).experiments[experiment]
    spec = found["spec"]
    code = {"code": step_code("experiment_part"), "used": experiment_code(spec["experiment"]["module"])}
    for name in names or found["parts"]:
        files = found["parts"][name]
        given = {"name": spec["experiment"]["module"], "part": spec["parts"][name], "seed": spec["seed"]}
        job = SimpleNamespace(rule="experiment_part", params=given | code, input=[], output=[files["tables"]])
        with log_to(files["log"], job):
            experiment_part_job(files["tables"], **given)
        Path(files["benchmark"]).parent.mkdir(parents=True, exist_ok=True)
        Path(files["benchmark"]).write_text("s\tmax_rss\tcpu_time\n3.5\t100.25\t2.5\n", encoding="utf-8")
