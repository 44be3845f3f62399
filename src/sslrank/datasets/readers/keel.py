"""KEEL .dat: ARFF with ranges of numbers, ``@inputs`` and ``@outputs``."""

from sslrank.datasets.readers import arff


def read(path, encoding="utf-8"):
    r"""Read a KEEL file; the declared ranges of numbers are ignored, as published files have wrong ones.

    Parameters
    ----------
    path : path-like
    encoding : str

    Returns
    -------
    sslrank.datasets.readers.table.ParsedTable

    Raises
    ------
    DataError
        If the file is not as declared.

    Examples
    --------
    >>> from pathlib import Path
    >>> lines = ["@relation r", "@attribute a real [0, 9]", "@attribute c {u, v}", "@inputs a", "@outputs c", "@data"]
    >>> _ = Path("r.dat").write_text("\n".join([*lines, "1.5, u", "2.5, v"]))
    >>> read("r.dat").frame["a"].tolist(), read("r.dat").targets
    ([1.5, 2.5], ('c',))
    """
    return arff.read(path, encoding, missing=("<null>",))
