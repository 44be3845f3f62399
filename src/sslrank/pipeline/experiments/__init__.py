"""Experiments of a publication that need no dataset and no ranking method, e.g. on synthetic data.

An experiment is a module with a function ``experiment(*, seed, n_jobs, **params)`` that gives tables by name. List the
module in :data:`EXPERIMENTS`, give it a name under `experiments` of a study, and show its tables with the table
function `experiment_table`.
"""

import importlib

#: Modules of this package.
EXPERIMENTS = ("noise",)


def experiment_module(name):
    """Dotted name of an experiment's module; the name is one of :data:`EXPERIMENTS`."""
    return f"{__name__}.{name}"


def load_experiment(name):
    """The function of an experiment."""
    return importlib.import_module(experiment_module(name)).experiment
