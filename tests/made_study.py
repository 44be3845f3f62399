"""A study of made-up scores, for tests of its tables."""

import pandas as pd

from sslrank.benchmark.files import SCORE_COLUMNS
from sslrank.benchmark.results.study import StudyData

STATUS = ["dataset", "task", "method", "L", "mode", "fold", "status", "seconds", "message", "details"]


def made_study(scores, status=(), *, methods, modes=("ssl",), datasets=None, comparison=None, **config):
    """A study from rows of scores, rows of fits, and what its configuration has beyond the usual."""
    usual = {"evaluator": "knn", "measure": None, "k": None, "spacing": "linear", "families": {}}
    config |= {"methods": list(methods), "modes": list(modes), "comparison": usual | (comparison or {})}
    frames = pd.DataFrame(scores, columns=SCORE_COLUMNS), pd.DataFrame(status, columns=STATUS)
    return StudyData("s", config, pd.DataFrame() if datasets is None else datasets, *frames)
