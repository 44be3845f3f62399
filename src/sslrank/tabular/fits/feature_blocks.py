"""User-defined blocks of features."""

from collections.abc import Collection, Mapping

import numpy as np

from sslrank.core.errors import DataError
from sslrank.core.messages import suggestion


def check_blocks(blocks):
    """Raise DataError unless blocks are None or a dict of sequences of features."""
    if blocks is None:
        return
    given = blocks.values() if isinstance(blocks, Mapping) else [None]
    if any(isinstance(members, str) or not isinstance(members, Collection) for members in given):
        raise DataError("blocks must be a dict of lists of features by the name of the block")
    if empty := [block for block, members in blocks.items() if not len(members)]:
        raise DataError(f"block {empty[0]!r} has no features")


def numbered_blocks(blocks, names, dropped=()):
    """Number features so that the features of a block have the same number.

    Parameters
    ----------
    blocks : dict of str to sequence of str, or None
        Of the form that :func:`check_blocks` checks.
    names : list of str
        Features.
    dropped : dict of str to str
        Columns that are no features, with the reason.

    Returns
    -------
    ndarray of shape (D,), int, or None
        None without blocks.

    Raises
    ------
    DataError
        If a block has an unknown or dropped feature, a block has the name of a feature that is not in it, or two blocks
        share a feature.

    Examples
    --------
    >>> numbered_blocks({"size": ["width", "height"]}, ["age", "width", "height"])
    array([0, 1, 1])
    """
    if not blocks:
        return None
    index_of, numbers, block_of = {name: j for j, name in enumerate(names)}, np.arange(len(names)), {}
    for block, members in blocks.items():
        if str(block) in index_of and str(block) not in map(str, members):
            raise DataError(f"block {block!r} has the name of a feature that is not in it", advice="Rename the block")
        for name in map(str, members):
            if name in dropped:
                raise DataError(f"block {block!r}: {name!r} is left out ({dropped[name]}), so it cannot be in a block")
            if name not in index_of:
                raise DataError(f"block {block!r}: the table has no feature {name!r}; {suggestion(name, names, None)}")
            if block_of.setdefault(name, block) != block:
                raise DataError(f"feature {name!r} is in the blocks {block_of[name]!r} and {block!r}; it can be in one")
        numbers[[index_of[str(name)] for name in members]] = index_of[str(members[0])]
    return numbers
