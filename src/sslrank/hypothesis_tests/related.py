"""Which features are related to the target, at a false discovery rate, and in which order."""

from dataclasses import dataclass

import numpy as np

from sslrank.core.messages import counted
from sslrank.core.random_state import derive_seed
from sslrank.hypothesis_tests.combining import cauchy, q_values
from sslrank.hypothesis_tests.design import INDEPENDENT
from sslrank.hypothesis_tests.marginal import MIN_EFFECTIVE_ROWS, N_PERMUTATIONS, MarginalTests
from sslrank.hypothesis_tests.residuals import residual_targets

#: False discovery rate at which features are called related.
FDR = 0.1
#: Level of the test that no feature is related (smallest family-wise error rate).
ALPHA = 0.05
#: Maximum q of the features in the model on whose residuals the others are tested, half of :data:`FDR`; and maximum
#: number of such rounds.
MAX_Q_IN_MODEL, _ROUNDS = 0.05, 3
#: Weights of the test of a feature alone and of that against residuals. They affect the power, not the level
#: (tests/measurements/README.md).
_WEIGHTS = np.array([[1.0], [0.1]])
#: The same weights for censored, adjusted and positive-only targets.
_RESIDUAL_WEIGHTS = np.array([[1.0], [1.0]])


@dataclass(frozen=True)
class Related:
    """Tests of each feature.

    Attributes
    ----------
    parts : dict of str to ndarray of shape (D,)
        P-values: "alone", and "residuals" (given the last model without the feature; NaN if there is none).
    p_values, q_values : ndarray of shape (D,)
        Combined p-values (Cauchy); q of Benjamini and Hochberg, or the family-wise error rate if it is smaller. Neither
        is below 1 / arrangements of the rows, which is what permutations of a single column support.
    adjusted : ndarray of shape (D,)
        Family-wise error rate of the marginal tests, if this feature and those before it are claimed.
    tested : ndarray of shape (D,), bool
        False for features that change too slowly in time.
    n_rows : int
        Number of labelled rows in the tests.
    within : str
        Units that permutations keep together; empty if rows are independent.
    exchanged : str
        What permutations exchange, in a sentence.
    global_p : float or None
        :attr:`p_value` by several features together, and so that a feature has a small q-value, too; only of residuals.
    guessed_p : float or None
        :attr:`p_value` if the guess about the rows is right; None without a guess.
    smallest_effect : tuple of (str, float), optional
        Measure and size, see :func:`sslrank.hypothesis_tests.smallest_effect.smallest_effect`; None if
        rows are not independent, or no feature is a number.
    n_effective : int
        Number of independent labels, equally weighted and without gaps, of the same power.
    independent : float
        Share of the rows that are independent: each of equal rows counts once; NaN for groups and times.
    given : list of ndarray of int
        Features in the model of the test of each feature against residuals.
    by_ends : ndarray of shape (D,), bool
        Whether the strongest relation of the feature alone is that of its distance from the middle rank.
    n_permutations : int
        Number of permutations of the marginal tests.
    """

    parts: dict
    p_values: np.ndarray
    q_values: np.ndarray
    adjusted: np.ndarray
    tested: np.ndarray
    n_rows: int = 0
    within: str = ""
    exchanged: str = ""
    global_p: float | None = None
    guessed_p: float | None = None
    smallest_effect: tuple | None = None
    n_effective: int = 0
    independent: float = 1.0
    given: list = ()
    by_ends: np.ndarray | None = None
    n_permutations: int = 0

    @property
    def p_value(self):
        """That no feature is related: :attr:`global_p`, or the smallest family-wise error rate."""
        return float(self.adjusted.min(initial=1.0)) if self.global_p is None else self.global_p

    @property
    def any_related(self):
        """True if at least one feature is shown to be related."""
        return self.p_value <= ALPHA

    @property
    def related(self):
        """Features at a false discovery rate of :data:`FDR`; none unless :attr:`any_related`."""
        return np.flatnonzero(self.q_values <= FDR) if self.any_related else np.empty(0, dtype=np.intp)

    def describe(self):
        """Describe the result in one line."""
        if not self.tested.any():
            return f"more than chance: {self.untested}"
        slow = f"; {self.untested}" if self.untested else ""
        p = f"p = {self.p_value:.2g}"
        if not self.any_related:
            return f"more than chance: no, these rows show no related feature ({p}){slow}"
        counts = counted(len(self.related), "related feature")
        return f"more than chance: yes ({p}); {counts} at a false discovery rate of {FDR:.0%}{slow}"

    @property
    def untested(self):
        """What is not tested and why; empty if all features are."""
        n = int((~self.tested).sum())
        if not n:
            return ""
        which = "all features" if self.tested.sum() == 0 else counted(n, "feature")
        return f"not tested: {which}, autocorrelated rows are worth fewer than {MIN_EFFECTIVE_ROWS} independent ones"

    def describe_smallest(self):
        """Describe the smallest effect that these labels can show, in one line; empty if it is not known."""
        if self.smallest_effect is None:
            return ""
        measure, value = self.smallest_effect
        n = f"{self.n_rows} labels are"
        if self.n_effective < self.n_rows:
            n = f"{self.n_rows} labels, worth {self.n_effective} by their weights and gaps, are"
        return f"smallest effect of a number: {n} enough to detect {measure} {value:.2f} with a power of 80%"


def combined(parts, weights=_WEIGHTS):
    """Combine the p-values of each feature; NaN means no test."""
    p_values = np.array([parts["alone"], parts["residuals"]])
    return cauchy(np.nan_to_num(p_values, nan=0.5), weights * ~np.isnan(p_values))


def find_related(features, targets, *, design=INDEPENDENT, count=N_PERMUTATIONS, seed=0, sample_weight=None):
    """Test each feature alone, and against residuals of the target given related features.

    Parameters
    ----------
    features : sslrank.core.features.Features
        Labelled rows, dense.
    targets : sslrank.core.targets.Targets
    design : sslrank.hypothesis_tests.design.Design
    count : int
        Maximum number of permutations.
    seed : int
    sample_weight : ndarray of shape (n,), optional

    Returns
    -------
    Related
    """
    D, weights = features.shape[1], _WEIGHTS if targets.null is None else _RESIDUAL_WEIGHTS
    tests = MarginalTests(
        features, targets, design, seed=derive_seed(seed, "alone"), sample_weight=sample_weight, count=count
    )
    alone = tests()
    parts, before = {"alone": alone.p_values, "residuals": np.full(D, np.nan)}, frozenset()
    models = [np.empty(0, dtype=np.intp)] * D
    for _ in range(_ROUNDS):
        p_values = combined(parts, weights)
        related = np.flatnonzero(q_values(p_values) <= MAX_Q_IN_MODEL)
        related = related[np.argsort(p_values[related], kind="stable")]
        if not len(related) or frozenset(related) <= before or len(related) == D:
            break
        before = frozenset(related)
        residuals = residual_targets(features, targets, tests, related, sample_weight)
        others = ~np.isin(np.arange(D), related)
        parts["residuals"][others] = tests(*residuals).p_values[others]
        models = [related if is_other else model for is_other, model in zip(others, models, strict=True)]
    p_values = combined(parts, weights)
    p_values[~tests.tested] = 1.0
    q = np.minimum(q_values(p_values), alone.adjusted)
    global_p = None if targets.null is None else max(alone.p_value, ALPHA / FDR * float(q.min(initial=1.0)))
    p_values, q = (np.maximum(values, tests.smallest_p) for values in (p_values, q))
    return Related(
        parts, p_values, q, alone.adjusted, tests.tested, within=design.reason, exchanged=tests.permutations.sentence,
        global_p=global_p, given=models, by_ends=alone.by_ends, n_permutations=tests.count,
    )  # fmt: skip
