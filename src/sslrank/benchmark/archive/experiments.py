"""Records of experiments that need no dataset: join the tables of the parts, and split them again."""

from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from sslrank.benchmark.archive.record import Record, provenance_groups
from sslrank.benchmark.files import read_parquet

#: Table with a row for each part: s, max_rss and cpu_time of its job, and its end. The name is reserved.
JOB = "job"


@dataclass(frozen=True)
class Part:
    """A finished part of an experiment.

    `params` are its parameters, `provenance` the environment (:func:`sslrank.benchmark.environment.environment`),
    `code` the hash of its code, `date` its end, `tables` its results by name, and `job` has s, max_rss and cpu_time.
    """

    params: dict
    provenance: dict
    code: str
    date: str
    tables: dict
    job: dict


def read_tables(folder):
    """Read the tables in the folder of a part, by name."""
    return {path.stem: read_parquet(path) for path in sorted(Path(folder).glob("*.parquet"))}


def job_name(part):
    """Name the job of a part as in the code hashes of a record's provenance."""
    return f"part {part}"


def record_of(spec, parts):
    """Build the record of some parts, given by name; `spec` has study, experiment (name, module) and seed."""
    parts = dict(sorted(parts.items()))
    by_part = {}
    for name, part in parts.items():
        for table, frame in (part.tables | {JOB: pd.DataFrame([part.job | {"date": part.date}])}).items():
            by_part.setdefault(table, []).append(frame.assign(part=name))
    tables = {table: pd.concat(by_part[table], ignore_index=True) for table in sorted(by_part)}
    provenance = provenance_groups(
        {job_name(name): (part.provenance, part.code, part.date) for name, part in parts.items()}
    )
    return Record(spec | {"parts": {name: part.params for name, part in parts.items()}}, provenance, {}, tables)


def parts_of(record):
    """Split a record into its :class:`Part` objects by name."""
    tables = {name: {} for name in record.spec["parts"]}
    for table, frame in record.parts.items():
        for name, rows in frame.groupby("part", sort=False):
            tables[name][table] = rows.drop(columns="part").reset_index(drop=True)
    parts = {}
    for group in record.provenance:
        provenance = {key: value for key, value in group.items() if key not in ("code", "date")}
        for name in record.spec["parts"]:
            if job_name(name) in group["code"]:
                (job,) = tables[name].pop(JOB).to_dict("records")
                date, code = job.pop("date"), group["code"][job_name(name)]
                parts[name] = Part(record.spec["parts"][name], provenance, code, date, tables[name], job)
    return parts
