"""Estimate how far the clustering hypothesis holds in a dataset."""

import json
from pathlib import Path

from sslrank.benchmark.files import write_problem
from sslrank.core.errors import NoDataError
from sslrank.datasets.dataset import Dataset
from sslrank.evaluation import clustering_hypothesis as evaluation


def clustering_hypothesis(job, log):
    """Run a job of the rule `clustering_hypothesis`."""
    hypothesis_job(Path(job.input.table).parent, job.output[0])


def hypothesis_job(directory, output):
    """Estimate how far the clustering hypothesis holds in a prepared dataset.

    The JSON has ``ch`` of variances and ``ch_deviation`` of standard deviations; see
    :func:`sslrank.evaluation.clustering_hypothesis.clustering_hypothesis`.
    """
    try:
        data = Dataset.load(directory)
    except NoDataError as error:
        write_problem(output, str(error))
        return
    kind = {"task": data.task, "hierarchy": data.hierarchy}
    found = {
        name: round(evaluation.clustering_hypothesis(data.X, data.y, of=of, random_state=0, **kind), 6)
        for name, of in (("ch", "variance"), ("ch_deviation", "deviation"))
    }
    Path(output).write_text(json.dumps(found) + "\n", encoding="utf-8")
