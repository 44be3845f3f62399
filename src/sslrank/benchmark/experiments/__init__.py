"""Experiments of a publication that are not rankings of a study's splits, e.g. on synthetic data.

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
    "constraint_sets",
    "growth",
    "induction_times",
    "known_truth",
    "noise",
    "noise_readings",
    "prototype_growth",
    "scls_variants",
    "stopping_rule",
    "tree_examples",
)
#: Experiments that measure time, which `verify` cannot recompute.
TIMED = ("growth", "induction_times", "prototype_growth", "scls_variants")
#: Experiments whose tables, where only the archive is asked, can be made of some of their parts: parameters of which
#: all combinations that parts have are needed. Here, as the hash of a part's code is that of its module.
ENOUGH = {"noise": ("name", "theta")}


def experiment_module(name):
    """Dotted name of an experiment's module; the name is one of :data:`EXPERIMENTS`."""
    return f"{__name__}.{name}"


def are_enough(name, found, parts):
    """Tell if the `found` parts of an experiment suffice for its tables; `parts` has the parameters of all."""
    if name not in ENOUGH:
        return set(found) == set(parts)
    needed = {part: tuple(params[key] for key in ENOUGH[name]) for part, params in parts.items()}
    return {needed[part] for part in found} == set(needed.values())


def load_experiment(name):
    """The module of an experiment."""
    return importlib.import_module(experiment_module(name))
