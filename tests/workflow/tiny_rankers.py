"""Rankers that do not work out, for the tests of the workflow."""

import time

import numpy as np

from sslrank.core.base import BaseRanker
from sslrank.core.tasks import TASKS


class Broken(BaseRanker):
    """Fails on half of the folds."""

    tasks = frozenset(TASKS)

    def __init__(self, n_features_to_select=None, categorical_features=None, n_jobs=None, random_state=None):
        self.n_features_to_select = n_features_to_select
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.random_state = random_state

    def rank_coded(self, features, targets):
        raise RuntimeError("this ranker is broken on purpose")


class OnlyRegression(Broken):
    """Supports no task of the tiny study."""

    tasks = frozenset({"regression"})


class Hungry(OnlyRegression):
    """Needs a lot of memory for a few seconds."""

    tasks = frozenset({"classification"})

    def rank_coded(self, features, targets):
        filling = np.ones(80_000_000)
        time.sleep(3)
        return filling[: features.values.shape[1]]
