"""How ECA reacts to noise in a ranking (paper eca, section 4)."""

import pandas as pd

from sslrank.seeds import derive_seed


def parts(names=("combined",), thetas=None, **options):
    """One part for each synthetic dataset and amount of noise, and one for its ground truth.

    Parameters
    ----------
    names : sequence of str
        Synthetic datasets.
    thetas : sequence of float, optional
        Amounts of noise; default: the paper's.
    **options
        Of :func:`sslrank.evaluation.noise.noise_curves`.

    Returns
    -------
    dict of str to dict
        Parameters of :func:`experiment` by the name of the part.
    """
    if thetas is None:
        from sslrank.evaluation.noise import THETAS as thetas  # not needed by a plan that gives them
    return {
        f"{name}-{'truth' if theta is None else format(theta, 'g')}": {"name": name, "theta": theta} | options
        for name in names
        for theta in (None, *thetas)
    }


def experiment(name, theta, *, seed=0, n_jobs=1, **options):
    """Curves of one amount of noise.

    Parameters
    ----------
    name, theta, **options
        See :func:`parts`.
    seed, n_jobs : int

    Returns
    -------
    dict of str to DataFrame
        "curves", with a column data, and "distances": data, ranking, distance.
    """
    from sslrank.evaluation.noise import noise_curves

    if isinstance(options.get("sizes"), list):
        options["sizes"] = tuple(options["sizes"])  # YAML has no tuples
    curves, distance = noise_curves(name, theta, random_state=derive_seed(seed, name), n_jobs=n_jobs, **options)
    distances = pd.DataFrame({"data": name, "ranking": curves["ranking"].unique(), "distance": distance})
    return {"curves": curves.assign(data=name), "distances": distances}


def join(tables):
    """Tables of the experiment from those of its parts.

    Parameters
    ----------
    tables : dict of str to DataFrame
        Of :func:`experiment`, the parts one below the other.

    Returns
    -------
    dict of str to DataFrame
        "summary" (Table 3) and "curves" (Fig. 2), each with the column data.
    """
    from sslrank.evaluation.noise import TRUTH, noise_summary

    summaries = []
    for name, curves in tables["curves"].groupby("data", sort=False):
        distances = tables["distances"].query("data == @name").set_index("ranking")["distance"].drop(TRUTH)
        summaries.append(noise_summary(curves, distances.to_dict()).assign(data=name))
    return {"summary": pd.concat(summaries, ignore_index=True), "curves": tables["curves"]}
