"""Match published and reproduced values, and measure their agreement."""

from pathlib import Path

import numpy as np
import pandas as pd
import yaml
from scipy import stats


def read_names(path):
    """Read published names by column: ``{"ranking": {"Random Forest": "random_forest"}, ...}``."""
    path = Path(path)
    return yaml.safe_load(path.read_text(encoding="utf-8")) if path.is_file() else {}


def _plain(name):
    return "".join(c for c in str(name).lower() if c.isalnum())


def to_our_names(values, mapping, known):
    """Translate published names by a mapping, or else to a known name, ignoring case and punctuation.

    A name without a counterpart is unchanged.
    """
    loose = {_plain(name): name for name in known}
    strict = {str(key): value for key, value in mapping.items()}
    return [strict.get(str(value), loose.get(_plain(value), str(value))) for value in values]


def match_published(ours, files, keys, values, *, names=None, datasets=None):
    """Match the cells of published CSV files with those of a reproduced table with these keys and values.

    Key columns that a file lacks are ignored. `names` come from :func:`read_names`; `datasets` has our name by
    published name. All published cells are listed; missing reproduced values are empty.
    """
    names = dict(names or {})
    names["dataset"] = {**names.get("dataset", {}), **(datasets or {})}
    parts = []
    for file in files:
        table = pd.read_csv(file, dtype=dict.fromkeys(keys, str))
        shared = [key for key in keys if key in table.columns]
        for key in shared:
            table[key] = to_our_names(table[key], names.get(key, {}), ours[key].astype(str).unique())
        reproduced = ours.copy()
        for key in shared:
            reproduced[key] = reproduced[key].astype(str)
        reproduced = reproduced.drop_duplicates(shared)
        for value in (name for name in values if name in table.columns):
            columns = [*shared, *(name for name in (value, "spread") if name in reproduced.columns)]
            if value not in reproduced.columns:
                continue
            both = table[[*shared, value]].rename(columns={value: "published"})
            both = both.merge(reproduced[columns].rename(columns={value: "reproduced"}), on=shared, how="left")
            parts.append(both.assign(source=Path(file).stem, quantity=value))
    columns = ["source", *keys, "quantity", "published", "reproduced", "difference", "spread"]
    if not parts:
        return pd.DataFrame(columns=columns)
    both = pd.concat(parts, ignore_index=True).dropna(subset="published")
    both["difference"] = both["reproduced"] - both["published"]
    return both.reindex(columns=columns)


def agreement(compared):
    """Measure the agreement of a comparison, per variant of the table, task, measure and quantity.

    published and reproduced are numbers of cells, rank_correlation is Spearman's, same_sign a share (for differences),
    within_two_errors the share among cells with a spread.
    """
    groups = [name for name in ("variant", "task", "measure", "quantity") if name in compared.columns]
    numbers, rows = ["published", "reproduced", "difference", "spread"], []
    for key, part in compared.groupby(groups, sort=False, dropna=False):
        both = part[numbers].to_numpy(dtype=float)
        published, reproduced, difference, spread = both[~np.isnan(both[:, 1])].T
        row = dict(zip(groups, key, strict=True)) | {"published": len(part), "reproduced": len(published)}
        if len(published):
            row["mean_absolute_difference"] = np.abs(difference).mean()
            if row["quantity"] == "delta":
                row["same_sign"] = (np.sign(published) == np.sign(reproduced)).mean()
        if len(published) > 2 and np.ptp(published) and np.ptp(reproduced):
            row["rank_correlation"] = stats.spearmanr(published, reproduced).statistic
        if (known := ~np.isnan(spread)).any():
            row["within_two_errors"] = (np.abs(difference) <= 2 * spread)[known].mean()
        rows.append(row)
    columns = ["mean_absolute_difference", "rank_correlation", "same_sign", "within_two_errors"]
    return pd.DataFrame(rows).reindex(columns=[*groups, "published", "reproduced", *columns])
