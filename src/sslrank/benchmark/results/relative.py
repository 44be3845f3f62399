"""Values relative to one method's, for quantities that depend on the machine."""

import pandas as pd


def add_ratios(compared, key, reference):
    """Add, for every cell, its ratio to the cell of a reference method on the same dataset.

    Parameters
    ----------
    compared : DataFrame
        From :func:`sslrank.benchmark.results.published_values.compare`.
    key : str
        The column of the methods.
    reference : str

    Returns
    -------
    DataFrame
        `compared`, then the ratios, with ``"<quantity> / <reference>"`` as their quantity. The reference has
        none, nor has a cell whose reference is missing.
    """
    base = compared.loc[compared[key] == reference, ["source", "dataset", "quantity", "published", "reproduced"]]
    ratios = compared[compared[key] != reference].merge(
        base, on=["source", "dataset", "quantity"], suffixes=("", "_of_reference")
    )
    for name in ("published", "reproduced"):
        ratios[name] = ratios[name] / ratios[f"{name}_of_reference"]
    ratios["difference"] = ratios["reproduced"] - ratios["published"]
    ratios["quantity"] += f" / {reference}"
    ratios["spread"] = float("nan")
    ratios = ratios[compared.columns].dropna(axis=1, how="all")
    return pd.concat([compared, ratios], ignore_index=True)[compared.columns]
