"""Experiments of a publication that do not rank a study's datasets, such as on synthetic data.

An experiment is a module with three functions. ``parts(**params)`` names its parts, which are jobs of their own, and
gives the parameters of each. ``experiment(*, seed, n_jobs, **part)`` computes one of them: tables by name,
which is not "job" and has no dot, of numbers, texts and truth values. ``join`` makes the tables of the experiment from
those, the parts' tables one below the other.

List the module in :data:`EXPERIMENTS`, give it a name under `experiments` of a study, and show its tables with the
table function `experiment_table`. A table "curves" is drawn as error curves; "lines" (columns panel, line, x, y,
xlabel, ylabel, log) as one small chart for each panel.
"""

import importlib

#: Modules of this package.
EXPERIMENTS = (
    *("constraint_sets", "growth", "induction_times", "noise", "predictors", "prototype_growth"),
    *("tree_examples", "useless_columns"),
)
#: Experiments that measure time, which `verify` cannot recompute.
TIMED = ("growth", "induction_times", "prototype_growth")


def experiment_module(name):
    """Dotted name of an experiment's module; the name is one of :data:`EXPERIMENTS`."""
    return f"{__name__}.{name}"


def load_experiment(name):
    """The module of an experiment."""
    return importlib.import_module(experiment_module(name))
