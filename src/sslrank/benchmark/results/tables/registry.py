"""Declaration of tables."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class TableInfo:
    """A kind of table.

    Attributes
    ----------
    make : callable
        ``make(study, **options) -> DataFrame``.
    title : str
    keys : tuple of str
        Columns that identify a row.
    values : tuple of str
        Columns to compare with published ones.
    contest : bool
        Whether the table has one score per dataset and ranking, so that orders, ranks and tests are compared too: see
        :mod:`sslrank.benchmark.results.published`.

    Examples
    --------
    >>> TableInfo(lambda study: study.datasets, "Datasets", keys=("dataset",), values=("rows",)).title
    'Datasets'
    """

    make: Callable
    title: str
    keys: tuple
    values: tuple
    contest: bool = False


def table(title, /, keys, values, contest=False):
    """Declare a function as a table, by its attribute ``table``.

    Parameters
    ----------
    title, keys, values, contest
        See :class:`TableInfo`.

    Returns
    -------
    callable
        The decorator.

    Examples
    --------
    >>> @table("Numbers of fits", keys=["dataset"], values=["fits"])
    ... def count_fits(study):
    ...     return study.status.groupby("dataset").size().rename("fits").reset_index()
    >>> count_fits.table.title
    'Numbers of fits'
    """

    def describe(function):
        function.table = TableInfo(function, title, tuple(keys), tuple(values), contest)
        return function

    return describe
