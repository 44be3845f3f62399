"""Experiments of a publication that need no dataset and no ranking method, e.g. on synthetic data.

An experiment is a module with three functions. ``parts(**params)`` names its parts, which are jobs of their own, and
gives the parameters of each. ``experiment(*, seed, n_jobs, **part)`` computes one of them: tables by name, but none
"job", of numbers, texts and truth values. ``join`` makes the tables of the experiment from those, the parts' tables one
below the other. ``enough(found, parts)`` says whether it can do so without some parts, where only the archive is asked;
without this function it takes all.

List the module in :data:`EXPERIMENTS`, give it a name under `experiments` of a study, and show its tables with the
table function `experiment_table`.
"""

import importlib

#: Modules of this package.
EXPERIMENTS = ("noise",)


def experiment_module(name):
    """Dotted name of an experiment's module; the name is one of :data:`EXPERIMENTS`."""
    return f"{__name__}.{name}"


def load_experiment(name):
    """The module of an experiment."""
    return importlib.import_module(experiment_module(name))
