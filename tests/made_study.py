"""A study of made-up scores, for tests of its tables."""

import itertools

import pandas as pd

from sslrank.benchmark.files import SCORE_COLUMNS
from sslrank.benchmark.results.study import StudyData

STATUS = ["dataset", "task", "method", "L", "mode", "fold", "status", "seconds", "message", "details"]


def made_study(scores, status=(), *, methods, modes=("ssl",), datasets=None, comparison=None, **config):
    """A study from rows of scores, rows of fits, and what its configuration has beyond the usual."""
    usual = {"evaluator": "knn", "measure": None, "k": None, "spacing": "linear", "families": {}}
    config |= {"methods": list(methods), "modes": list(modes), "comparison": usual | (comparison or {})}
    frames = pd.DataFrame(scores, columns=SCORE_COLUMNS), pd.DataFrame(status, columns=STATUS)
    return StudyData(config, pd.DataFrame() if datasets is None else datasets, *frames)


def study_of(value, tasks, rankings, *, L, folds, controls=(), sizes=(20,), n_test=None, seconds=None, **config):
    """A study in which `value(dataset, method, mode, L, fold, k)` is the score, None that of a failed fit.

    `tasks` has kind of target and measure by dataset, `rankings` names by method; `n_test` is by fold, 10 if not given.
    """
    rows, status = [], []
    for dataset, method, mode, budget, fold in itertools.product(tasks, rankings, ("ssl", "sl"), L, range(folds)):
        task, measure = tasks[dataset]
        scores = [(k, value(dataset, method, mode, int(budget), fold, k)) for k in sizes]
        key = ("s", dataset, task, method, rankings[method], mode, budget, fold, "knn", measure)
        there = [(*key, *score, (n_test or {}).get(fold, 10), int(budget)) for score in scores if score[1] is not None]
        outcome = "ok" if there else "failed"
        status.append((dataset, task, method, budget, mode, fold, outcome, (seconds or {}).get(method, 1.0), "", "{}"))
        rows += there
    config |= {"splits": {"L": list(L)}, "controls": list(controls), "modes": ("ssl", "sl")}
    facts = pd.DataFrame({"dataset": list(tasks), "examples": 10 * folds})
    methods = [name for name in rankings if name not in controls]
    return made_study(rows, status, methods=methods, datasets=facts, **config)
