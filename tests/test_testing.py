"""check_ranker finds each kind of fault and names it."""

import numpy as np
import pytest

from sslrank import BaseRanker, get_ranker
from sslrank.core.base import WeightedRanker
from sslrank.testing import CHECKS, check_ranker


class Good(BaseRanker):
    tasks = frozenset({"classification"})
    supervised: bool = False

    def importances(self, features):
        return np.nan_to_num(np.nanstd(features.values, axis=0))

    def rank_coded(self, features, targets):
        return self.importances(features)


class Forgets(Good):
    def __init__(self, power=1.0):
        super().__init__()
        self.strength = power


class Changes(Good):
    def fit(self, X, y=None):
        super().fit(X, y)
        X[0] = 0.0
        return self


class Remembers(Good):
    power: float | None = None

    def rank_coded(self, features, targets):
        self.power = 2.0
        return super().rank_coded(features, targets)


class Looks(Good):
    def encode(self, X, y):
        self.rows_ = np.ascontiguousarray(X)
        return super().encode(X, y)

    def importances(self, features):
        return self.rows_.std(axis=0)


class NeedsNumbers(Good):
    def importances(self, features):
        if np.isnan(features.values).any():
            raise KeyError("a gap")
        return super().importances(features)


class IgnoresWeights(WeightedRanker):
    tasks = frozenset({"classification"})

    def rank_coded(self, features, targets, sample_weight=None):
        return Good.importances(self, features)


def bad(importances=Good.importances, **members):
    """Make a ranker that differs from the good one in its importances or in other members."""
    return type("Bad", (Good,), {"importances": importances, **members})


RIGHT = Good().importances
ByPosition = bad(lambda self, features: RIGHT(features) * np.arange(features.shape[1]))
#: The check that finds each, and words of its message.
BAD = [
    (bad(tasks=frozenset()), "class", "tasks to be a set"),
    (bad(tasks=frozenset({"classes"})), "class", "'classes'"),
    (Forgets, "params", "Write parameters as annotated"),
    (bad(lambda self, features: RIGHT(features)[1:]), "fit", "expected 7 importances"),
    (Changes, "fit", "X and y as they were"),
    (bad(lambda self, X: np.random.default_rng().random(X.shape[1])), "seed", "same importances for the same random"),
    (Remembers, "seed", r"\['power'\] changed"),
    (bad(lambda self, features: RIGHT(features) * (self.n_jobs or 1)), "seed", "by one thread and by two"),
    (bad(lambda self, X: RIGHT(X) + hasattr(self, "feature_names_in_")), "frame", "for a data frame"),
    (Looks, "unlabeled", "supervised=True promises"),
    (NeedsNumbers, "gaps", "missing values, got KeyError"),
    (bad(lambda self, X: 0.0 * X.values.std(0) / X.values.std(0)), "gaps", "finite importances for missing values"),
    (IgnoresWeights, "weights", "weights to change the importances"),
    (ByPosition, "order", "move with their columns"),
    (bad(lambda self, features: np.nan_to_num(features.values[0])), "order", "whatever the order of the rows"),
    (bad(_check_task=lambda self, targets: None), "unsupported", "does not support"),
]


def test_every_check_finds_its_fault():
    assert {check for _, check, _ in BAD} == set(CHECKS)


@pytest.mark.parametrize(("kind", "check", "words"), BAD)
@pytest.mark.filterwarnings("ignore")
def test_bad_ranker_is_reported(kind, check, words):
    with pytest.raises(AssertionError, match=f"(?s){kind.__name__}, check '{check}'.*{words}"):
        check_ranker(kind)


def test_good_rankers_pass_as_class_and_as_instance():
    check_ranker(Good)
    check_ranker(get_ranker("f_score"))


def test_checks_can_be_skipped():
    check_ranker(ByPosition(), skip=["order"])
    with pytest.raises(ValueError, match="there is no check 'colums'"):
        check_ranker(ByPosition(), skip=["colums"])


def test_uncreatable_class_raises_its_own_error():
    with pytest.raises(TypeError, match="rank_coded"):
        check_ranker(type("Empty", (BaseRanker,), {"tasks": frozenset({"none"})}))
