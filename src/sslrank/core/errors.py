"""Errors shown to the user as one message."""

from contextlib import contextmanager


class DataError(ValueError):
    """A data file, a source of data or an argument is invalid.

    Parameters
    ----------
    problem : str
        What is wrong, and what was expected.
    file : path-like, optional
        File of the problem.
    line : int, optional
        Line of the file, from 1.
    column : str or int, optional
        Column of the table: its number (from 1), and its name if known.
    advice : str, optional
        What to do.

    Examples
    --------
    >>> str(DataError("expected a number", file="data.csv", line=3, column="2 ('a')", advice="Correct the value"))
    "data.csv, line 3, column 2 ('a'): expected a number. Correct the value"
    """

    def __init__(self, problem, *, file=None, line=None, column=None, advice=None):
        super().__init__(problem)
        self.problem, self.file, self.line, self.column, self.advice = problem, file, line, column, advice

    def __str__(self):
        parts = {"": self.file, "line ": self.line, "column ": self.column}
        where = ", ".join(f"{word}{value}" for word, value in parts.items() if value is not None)
        message = f"{where}: {self.problem}" if where else self.problem
        if not self.advice:
            return message
        return f"{message}{'' if message.endswith(('.', '?')) else '.'} {self.advice}"


@contextmanager
def errors_in(file=None, column=None):
    """Name the file and the column in each :class:`DataError` of a block that does not name them.

    Parameters
    ----------
    file : path-like, optional
    column : str, optional

    Raises
    ------
    DataError
        That of the block, with the file and the column.

    Examples
    --------
    >>> with errors_in("data.csv", "'age'"):
    ...     raise DataError("expected a number")
    Traceback (most recent call last):
        ...
    sslrank.core.errors.DataError: data.csv, column 'age': expected a number
    """
    try:
        yield
    except DataError as error:
        error.file, error.column = error.file or file, error.column or column
        raise


class NoDataError(DataError):
    """An input is missing because an earlier job failed, whose message this is.

    Examples
    --------
    >>> isinstance(NoDataError("dataset 'iris' is not available"), DataError)
    True
    """
