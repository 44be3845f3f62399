"""Compare a study's tables with the published ones."""

from pathlib import Path

import pandas as pd

from sslrank.benchmark.files import read_table
from sslrank.benchmark.report.figures import published_figures
from sslrank.benchmark.results.published import agreement, match_published, orders, ranks_and_tests, read_names
from sslrank.benchmark.results.study import complete
from sslrank.benchmark.results.tables import table_info
from sslrank.benchmark.steps import Job


class CompareJob(Job):
    """Compare the tables in the folder `made` with the published ones: the arguments of :func:`compare_tables`.

    The folder `figures` gets a figure of each table in `compared`.
    """

    made: Path
    spelling: Path | list
    blocks: dict
    datasets: dict
    compared: Path
    figures: Path


def compare_published_job(job: CompareJob):
    """Compare the tables with the published ones, and draw them."""
    compare_tables(job.made, job.compared, blocks=job.blocks, spelling=job.spelling, datasets=job.datasets)
    published_figures(job.compared, job.figures, job.blocks)


def compare_tables(tables, folder, *, blocks, spelling, datasets, contests=True):
    """Compare the tables in the folder `tables` with the published ones.

    `folder` gets, for each table, published and reproduced cells (``<table>.csv``) and their agreement
    (``<table>.agreement.csv``); for a contest also ``<table>.orders.csv``, ``.ranks.csv``, ``.tests.csv`` and
    ``.pairs.csv`` of :mod:`sslrank.benchmark.results.published`. `blocks` has for each table: function, title and
    "published" (files of the publication). `spelling` is the publication's ``names.yaml``, or an empty list; `datasets`
    has our name by published name. Without `contests`, which take longest, only the first two are made.
    """
    folder.mkdir(parents=True, exist_ok=True)
    spelling = read_names(spelling) if spelling else {}
    dataset_names = {*datasets.values(), *spelling.get("dataset", {}).values()}
    for name, block in blocks.items():
        info = table_info(block["function"])
        ours = read_table(Path(tables) / f"{name}.csv")
        if "missing" in ours:  # a mean over some of the folds is not a reproduction
            ours = complete(ours)
        if "control" in ours:  # a publication has none
            ours = ours[~ours["control"].astype(bool)]
        compared = _match_variants(ours, block["published"], info, names=spelling, datasets=datasets)
        compared.to_csv(folder / f"{name}.csv", index=False, float_format="%.6g")
        summary = agreement(compared)
        summary = summary if len(summary) else pd.DataFrame(columns=summary.columns)
        summary.to_csv(folder / f"{name}.agreement.csv", index=False, float_format="%.4g")
        if info.contest and contests:
            _contest(compared, dataset_names, folder / name)


def _match_variants(ours, published, info, **spelling):
    if "variant" not in ours.columns or ours.empty:  # empty where a filter left out the methods that the table is about
        return match_published(ours, published, info.keys, info.values, **spelling)
    parts = {
        name: match_published(part, published, info.keys, info.values, **spelling)
        for name, part in ours.groupby("variant", sort=False)
    }
    return pd.concat(parts, names=["variant"]).reset_index("variant").reset_index(drop=True)


def _contest(compared, datasets, stem):
    # Publications name either the rankings or the methods.
    key = "ranking" if compared["ranking"].notna().any() else "method"
    variants = compared.groupby("variant", sort=False) if "variant" in compared else [(None, compared)]
    by_variant = {name: (orders(part, key, datasets), *ranks_and_tests(part, key, datasets)) for name, part in variants}
    for number, kind in enumerate(("orders", "ranks", "tests", "pairs")):
        of_kind = {name: tables[number] for name, tables in by_variant.items()}
        table = of_kind[None] if None in of_kind else pd.concat(of_kind, names=["variant"]).reset_index("variant")
        table.to_csv(stem.with_name(f"{stem.name}.{kind}.csv"), index=False, float_format="%.4g")
