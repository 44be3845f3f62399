"""``sslrank diff``: what changed between two rankings."""

from html import escape

import numpy as np
import pandas as pd

from sslrank.core.errors import DataError
from sslrank.core.messages import counted, listed
from sslrank.tabular.command.options import print_now
from sslrank.tabular.output.difference import CHANGED, differences
from sslrank.tabular.output.files import TABLES, check_output, write, write_table
from sslrank.tabular.output.recipe import read_fields
from sslrank.tabular.output.terminal import MAX_FEATURES, error_rate


def run(arguments):
    """Read two rankings, print their differences and write them."""
    if arguments.out:
        check_output(arguments.out, (*TABLES, ".html"))
    paths = arguments.before, arguments.after
    rankings = [read_fields(path) for path in paths]
    targets = [(fields["table"]["target"]["columns"], fields["table"]["target"]["stated_task"]) for fields in rankings]
    if targets[0] != targets[1]:
        words = " and ".join(f"{listed(columns)} ({task})" for columns, task in targets)
        raise DataError(f"{paths[0]} and {paths[1]} have different targets: {words}")
    table = differences(*rankings)
    if not table[["rank_before", "rank_after"]].notna().all(axis=1).any():
        raise DataError(f"no feature is in both {paths[0]} and {paths[1]}")
    print_now(*lines(table, rankings, paths))
    if arguments.out and arguments.out.endswith(".html"):
        write(arguments.out, page(table, rankings, paths))
    elif arguments.out:
        write_table(arguments.out, table.reset_index())
        print_now(f"wrote {arguments.out}")


def page(table, rankings, paths):
    """Make a page of the differences: what :func:`lines` says, and all features with those that changed first."""
    from sslrank.plotting import pages

    order = np.lexsort([table["p"].fillna(2), table["change"] == ""])
    names = ["change", "effect_measure", "effect_before", "effect_after", "difference", "low", "high", "p"]
    names += ["rank_before", "rank_after", "q_before", "q_after"]
    frame = table.iloc[order][names].rename_axis("feature").reset_index()
    heads = {"low": "95 % interval, low", "high": "high", "p": "p (Holm)"}
    items = "".join(f"<li>{escape(line)}</li>" for line in lines(table, rankings, paths, with_table=False))
    body = f"<header><h1>What changed from {escape(paths[0])} to {escape(paths[1])}</h1></header><ul>{items}</ul>"
    return pages.document(f"{paths[0]} and {paths[1]}", body + pages.table(frame, "all features", heads=heads))


def lines(table, rankings, paths, with_table=True):
    """Describe the differences, a line each; parameters as in ``run``."""
    for path, fields in zip(paths, rankings, strict=True):
        of = fields["table"]
        yield f"{path}: {of['path'] or 'table'}, {fields['date']}, {of['n_labeled']} labelled of {of['n_rows']} rows"
    if rankings[0]["table"]["sha256"] and rankings[0]["table"]["sha256"] == rankings[1]["table"]["sha256"]:
        yield "note: both are of the same file; the intervals are for tables that share no rows"
    changed, n_compared = table[table["change"] != ""], int(table["p"].notna().sum())
    count = f"the effect{'s' * (len(changed) > 1)} of {len(changed)}" if len(changed) else "no effect"
    yield f"Of {counted(n_compared, 'feature')} compared, {count} changed (error rate {CHANGED:.0%} for all together)."
    rows = (changed if len(changed) else table[table["p"].notna()]).sort_values("p", kind="stable").head(MAX_FEATURES)
    if len(rows) and with_table:
        difference, low, high = (rows[name].map("{:+.2f}".format) for name in ("difference", "low", "high"))
        effects = rows[["effect_measure", "effect_before", "effect_after"]].itertuples(index=False)
        columns = {
            "feature": rows.index,
            "rank": [f"{a:.0f} -> {b:.0f}" for a, b in rows[["rank_before", "rank_after"]].to_numpy()],
            "effect": [f"{m} {a:.2f} -> {b:.2f}" for m, a, b in effects],
            "difference": difference,
            "95% interval": low + " to " + high,
            "q": [f"{error_rate(a)} -> {error_rate(b)}" for a, b in rows[["q_before", "q_after"]].to_numpy()],
            "change": rows["change"],
        }
        text = pd.DataFrame(columns).to_string(index=False)
        yield from ["", *(line.rstrip() for line in text.splitlines()), ""]
    one, two = (set(fields["tests"]["related"]) for fields in rankings)
    index = table.index[table["rank_before"].notna() & table["rank_after"].notna()]
    same = index[table.loc[index, "change"] == ""]
    kinds = table.loc[index, ["kind_before", "kind_after"]].itertuples()
    names = {
        f"features of {paths[0]} only": table.index[table["rank_after"].isna()],
        f"features of {paths[1]} only": table.index[table["rank_before"].isna()],
        "of another kind": [f"{name} ({was} -> {now})" for name, was, now in kinds if was != now],
        "not compared, as an effect has no interval or another measure or class": index[table.loc[index, "p"].isna()],
        f"related to the target in {paths[1]} only, perhaps by chance": [name for name in same if name in two - one],
        f"related to the target in {paths[0]} only, perhaps by chance": [name for name in same if name in one - two],
    }
    yield from (f"{words}: {listed(found)}" for words, found in names.items() if len(found))
    failures = [{check["code"]: check for check in fields["checks"] if check["passed"] is False} for fields in rankings]
    for code in sorted(failures[0].keys() ^ failures[1].keys()):
        path, check = (paths[1], failures[1][code]) if code in failures[1] else (paths[0], failures[0][code])
        yield f"{code} {check['title']}, in {path} only: {check['finding']}"
