"""Ratios to one method's values, for quantities that depend on the machine."""

import pandas as pd


def add_ratios(compared, key, reference):
    """Add to a comparison, for every cell, its ratio to the cell of a reference method on the same dataset.

    `key` is the column of the methods. The quantity of a ratio is ``"<quantity> / <reference>"``; the reference has
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
