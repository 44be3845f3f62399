"""Collect the stability of each ranking of a study over the folds, and its best features."""

import pyarrow as pa
import pyarrow.parquet as pq

from sslrank.benchmark.archive.record import PARTS, STORED
from sslrank.benchmark.files import stacked
from sslrank.benchmark.steps.collect import read_results

#: Columns that identify a ranking over all folds.
KEYS = ["dataset", "task", "method", "ranking", "mode", "L"]
STABILITY_COLUMNS = [*KEYS, *(name for name in PARTS["stability"] if name not in KEYS)]
FEATURES = pa.schema(
    [(key, pa.string()) for key in KEYS] + [STORED.field(name) for name in PARTS["feature"] if name not in KEYS]
)


def stability_job(*, gathered, archived, pairs, stability, features):
    """Write the stability of each ranking over the folds as CSV, and its best features as Parquet.

    The arguments are those of :func:`sslrank.benchmark.steps.collect.collect_job`.
    """
    results = read_results(pairs, gathered, archived)
    summaries = [(pair, record.parts) for pair, record in results if record is not None]
    write_stability(summaries, stability, features)


def write_stability(summaries, stability, features):
    """Write the parts "stability" and "feature" of records with their pairs (dataset, task, method)."""
    rows = {
        part: [parts[part].assign(**{key: pair[key] for key in KEYS[:3]}) for pair, parts in summaries]
        for part in ("stability", "feature")
    }
    stacked(rows["stability"], STABILITY_COLUMNS).to_csv(stability, index=False, float_format="%.5g")
    table = pa.Table.from_pandas(stacked(rows["feature"], FEATURES.names), schema=FEATURES, preserve_index=False)
    pq.write_table(table.replace_schema_metadata(None), features, compression="zstd")
