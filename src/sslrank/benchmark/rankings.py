"""The two tables of a ranking job: rankings and their status."""

import pandas as pd
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


def write_no_data(modes, problem, rankings_path, status_path):
    """Write the tables of a dataset that is not there: no ranking, and one row "no data" per mode."""
    rows = [
        {"mode": mode, "fold": 0, "status": "no data", "seconds": 0.0, "message": problem, "details": "{}"}
        for mode in modes
    ]
    empty = pd.DataFrame({name: [] for name in SCHEMA.names})
    write_rankings(empty, pd.DataFrame(rows), rankings_path, status_path)
