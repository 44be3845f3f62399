"""Random seeds that depend on names instead of on the order of computation."""

import hashlib

import numpy as np

from sslrank.core.messages import quoted


def derive_seed(seed, *axes):
    """Derive a 32-bit seed from names.

    Parameters
    ----------
    seed : int
        The study's seed.
    *axes : str or int
        Names of the stream, such as ``"folds", dataset, repetition``. Different tuples give unrelated seeds; without
        the method among the axes, all methods get the same splits.

    Returns
    -------
    int
        In [0, 2**32).

    Examples
    --------
    >>> derive_seed(1, "folds", "iris", 0), derive_seed(1, "folds", "iris", 1)
    (335483206, 429857310)
    """
    key = "\x1f".join([str(int(seed)), *map(str, axes)])
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:4], "little")


def resolve_seed(random_state):
    """Turn scikit-learn's `random_state` into an integer seed.

    Parameters
    ----------
    random_state : None, int >= 0, RandomState or Generator
        None draws a seed from the operating system.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If `random_state` is none of these, or negative.

    Examples
    --------
    >>> resolve_seed(7)
    7
    """
    if random_state is None:
        return int(np.random.SeedSequence().generate_state(1)[0])
    if isinstance(random_state, int | np.integer) and random_state >= 0:
        return int(random_state)
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(0, 2**31 - 1))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(0, 2**31 - 1))
    expected = "None, an int >= 0, a RandomState or a Generator"
    raise ValueError(f"random_state must be {expected}, got {quoted(random_state)}")
