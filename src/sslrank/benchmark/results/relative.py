"""Ratios to the values of one method, for quantities that depend on the machine."""

import pandas as pd


def add_ratios(compared, key, reference):
    """Add to a comparison the ratio of each cell to that of a reference method on the same dataset.

    `key` is the column of the methods. The quantity of a ratio is ``"<quantity> / <reference>"``; there is none for the
    reference, or for cells without a reference.
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
