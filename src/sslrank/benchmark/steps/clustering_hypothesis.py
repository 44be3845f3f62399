"""Estimate how well the clustering hypothesis holds in a dataset."""

import json
from pathlib import Path

from sslrank.benchmark.files import write_problem
from sslrank.benchmark.steps import DatasetJob
from sslrank.core.errors import NoDataError
from sslrank.datasets.dataset import Dataset
from sslrank.evaluation import clustering_hypothesis as evaluation


class HypothesisJob(DatasetJob):
    """Estimate how well the clustering hypothesis holds in a prepared dataset.

    The JSON file `hypothesis` has ``ch`` (with variances) and ``ch_deviation`` (with standard deviations); see
    :func:`sslrank.evaluation.clustering_hypothesis.clustering_hypothesis`.
    """

    hypothesis: Path


def clustering_hypothesis_job(job: HypothesisJob):
    """Write the estimates, or why the dataset has none."""
    try:
        dataset = Dataset.load(job.data)
    except NoDataError as error:
        write_problem(job.hypothesis, str(error))
        return
    kind = {"task": dataset.task, "hierarchy": dataset.hierarchy}
    table = {
        name: round(evaluation.clustering_hypothesis(dataset.X, dataset.y, of=of, random_state=0, **kind), 6)
        for name, of in (("ch", "variance"), ("ch_deviation", "deviation"))
    }
    job.hypothesis.write_text(json.dumps(table) + "\n", encoding="utf-8")
