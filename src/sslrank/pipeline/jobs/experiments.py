"""Experiments of a publication that need no dataset and no ranking method, e.g. on synthetic data.

An experiment is a function of its parameters that gives tables by name. Register it in :data:`EXPERIMENTS`,
give it a name under `experiments` of a study in config.yaml, and show its tables with the table function
`experiment_table`.
"""

from pathlib import Path

import pandas as pd

from sslrank.evaluation.noise import noise_experiment
from sslrank.seeds import derive_seed


def noise(names=("combined",), *, seed=0, n_jobs=1, **options):
    """How ECA reacts to noise in a ranking (paper eca, section 4).

    Parameters
    ----------
    names : sequence of str
        Synthetic datasets.
    seed, n_jobs : int
    **options
        Of :func:`sslrank.evaluation.noise.noise_experiment`.

    Returns
    -------
    dict of str to DataFrame
        "summary" (Table 3) and "curves" (Fig. 2), each with the column data.
    """
    if isinstance(options.get("sizes"), list):
        options["sizes"] = tuple(options["sizes"])  # YAML has no tuples
    parts = {"summary": [], "curves": []}
    for name in names:
        found = noise_experiment(name, random_state=derive_seed(seed, name), n_jobs=n_jobs, **options)
        for part, table in zip(("curves", "summary"), found, strict=True):
            parts[part].append(table.assign(data=name))
    return {part: pd.concat(tables, ignore_index=True) for part, tables in parts.items()}


EXPERIMENTS = {"noise": noise}


def experiment_job(directory, *, block, seed, n_jobs=1):
    """Run an experiment and write one CSV per table into a folder.

    Parameters
    ----------
    directory : path-like
    block : dict
        "experiment" (a name of :data:`EXPERIMENTS`) and "params".
    seed : int
        The study's seed.
    n_jobs : int
    """
    folder = Path(directory)
    folder.mkdir(parents=True, exist_ok=True)
    name = block["experiment"]
    tables = EXPERIMENTS[name](seed=derive_seed(seed, "experiment", name), n_jobs=n_jobs, **block["params"])
    for part, table in tables.items():
        table.to_csv(folder / f"{part}.csv", index=False)
