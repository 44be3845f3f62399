"""Import the modules and read the sources that workflow runs need, once, for tests/forked_children.py."""

import importlib

from sslrank.benchmark.plan import fingerprints

STEPS = fingerprints.source_root() / "benchmark/steps"
for name in (
    *(f"sslrank.benchmark.steps.{path.stem}" for path in STEPS.glob("[a-z]*.py")),
    "snakemake.cli",
    "snakemake.script",
    "sslrank.benchmark.fits",
    "sslrank.benchmark.plan.plan",
    "sslrank.benchmark.report.figures",
    "sslrank.benchmark.report.page",
    "sslrank.benchmark.scoring",
    "sslrank.evaluation.evaluators.knn",
):
    importlib.import_module(name)
for path in fingerprints.source_root().rglob("*.py"):
    fingerprints._read(path)  # kept by the time and size of the file
