"""svmlight (libsvm): a label and the values that are not 0, as in ``1 3:0.5 7:2``."""

import io

import pandas as pd

from sslrank.core.errors import DataError
from sslrank.datasets.readers.source import check_table, read_bytes
from sslrank.datasets.readers.table import ParsedTable


def read(path):
    r"""Read an svmlight file.

    Its target is the column ``target``; features are named x1, x2, ... by their index, from x0 if an index is 0.

    Parameters
    ----------
    path : path-like

    Returns
    -------
    sslrank.datasets.readers.table.ParsedTable

    Raises
    ------
    DataError
        If the file is malformed or its table too large.

    Examples
    --------
    >>> from pathlib import Path
    >>> size = Path("data.svm").write_text("1 1:0.5 3:2\n-1 2:1\n")
    >>> read("data.svm").frame.to_dict("list")
    {'x1': [0.5, 0.0], 'x2': [0.0, 1.0], 'x3': [2.0, 0.0], 'target': [1.0, -1.0]}
    """
    from sklearn.datasets import load_svmlight_file

    content = read_bytes(path)
    try:
        X, y = load_svmlight_file(io.BytesIO(content), zero_based=True)
    except ValueError as error:
        expected = "lines such as '1 3:0.5 7:2': a number, then index:value with increasing indices"
        raise DataError(f"expected {expected}; {error}") from None
    first = int(X.shape[1] > 1 and X[:, [0]].nnz == 0)  # without an index 0 they begin with 1
    check_table(X.shape[0], X.shape[1] + 1)
    frame = pd.DataFrame(X[:, first:].toarray(), columns=[f"x{j}" for j in range(first, X.shape[1])])
    notes = ["qid of the rows is left out"] if b" qid:" in content else []
    return ParsedTable(frame.assign(target=y), targets=("target",), notes=notes)
