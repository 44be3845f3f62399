"""The two tables of a ranking job: the rankings of a method on a dataset, and the status of its fits."""

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

#: Columns of the rankings for one L. A failed fit has no rows here; the status table has the reason.
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
#: Columns of the file, which has the rankings for every L.
FILE_SCHEMA = pa.schema([("L", pa.string()), *SCHEMA])


def write_rankings(rankings, status, rankings_path, status_path, made_from=""):
    """Write the two tables of a ranking job; the file of rankings records what they were computed from."""
    table = pa.Table.from_pandas(rankings, schema=FILE_SCHEMA, preserve_index=False)
    pq.write_table(table.replace_schema_metadata({"made_from": made_from}), rankings_path, compression="zstd")
    status = status[["L", *STATUS_COLUMNS]].assign(seconds=status["seconds"].round(4))
    status.to_csv(status_path, index=False)


def write_no_data(budgets, modes, problem, rankings_path, status_path):
    """Write the tables of an unavailable dataset: no ranking, and one row "no data" per L and mode."""
    constants = {"fold": 0, "status": "no data", "seconds": 0.0, "message": problem, "details": "{}"}
    rows = [{"L": budget, "mode": mode} | constants for budget in budgets for mode in modes]
    empty = pd.DataFrame({name: [] for name in FILE_SCHEMA.names})
    write_rankings(empty, pd.DataFrame(rows), rankings_path, status_path)
