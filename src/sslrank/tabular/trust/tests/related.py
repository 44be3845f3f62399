"""Which features are related to the target, at a false discovery rate, and in which order."""

from dataclasses import dataclass

import numpy as np

from sslrank.core.messages import counted
from sslrank.core.random_state import derive_seed
from sslrank.tabular.trust.rows.permutations import permutations
from sslrank.tabular.trust.tests.combining import cauchy, q_values
from sslrank.tabular.trust.tests.residuals import p_values_beside
from sslrank.tabular.trust.tests.shadows import against_shadows
from sslrank.tabular.trust.tests.shadows import more as join
from sslrank.tabular.trust.tests.univariate import COUNT, p_values_of, target_groups

#: False discovery rate at which features are called related.
FDR = 0.1
#: The table has more than chance if the smallest q is at most this.
LEVEL = 0.05
#: Features at this q are kept in the model beside which the others are tested.
_KEPT = 0.05
_ROUNDS = 3
#: Where a q lies between these, further shadows decide; the benchmark of trust measures rates with this rule.
_NEAR = (0.03, 0.2)
#: This many importances of shadows are enough.
_ENOUGH = 4000
#: Weights of the tests.
WEIGHTS = {"alone": 1.0, "beside": 1.0, "genie3": 0.5, "l1": 0.5}


@dataclass(frozen=True)
class Related:
    """Tests of each feature.

    Attributes
    ----------
    parts : dict of str to ndarray of shape (D,)
        P-values: "alone", "beside" (NaN where a feature is in the model, or nothing is found), and by ranker.
    p_values, q_values : ndarray of shape (D,)
        Combined after Cauchy; q after Benjamini and Hochberg.
    shadows : dict of str to Shadows
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
    shadows: dict
    n_rows: int = 0
    within: str = ""
    guessed_p: float | None = None
    smallest_effect: tuple | None = None

    def __getattr__(self, name):
        """Name the new attribute where that of earlier versions is asked for."""
        hint = "; it is called 'any_related' now" if name == "is_more" else ""
        raise AttributeError(f"'Related' object has no attribute {name!r}{hint}")

    @property
    def n_permutations(self):
        """Fits with permuted copies of the columns."""
        return max((len(found.real) for found in self.shadows.values()), default=0)

    @property
    def p_value(self):
        """That no feature is related (Simes): the smallest q."""
        return float(self.q_values.min(initial=1.0))

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
        p = f"p = {self.p_value:.2g}" if self.p_value >= 1e-4 else "p < 0.0001"
        if not self.any_related:
            return f"more than chance: no, these rows show no related feature ({p})"
        n = len(self.related)
        said = counted(n, "related feature")
        line = f"more than chance: yes ({p}); {said} at a false discovery rate of {FDR:.0%}"
        n_copies = 0 if redundancy is None else int(redundancy.is_copy[self.related].sum())
        copies = "a near-duplicate of another" if n_copies == 1 else "near-duplicates of others"
        return f"{line}, {n_copies} of them {copies}" if n_copies else line

    def describe_smallest(self):
        """The smallest effect that these labels show, in one line; empty if it is not known."""
        if self.smallest_effect is None:
            return ""
        measure, value = self.smallest_effect
        return f"smallest effect: {self.n_rows} labels show {measure} {value:.2f} or more four times in five"


def combined(parts, weights=WEIGHTS):
    """One p-value a feature; NaN counts as no test."""
    p_values = np.array(list(parts.values()))
    weight = np.array([weights.get(name, 0.5) for name in parts])[:, None] * ~np.isnan(p_values)
    return cauchy(np.nan_to_num(p_values, nan=0.5), weight)


def find_related(
    features, targets, *, rankers=None, shadows=20, most_shadows=None, count=COUNT, seed=0, sample_weight=None,
    groups=None, time=None, run=None,
):  # fmt: skip
    """Test each feature alone, against its shadows, and beside what is found.

    Parameters
    ----------
    features : sslrank.core.features.Features
        Labelled rows, dense.
    targets : sslrank.core.targets.Targets
    rankers : dict of str to ranker, optional
        See :func:`sslrank.tabular.trust.tests.shadows.against_shadows`.
    shadows, most_shadows : int
        Fits with shadows; where a q-value is near the threshold, twice as many until the most, which by default is
        20 to 60, fewer where there are many columns.
    count : int
        Permutations that calibrate the tests of each feature alone and beside the found ones.
    seed : int
    sample_weight, groups, time : ndarray of shape (n,), optional
    run : callable, optional

    Returns
    -------
    Related
    """
    if most_shadows is None:
        most_shadows = int(np.clip(_ENOUGH // features.shape[1], shadows, 3 * shadows))
    rows = permutations(len(features.values), count, derive_seed(seed, "alone"), groups=groups, time=time)
    parts = {"alone": p_values_of(features, *target_groups(targets, sample_weight), rows, weights=targets.weights)}
    given = {"rankers": rankers, "seed": seed, "groups": groups, "time": time, "run": run}
    against = against_shadows(features, targets, count=shadows, **given) if shadows else {}
    n_made = shadows
    while True:
        parts |= {name: found.p_values for name, found in against.items()}
        parts["beside"] = np.full(features.shape[1], np.nan)
        before = frozenset()
        for _ in range(_ROUNDS):
            p_values = combined(parts)
            q = q_values(p_values)
            kept = np.flatnonzero(q <= _KEPT)
            kept = kept[np.argsort(p_values[kept], kind="stable")]
            if not len(kept) or frozenset(kept) <= before or len(kept) == features.shape[1]:
                break
            before = frozenset(kept)
            parts["beside"] = p_values_beside(features, targets, kept, rows, sample_weight)
        q = q_values(p_values := combined(parts))
        is_near = ((q > _NEAR[0]) & (q < _NEAR[1])).any()
        if not shadows or not is_near or n_made >= most_shadows:
            return Related(parts, p_values, q, against)
        n_more = min(n_made, most_shadows - n_made)
        against = join(against, against_shadows(features, targets, count=n_more, start=n_made, **given))
        n_made += n_more
