"""Experiment: how ECA reacts to noise in a ranking (paper eca, section 4)."""

import pandas as pd

from sslrank.core.random_state import derive_seed

#: Noisy rankings of a part, which takes some minutes.
RANKINGS = 10


def parts(names=("combined",), thetas=None, n_rankings=100, **options):
    """List the parts: for each synthetic dataset the ground truth, and ten rankings at a time for each amount of noise.

    `thetas` are the amounts of noise, by default the paper's, with `n_rankings` noisy rankings each; `options` are
    those of :func:`sslrank.evaluation.noise.noise_curves`.
    """
    if thetas is None:
        from sslrank.evaluation.noise import THETAS as thetas  # not needed by a plan that gives them
    params = {}
    for name in names:
        params[f"{name}-truth"] = {"name": name, "theta": None} | options
        for theta in thetas:
            for first in range(0, n_rankings, RANKINGS):
                block = {"first": first, "n_rankings": min(RANKINGS, n_rankings - first)}
                params[f"{name}-{theta:g}-{first}"] = {"name": name, "theta": theta} | block | options
    return params


def experiment(name, theta, *, seed=0, n_jobs=1, **options):
    """Compute mean "curves" of rankings with one amount of noise, and their "distances" to the ground truth."""
    from sslrank.evaluation.noise import noise_curves

    if isinstance(options.get("sizes"), list):
        options["sizes"] = tuple(options["sizes"])  # YAML has no tuples
    curves, distance = noise_curves(name, theta, random_state=derive_seed(seed, name), n_jobs=n_jobs, **options)
    constants = {"data": name, "n_rankings": 1 if theta is None else options["n_rankings"]}
    distances = pd.DataFrame({"ranking": curves["ranking"].unique(), "distance": distance, **constants})
    return {"curves": curves.assign(**constants), "distances": distances}


def join(tables):
    """Return the "summary" (Table 3 of the paper) and "curves" (Fig. 2), each with the column data."""
    from sslrank.evaluation.noise import TRUTH, noise_summary

    all_curves = _mean_of_parts(tables["curves"], "value")
    all_distances = _mean_of_parts(tables["distances"], "distance")
    summaries = []
    for name, curves in all_curves.groupby("data", sort=False):
        distances = all_distances.query("data == @name").set_index("ranking")["distance"].drop(TRUTH)
        summaries.append(noise_summary(curves, distances.to_dict()).assign(data=name))
    return {"summary": pd.concat(summaries, ignore_index=True), "curves": all_curves}


def _mean_of_parts(table, column):
    """Replace the rows of all parts by one with the mean over all rankings."""
    keys = [name for name in table if name not in (column, "n_rankings")]
    weighted = table.assign(**{column: table[column] * table["n_rankings"]})
    sums = weighted.groupby(keys, sort=False, as_index=False)[[column, "n_rankings"]].sum()
    return sums.assign(**{column: sums[column] / sums["n_rankings"]})
