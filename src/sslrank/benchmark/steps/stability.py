"""Measure the stability of each ranking of a study over the folds, and list its best features."""

import pyarrow as pa
import pyarrow.parquet as pq

from sslrank.benchmark.archive.ranking_summaries import summarize_rankings
from sslrank.benchmark.archive.record import PARTS, STORED
from sslrank.benchmark.archive.store import read_listed
from sslrank.benchmark.files import read_parquet, stacked

#: Columns that identify a ranking over all folds.
KEYS = ["dataset", "task", "method", "ranking", "mode", "L"]
STABILITY_COLUMNS = [*KEYS, *(name for name in PARTS["stability"] if name not in KEYS)]
FEATURES = pa.schema(
    [(key, pa.string()) for key in KEYS] + [STORED.field(name) for name in PARTS["feature"] if name not in KEYS]
)


def stability_job(stability, features, *, pairs):
    """Write the stability of each ranking over the folds as CSV, and its best features as Parquet.

    `pairs` are those of :func:`sslrank.benchmark.steps.collect.collect_job`. The columns are :data:`STABILITY_COLUMNS`
    and :data:`FEATURES`.
    """
    rows = {"stability": [], "feature": []}
    for pair in (pair for pair in pairs if "missing" not in pair):
        keys = {key: pair[key] for key in ("dataset", "task", "method")}
        if "archive" in pair:
            parts = read_listed(pair["archive"], pair["method"]).parts
        else:
            parts = summarize_rankings(read_parquet(pair["rankings"]))
        for part, tables in rows.items():
            tables.append(parts[part].assign(**keys))
    stacked(rows["stability"], STABILITY_COLUMNS).to_csv(stability, index=False, float_format="%.5g")
    table = pa.Table.from_pandas(stacked(rows["feature"], FEATURES.names), schema=FEATURES, preserve_index=False)
    pq.write_table(table.replace_schema_metadata(None), features, compression="zstd")
