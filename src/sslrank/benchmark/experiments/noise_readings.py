"""Readings of noise in a ranking, which paper eca, section 4.2, leaves open, against Table 3."""

import pandas as pd

from sslrank.core.random_state import derive_seed


def parts(values=None, thetas=None, **options):
    """One part for each reading of "random relevance values"; default: all, with the paper's amounts of noise `thetas`.

    `options` are those of :func:`sslrank.evaluation.noise.noise_readings`.
    """
    if values is None or thetas is None:
        from sslrank.evaluation.noise import THETAS
        from sslrank.evaluation.synthetic import NOISE_VALUES

        values, thetas = values or tuple(NOISE_VALUES), thetas or THETAS
    return {name: {"values": name, "thetas": list(thetas)} | options for name in values}


def experiment(values, thetas, *, seed=0, n_jobs=1, **options):
    """ECA of the ground truth against noisy rankings, by one reading: the table "scores"."""
    from sslrank.evaluation.noise import noise_readings

    if isinstance(options.get("sizes"), list):
        options["sizes"] = tuple(options["sizes"])  # YAML has no tuples
    options |= {"n_jobs": n_jobs, "random_state": derive_seed(seed, options.get("name", "combined"))}
    return {"scores": noise_readings(values, thetas=thetas, **options).assign(values=values)}


def join(tables):
    """The "summary" by data (which values, which average and whether ECA is halved), weighting and theta."""
    scores = tables["scores"].assign(theta=tables["scores"]["theta"].map("{:g}".format))
    found = []
    for average in ("curves", "scores"):
        for words, factor in (("halved", 1.0), ("not halved", 2.0)):
            part = scores[scores["average"].isin(["", average])]
            halved = part["weighting"].ne("dist")
            value = part["value"].where(~halved, part["value"] * factor)
            data = part["values"] + f", mean of {average}, {words}"
            found.append(part.assign(data=data, value=value)[["data", "weighting", "theta", "value"]])
    found += [_correlations(part) for part in found]
    return {"summary": pd.concat(found, ignore_index=True)}


def _correlations(part):
    """Correlation of each weighting's ECA with the distance over the amounts of noise, by reading."""
    rows = []
    for data, of_reading in part.groupby("data", sort=False):
        by_theta = of_reading.pivot(index="theta", columns="weighting", values="value")
        for weighting in by_theta.columns.drop("dist"):
            rows.append((data, weighting, "correlation", by_theta["dist"].corr(by_theta[weighting])))
    return pd.DataFrame(rows, columns=["data", "weighting", "theta", "value"])
