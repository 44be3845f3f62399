"""Seeds: from names, and from what scikit-learn calls a random state."""

import numpy as np
import pytest

from sslrank.core.random_state import derive_seed, resolve_seed


def test_seeds_depend_on_names_only():
    assert derive_seed(0, "folds", "digits", 3) == derive_seed(0, "folds", "digits", 3)
    different = {derive_seed(s, *axes) for s in (0, 1) for axes in (("a", "b"), ("ab",), ("a", "b", 0))}
    assert len(different) == 6
    assert all(0 <= seed < 2**32 for seed in different)


def test_resolve_seed_accepts_ints_and_generators():
    assert resolve_seed(7) == resolve_seed(np.int64(7)) == 7
    first, second = (resolve_seed(np.random.RandomState(1)) for _ in range(2))
    assert first == second
    assert resolve_seed(np.random.default_rng(1)) == resolve_seed(np.random.default_rng(1))
    assert isinstance(resolve_seed(None), int)
    with pytest.raises(ValueError, match="random_state"):
        resolve_seed("seven")
