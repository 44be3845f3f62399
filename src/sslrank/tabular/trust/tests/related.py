"""Which features are related to the target, at a false discovery rate, and in which order."""

from dataclasses import dataclass

import numpy as np

from sslrank.core.messages import counted
from sslrank.core.random_state import derive_seed
from sslrank.tabular.trust.tests.combining import cauchy, q_values
from sslrank.tabular.trust.tests.marginal import COUNT, FEWEST_ROWS, MarginalTests
from sslrank.tabular.trust.tests.residuals import residual_targets
from sslrank.tabular.trust.tests.shadows import ROWS, Shadows, against_shadows

#: False discovery rate at which features are called related.
FDR = 0.1
#: The table has more than chance if the smallest family-wise error rate is at most this.
LEVEL = 0.05
#: Features at this q, half of :data:`FDR`, are in the model on whose residuals the others are tested; rounds of that.
_IN_MODEL, _ROUNDS = 0.05, 3
#: Forests with shadow features at a time; where a feature is related alone; and where none is, as long as fewer than
#: the last number of forests have a shadow feature above all columns.
_FORESTS, FORESTS, _MOST, _ENOUGH = 10, 20, 100, 3
#: Cells of the largest table, with at most 1,000 rows, that forests see: 20 of them then take 5 s.
_CELLS = 50_000
#: Weights of the tests: a forest mostly repeats what the tests alone show. Any weights keep the level.
WEIGHTS = {"alone": 1.0, "residuals": 1.0, "forest": 0.5}
#: The same where family-wise error rates are combined: 100 forests without a larger shadow feature just suffice.
_FAMILY = np.array([[0.75], [0.25]])


@dataclass(frozen=True)
class Related:
    """Tests of each feature.

    Attributes
    ----------
    parts : dict of str to ndarray of shape (D,)
        P-values: "alone", "residuals" (of the last model without the feature; NaN if there is none), and "forest".
    p_values, q_values : ndarray of shape (D,)
        Combined after Cauchy; q after Benjamini and Hochberg, or the family-wise error rate if it is smaller.
    adjusted : ndarray of shape (D,)
        Family-wise error rate if this feature and those before it are called related, of the tests alone and by
        forests.
    shadows : Shadows or None
    tested : ndarray of shape (D,), bool
        False for features that change too slowly with the time.
    is_cut : bool
        True if time was over before the forests with shadow features were grown.
    n_rows : int
        Labelled rows of the tests.
    within : str
        What the permutations keep together; empty if rows are independent.
    guessed_p : float or None
        :attr:`p_value` if the guess about the rows is right; None without a guess.
    smallest_effect : tuple of (str, float), optional
        Measure and size, see :func:`sslrank.tabular.trust.tests.smallest_effect.smallest_effect`; None where rows are
        not independent.
    """

    parts: dict
    p_values: np.ndarray
    q_values: np.ndarray
    adjusted: np.ndarray
    shadows: Shadows | None
    tested: np.ndarray
    is_cut: bool = False
    n_rows: int = 0
    within: str = ""
    guessed_p: float | None = None
    smallest_effect: tuple | None = None

    def __getattr__(self, name):
        """Name the new attribute where that of earlier versions is asked for."""
        hint = "; it is called 'any_related' now" if name == "is_more" else ""
        raise AttributeError(f"'Related' object has no attribute {name!r}{hint}")

    @property
    def n_forests(self):
        """Forests with shadow features."""
        return 0 if self.shadows is None else len(self.shadows.real)

    @property
    def p_value(self):
        """That no feature is related: the smallest family-wise error rate."""
        return float(self.adjusted.min(initial=1.0))

    @property
    def any_related(self):
        """True if there is more than chance."""
        return self.p_value <= LEVEL

    @property
    def related(self):
        """Features at a false discovery rate of :data:`FDR`; none if there is no more than chance."""
        return np.flatnonzero(self.q_values <= FDR) if self.any_related else np.empty(0, dtype=np.intp)

    def describe(self, redundancy=None):
        """The result in one line; with a `redundancy`, how many of the related features are near-duplicates."""
        if not self.tested.any():
            return f"more than chance: {self.untested}"
        slow = f"; {self.untested}" if self.untested else ""
        p = f"p = {self.p_value:.2g}"
        if not self.any_related:
            return f"more than chance: no, these rows show no related feature ({p}){slow}"
        n = len(self.related)
        said = counted(n, "related feature")
        line = f"more than chance: yes ({p}); {said} at a false discovery rate of {FDR:.0%}"
        n_copies = 0 if redundancy is None else int(redundancy.is_copy[self.related].sum())
        copies = "a near-duplicate of another" if n_copies == 1 else "near-duplicates of others"
        return (f"{line}, {n_copies} of them {copies}" if n_copies else line) + slow

    @property
    def untested(self):
        """What is not tested and why; empty if all features are."""
        n = int((~self.tested).sum())
        if not n:
            return ""
        which = "all features" if self.tested.sum() == 0 else counted(n, "feature")
        return f"not tested: {which}, in time these rows are worth fewer than {FEWEST_ROWS} independent ones"

    def describe_smallest(self):
        """The smallest effect that these labels show, in one line; empty if it is not known."""
        if self.smallest_effect is None:
            return ""
        measure, value = self.smallest_effect
        return f"smallest effect: {self.n_rows} labels show {measure} {value:.2f} or more four times in five"


def combined(parts):
    """One p-value a feature; NaN counts as no test."""
    p_values = np.array(list(parts.values()))
    weight = np.array([WEIGHTS[name] for name in parts])[:, None] * ~np.isnan(p_values)
    return cauchy(np.nan_to_num(p_values, nan=0.5), weight)


def find_related(
    features, targets, *, forests=True, count=COUNT, seed=0, sample_weight=None, groups=None, time=None, run=None
):
    """Test each feature alone, in forests against shadow features, and against what related ones leave of the target.

    Parameters
    ----------
    features : sslrank.core.features.Features
        Labelled rows, dense.
    targets : sslrank.core.targets.Targets
    forests : bool
        Whether to grow forests, where they may find more: not if all features are related alone, not with times, and
        not for very large tables.
    count : int
        Arrangements of the rows, at most.
    seed : int
    sample_weight, groups, time : ndarray of shape (n,), optional
    run : callable, optional
        See :func:`sslrank.tabular.trust.tests.shadows.against_shadows`.

    Returns
    -------
    Related
    """
    n, D = features.shape
    tests = MarginalTests(
        features, targets, seed=derive_seed(seed, "alone"), sample_weight=sample_weight, groups=groups, time=time,
        count=count,
    )  # fmt: skip
    alone = tests()
    parts, adjusted, shadows = {"alone": alone.p_values}, alone.adjusted, None
    wanted = forests and time is None and min(n, ROWS) * D <= _CELLS and q_values(alone.p_values).max() > FDR
    if wanted:
        given = {"seed": seed, "sample_weight": sample_weight, "groups": groups, "run": run}
        shadows = _shadows(features, targets, adjusted.min() <= LEVEL, given)
    if shadows is not None:
        parts["forest"] = shadows.p_values
        adjusted = cauchy(np.array([adjusted, shadows.adjusted]), _FAMILY)
    parts["residuals"], before = np.full(D, np.nan), frozenset()
    for _ in range(_ROUNDS):
        p_values = combined(parts)
        related = np.flatnonzero(q_values(p_values) <= _IN_MODEL)
        related = related[np.argsort(p_values[related], kind="stable")]
        if not len(related) or frozenset(related) <= before or len(related) == D:
            break
        before = frozenset(related)
        left = residual_targets(features, targets, tests.plain, tests.ranked, related, sample_weight)
        others = ~np.isin(np.arange(D), related)
        parts["residuals"][others] = tests(*left).p_values[others]
    p_values = combined(parts)
    p_values[~tests.tested] = 1.0
    q = np.minimum(q_values(p_values), adjusted)
    return Related(parts, p_values, q, adjusted, shadows, tests.tested, wanted and not shadows)


def _shadows(features, targets, is_clear, given):
    """Forests with shadow features: a few, or, if nothing is clear without them, until they show that nothing is."""
    found, most = None, FORESTS if is_clear else _MOST
    while found is None or (len(found.real) < most and (is_clear or found.n_larger < _ENOUGH)):
        asked = _FORESTS if found is None else len(found.real) + _FORESTS
        found = against_shadows(features, targets, count=_FORESTS, before=found, **given)
        if found is None or len(found.real) < asked:  # time is over
            break
    return found if found is not None and len(found.real) >= _FORESTS else None
