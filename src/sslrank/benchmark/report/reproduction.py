"""Count how much of a publication is reproduced: values, signs and orders separately, each published value once."""

import pandas as pd

from sslrank.benchmark.results.tables import table_info

#: A value without a standard error is the same up to this, relative to values above 1.
CLOSE = 0.01
#: Shares for the words "yes" (at least this, by every reading) and "no" (at most this or the baseline, by any reading).
ALL, NONE = 0.95, 0.05
#: Tables that compare a control's result with the published values, and tables of facts about data.
NO_RESULTS = ("control_differences", "control_share", "dataset_statistics")


def main_tables(tables, cells):
    """Name the table that each published value is counted in: the one with the fewest variants, the first of these.

    `tables` are blocks of the study, `cells` comparisons, both by table. The table with the most values comes first.
    """
    owners = {}
    for name, table in cells.items():
        if not len(table) or tables[name]["function"] in NO_RESULTS:
            continue
        for source in table[["source", "quantity"]].drop_duplicates().itertuples(index=False, name=None):
            n_variants = _variants(table)
            if source not in owners or n_variants < owners[source][0]:
                owners[source] = (n_variants, name)
    names = dict.fromkeys(name for _, name in owners.values())
    return sorted(names, key=lambda name: -len(cells[name]) / _variants(cells[name]))


def _variants(table):
    return table["variant"].nunique() if "variant" in table else 1


def reproduction(tables, cells, agreements):
    """Count reproduced values, signs and winners, each with the share that is reached without a reproduction.

    `tables` and `cells` are those of :func:`main_tables`, `agreements` the summaries of the comparisons. The keys are
    what ("values", "signs" or "winners"), published (how many there are), compared (with a counterpart), low and
    high (how many of these are reproduced, by the study's reading with the fewest and the most), baseline (the share
    that is reached at random or by always giving the most frequent sign; None where there is none), word ("yes",
    "in part" or "no") and rule.
    """
    main = main_tables(tables, cells)
    values, signs, places = [], [], []
    for name in main:
        info = table_info(tables[name]["function"])
        readings = [part for _, part in cells[name].groupby("variant", sort=False)] if "variant" in cells[name] else []
        readings = readings or [cells[name]]
        if info.kind != "rank":
            values.append([_values(part) for part in readings])
        if info.kind == "difference":
            signs.append([_signs(part) for part in readings])
        table = agreements.get(name)
        if table is not None and len(table) and table.get("n_groups", pd.Series(dtype=float)).notna().any():
            table = table.dropna(subset="n_groups")
            parts = [part for _, part in table.groupby("variant", sort=False)] if "variant" in table else [table]
            places.append([_places(part) for part in parts])
    rules = {
        "values": "within two standard errors, or within 0.01 where there is no standard error",
        "signs": "differences on the published side of 0; baseline: always give the more frequent sign",
        "winners": "groups whose published best entry is the best here, too; baseline: draw an entry at random",
    }
    found = zip(rules, (values, signs, places), strict=True)
    rows = [_row(what, parts, rules[what]) for what, parts in found if parts]
    return [row for row in rows if row["published"]]


def _row(what, tables, rule):
    """Add up tables, over the reading with the fewest and that with the most reproduced values."""
    ends = [[pick(readings, key=lambda reading: reading["same"]) for readings in tables] for pick in (min, max)]
    low, high = (sum(reading["same"] for reading in end) for end in ends)
    compared = sum(reading["compared"] for reading in ends[1])
    chance = [reading["chance"] for reading in ends[1] if reading["chance"] is not None]
    return {
        "what": what,
        "published": int(sum(reading["published"] for reading in ends[1])),
        "compared": int(compared),
        "low": int(low),
        "high": int(high),
        "baseline": (baseline := float(sum(chance) / compared) if chance and compared else None),
        "word": _word(low, high, compared, baseline),
        "rule": rule,
    }


def _word(low, high, compared, baseline):
    """Say "yes", "no" or "in part" by :data:`ALL` and :data:`NONE`; None where nothing is compared."""
    if not compared:
        return None
    if low >= ALL * compared:
        return "yes"
    return "no" if high <= max(baseline or 0.0, NONE) * compared else "in part"


def _values(part):
    part = part[~part["quantity"].str.startswith("seconds")]  # they depend on the machine
    known = part.dropna(subset=["published", "reproduced"])
    gap = (known["reproduced"] - known["published"]).abs()
    spread = known["spread"] if "spread" in known else pd.Series(float("nan"), index=known.index)
    same = (gap <= 2 * spread) | (spread.isna() & (gap <= CLOSE * known["published"].abs().clip(lower=1)))
    return {"published": len(part), "compared": len(known), "same": int(same.sum()), "chance": None}


def _signs(part):
    known = part[part["published"] != 0].dropna(subset=["published", "reproduced"])
    is_positive = known["published"] > 0
    same = is_positive.eq(known["reproduced"] > 0) & (known["reproduced"] != 0)
    most = max(is_positive.sum(), (~is_positive).sum()) if len(known) else 0
    n_published = int((part["published"] != 0).sum())
    return {"published": n_published, "compared": len(known), "same": int(same.sum()), "chance": int(most)}


def _places(part):
    """Winners of an agreement's groups; a group has as many entries as there are cells for each group."""
    groups = part["n_groups"]
    entries = part["reproduced"] / groups.where(groups > 0)
    same = (part["same_winner"] * groups).sum()
    chance = (groups / entries).sum()
    n_published = (part["published"] / entries).sum()
    return {"published": round(n_published), "compared": groups.sum(), "same": round(same), "chance": chance}
