"""KEEL .dat: ARFF with ranges of numbers, ``@inputs`` and ``@outputs``."""

from sslrank.datasets.readers import arff


def read(path, encoding="utf-8", member=None):
    """Read a KEEL file. The declared ranges of numbers are not used: published files have wrong ones.

    Parameters
    ----------
    path : path-like
    encoding : str
    member : str, optional
        File wanted out of a zip archive.

    Returns
    -------
    sslrank.datasets.readers.table.Table

    Raises
    ------
    DataError
        If the file is not as declared.
    """
    return arff.read(path, encoding, member, missing=("<null>",))
