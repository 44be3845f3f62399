"""Files of a prepared dataset, as the jobs of the workflow get them."""

from pathlib import Path


def prepared_files(folder):
    """The arguments `table` and `header` of a job."""
    return {"table": Path(folder, "table.parquet"), "header": Path(folder, "header.json")}
