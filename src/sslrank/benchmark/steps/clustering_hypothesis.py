"""Estimate how well the clustering hypothesis holds in a dataset."""

import json

from sslrank.benchmark.files import write_problem
from sslrank.core.errors import NoDataError
from sslrank.datasets.dataset import Dataset
from sslrank.evaluation import clustering_hypothesis as evaluation


def clustering_hypothesis_job(*, data, hypothesis):
    """Estimate how well the clustering hypothesis holds in a prepared dataset.

    The JSON file `hypothesis` has ``ch`` (with variances) and ``ch_deviation`` (with standard deviations); see
    :func:`sslrank.evaluation.clustering_hypothesis.clustering_hypothesis`.
    """
    try:
        dataset = Dataset.load(data)
    except NoDataError as error:
        write_problem(hypothesis, str(error))
        return
    kind = {"task": dataset.task, "hierarchy": dataset.hierarchy}
    table = {
        name: round(evaluation.clustering_hypothesis(dataset.X, dataset.y, of=of, random_state=0, **kind), 6)
        for name, of in (("ch", "variance"), ("ch_deviation", "deviation"))
    }
    hypothesis.write_text(json.dumps(table) + "\n", encoding="utf-8")
