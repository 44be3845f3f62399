"""Experiments of a publication that do not rank a study's datasets, such as on synthetic data.

An experiment is a module with three functions. ``parts(**params)`` returns the parameters of its parts by name; each
part is a job. ``experiment(*, seed, n_jobs, **part)`` computes a part: tables of numbers, texts and booleans by name
(not "job", without dots). ``join`` makes the tables of the experiment from the concatenated tables of the parts.

List the module in :data:`EXPERIMENTS`, give it a name under `experiments` of a study, and show its tables with the
table function `experiment_table`. A table "curves" is drawn as error curves.
"""

import importlib

#: Modules of this package, with the rankers and evaluators on whose behaviour their results depend.
EXPERIMENTS = {
    "constraint_sets": ("sc4", "constraint_score", "cls", "csfs", "lsdf", "laplacian_score", "multilabel"),
    "growth": ("genie3", "relief"),
    "induction_times": ("genie3", "relief", "ssl_laplacian"),
    "inverse_rankings": ("information_gain", "relieff", "svm_rfe", "permutation_importance", "genie3"),
    "neighbor_ties": ("knn",),
    "noise": ("eca",),
    "predictors": ("genie3", "relief", "random_ranking", "knn", "top_features_auc"),
    "prototype_growth": ("s_cls",),
    "tree_examples": ("genie3",),
    "useless_columns": (
        *("scikit_forest", "genie3", "relief", "l1", "f_score", "distilled", "laplacian_score"),
        "random_ranking",
    ),
}
#: Experiments that measure time, which an audit cannot recompute.
TIMED = ("growth", "induction_times", "prototype_growth")


def experiment_module(name):
    """Return the dotted name of the module of an experiment in :data:`EXPERIMENTS`."""
    return f"{__name__}.{name}"


def load_experiment(name):
    """Import the module of an experiment."""
    return importlib.import_module(experiment_module(name))
