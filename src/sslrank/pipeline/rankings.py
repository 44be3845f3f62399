"""The two tables of a ranking job: rankings and their status."""

import pyarrow as pa
import pyarrow.parquet as pq

#: Columns of a rankings table. A failed job writes it without rows, and says why in the status table.
SCHEMA = pa.schema(
    [
        ("mode", pa.string()),
        ("fold", pa.int32()),
        ("ranking", pa.string()),
        ("feature", pa.string()),
        ("importance", pa.float64()),
    ]
)
STATUS_COLUMNS = ["mode", "fold", "status", "seconds", "message", "details"]


def write_rankings(rankings, status, rankings_path, status_path):
    """Write the two tables of a ranking job."""
    table = pa.Table.from_pandas(rankings, schema=SCHEMA, preserve_index=False)
    pq.write_table(table.replace_schema_metadata(None), rankings_path, compression="zstd")
    status = status[STATUS_COLUMNS].assign(seconds=status["seconds"].round(4))
    status.to_csv(status_path, index=False)
