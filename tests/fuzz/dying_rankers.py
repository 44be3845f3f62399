"""Rankers that hang, are killed or run out of memory, for the campaign of disturbed runs."""

import os
import resource
import signal
import time

import numpy as np

from sslrank.core.base import BaseRanker


class Hanging(BaseRanker):
    """Never returns."""

    tasks = frozenset({"classification"})

    def __init__(self, n_features_to_select=None, categorical_features=None, n_jobs=None, random_state=None):
        self.n_features_to_select = n_features_to_select
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.random_state = random_state

    def rank_coded(self, features, targets):
        time.sleep(86_400)


class Killed(Hanging):
    """Is killed, as by a system without memory."""

    def rank_coded(self, features, targets):
        os.kill(os.getpid(), signal.SIGKILL)


class Hungry(Hanging):
    """Asks for more memory than there is."""

    def rank_coded(self, features, targets):
        resource.setrlimit(resource.RLIMIT_AS, (1 << 33, 1 << 33))
        return np.ones(1 << 31)
