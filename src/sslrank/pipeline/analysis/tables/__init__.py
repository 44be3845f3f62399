"""The tables of a study, one small function each.

A table is a function of a :class:`sslrank.pipeline.analysis.study.StudyData` and options that gives a tidy
DataFrame. Write it in a module of this package, decorate it with :func:`table`, import the module below,
and name it under `tables` of a study in config.yaml. When the study's publication has the same table, the
names of its CSV files under `published` make the workflow compare the two: cells match on the key columns.
"""

from sslrank.pipeline.analysis.tables import (
    areas,
    classifiers,
    data,
    errors,
    pairs,
    ranks,
    scores,
    tests,
    times,
)
from sslrank.pipeline.analysis.tables.registry import TABLES, table, table_info

__all__ = [
    "TABLES",
    "areas",
    "classifiers",
    "data",
    "errors",
    "pairs",
    "ranks",
    "scores",
    "table",
    "table_info",
    "tests",
    "times",
]
