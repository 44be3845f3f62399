"""How ECA reacts to noise in a ranking (paper eca, section 4)."""

import pandas as pd

from sslrank.evaluation.noise import noise_experiment
from sslrank.seeds import derive_seed


def experiment(names=("combined",), *, seed=0, n_jobs=1, **options):
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
