"""check_ranker finds each kind of fault and names it."""

import numpy as np
import pytest

from sslrank import BaseRanker, get_ranker
from sslrank.core.base import WeightedRanker
from sslrank.testing import CHECKS, check_ranker


class Good(BaseRanker):
    tasks = frozenset({"classification"})
    supervised: bool = False

    def rank_coded(self, features, targets):
        return np.nan_to_num(np.nanstd(features.values, axis=0))


class NoKinds(Good):
    tasks = frozenset()


class OddKind(Good):
    tasks = frozenset({"classes"})


class Forgets(Good):
    def __init__(self, power=1.0):
        super().__init__()
        self.strength = power


class Short(Good):
    def rank_coded(self, features, targets):
        return super().rank_coded(features, targets)[1:]


class Changes(Good):
    def fit(self, X, y=None):
        super().fit(X, y)
        X[0] = 0.0
        return self


class Random(Good):
    def rank_coded(self, features, targets):
        return np.random.default_rng().random(features.shape[1])


class Remembers(Good):
    power: float | None = None

    def rank_coded(self, features, targets):
        self.power = 2.0
        return super().rank_coded(features, targets)


class ByThreads(Good):
    def rank_coded(self, features, targets):
        return super().rank_coded(features, targets) * (self.n_jobs or 1)


class ByName(Good):
    def rank_coded(self, features, targets):
        return super().rank_coded(features, targets) + hasattr(self, "feature_names_in_")


class Looks(Good):
    def encode(self, X, y):
        self.rows_ = np.ascontiguousarray(X)
        return super().encode(X, y)

    def rank_coded(self, features, targets):
        return self.rows_.std(axis=0)


class NeedsNumbers(Good):
    def rank_coded(self, features, targets):
        if np.isnan(features.values).any():
            raise KeyError("a gap")
        return super().rank_coded(features, targets)


class Undefined(Good):
    def rank_coded(self, features, targets):
        return 0.0 * features.values.std(axis=0) / features.values.std(axis=0)


class IgnoresWeights(WeightedRanker):
    tasks = frozenset({"classification"})

    def rank_coded(self, features, targets, sample_weight=None):
        return np.nan_to_num(np.nanstd(features.values, axis=0))


class ByPlace(Good):
    def rank_coded(self, features, targets):
        return super().rank_coded(features, targets) * np.arange(features.shape[1])


class ByFirstRow(Good):
    def rank_coded(self, features, targets):
        return np.nan_to_num(features.values[0])


class AnyKind(Good):
    def _check_task(self, targets):
        pass


BAD = {
    NoKinds: ("class", "tasks to be a set"),
    OddKind: ("class", "'classes'"),
    Forgets: ("params", "Write parameters as annotated"),
    Short: ("fit", "expected 7 importances"),
    Changes: ("fit", "X and y as they were"),
    Random: ("seed", "same importances for the same random_state"),
    Remembers: ("seed", r"\['power'\] changed"),
    ByThreads: ("seed", "by one thread and by two"),
    ByName: ("frame", "for a data frame"),
    Looks: ("unlabeled", "supervised=True promises"),
    NeedsNumbers: ("gaps", "missing values, got KeyError"),
    Undefined: ("gaps", "finite importances for missing values"),
    IgnoresWeights: ("weights", "weights to change the importances"),
    ByPlace: ("order", "move with their columns"),
    ByFirstRow: ("order", "whatever the order of the rows"),
    AnyKind: ("unsupported", "does not support"),
}


def test_every_check_finds_its_fault():
    assert {check for check, _ in BAD.values()} == set(CHECKS)


@pytest.mark.parametrize("kind", BAD, ids=lambda kind: kind.__name__)
@pytest.mark.filterwarnings("ignore")
def test_bad_ranker_is_reported(kind):
    check, words = BAD[kind]
    with pytest.raises(AssertionError, match=f"(?s){kind.__name__}, check '{check}'.*{words}"):
        check_ranker(kind)


def test_good_rankers_pass_as_class_and_as_instance():
    check_ranker(Good)
    check_ranker(get_ranker("f_score"))


def test_checks_can_be_skipped():
    check_ranker(ByPlace(), skip=["order"])
    with pytest.raises(ValueError, match="there is no check 'colums'"):
        check_ranker(ByPlace(), skip=["colums"])


def test_uncreatable_class_raises_its_own_error():
    with pytest.raises(TypeError, match="rank_coded"):
        check_ranker(type("Empty", (BaseRanker,), {"tasks": frozenset({"none"})}))
