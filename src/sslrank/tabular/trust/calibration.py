"""How many of the features that matter are found in tables such as the reader's: targets drawn from known columns."""

from dataclasses import dataclass, replace

import numpy as np
from scipy.stats import rankdata

from sslrank.core.random_state import derive_seed
from sslrank.tabular.trust.conditional import model_of
from sslrank.tabular.trust.own_information import own_information
from sslrank.tabular.trust.related import FDR, find_related
from sslrank.tabular.trust.univariate import target_groups

#: Targets that are drawn for each number of labels.
TABLES = 20
#: Fewer targets, where time is over, say nothing.
FEWEST_TABLES = 5
#: Times the labels that there are.
LABELS = (1, 2, 4)
#: Fits with shadows for each of them.
_SHADOWS = 10
#: Strengths, as shares of the variance, at which the target's explained share is looked up.
_STRENGTHS = np.array([0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95, 0.99])
#: Features that count, where none or very many are found.
_FEWEST, _MOST = 2, 10


@dataclass(frozen=True)
class Calibration:
    """What the tests found of targets that were drawn from known columns.

    Attributes
    ----------
    labels : tuple of float
        Times the labels that there are.
    n_true : int
        Columns that each target was drawn from.
    strength : float
        Share of the variance that they explain.
    power, false : dict of str to ndarray of shape (len(labels),)
        For "related" and "own": the share of the true columns that were found, and the share of the named ones that
        were no true columns.
    error : dict of str to ndarray
        Standard errors of the power.
    n_tables : int
    """

    labels: tuple
    n_true: int
    strength: float
    power: dict
    false: dict
    error: dict
    n_tables: int

    def describe(self):
        """The result in one line."""
        related, own = self.power["related"][0], self.power["own"][0]
        said = (
            f"calibration, with targets simulated from {self.n_true} of these columns: q finds {related:.0%} of them; "
        )
        said += f"own q finds {own:.0%}, and {self.false['own'][0]:.0%} of the features it names do not matter"
        more = self.labels_for(0.5, "own")
        return f"{said}; {more:.1f} times the labels would find half" if more is not None and more > 1 else said

    def summary(self):
        """Convert to a dict of plain values."""
        plain = {key: getattr(self, key) for key in ("n_true", "strength", "n_tables")}
        curves = {
            key: {test: [float(value) for value in values] for test, values in getattr(self, key).items()}
            for key in ("power", "false", "error")
        }
        return {**plain, "labels": [float(times) for times in self.labels], **curves}

    def labels_for(self, share, test="related"):
        """How many times the labels find a share of the features that matter; None if more than were tried.

        Parameters
        ----------
        share : float
        test : {"related", "own"}

        Returns
        -------
        float or None
        """
        power = np.maximum.accumulate(self.power[test])
        if power[-1] < share:
            return None
        if power[0] >= share:
            return 1.0
        return float(np.exp(np.interp(share, power, np.log(self.labels))))


def explained(features, targets, columns):
    """Adjusted share of the targets' variance that a model of some columns explains, the largest over targets."""
    model = model_of(features, columns, len(features.values) // 3)
    found = []
    for group in target_groups(targets)[0]:
        known = ~np.isnan(group).any(axis=1)
        basis = model if known.all() else np.linalg.qr(model[known])[0]
        n, p = basis.shape
        if group.shape[1] and n > p:
            left = group[known] - basis @ (basis.T @ group[known])
            found.append(1 - (left**2).sum() / group.shape[1] * (n - 1) / (n - p))
    return max(found, default=0.0)


def drawn_targets(features, targets, columns, strength, rng):
    """Targets of the same kind and shares of classes as given ones, made of some columns.

    Parameters
    ----------
    features : sslrank.core.features.Features
    targets : sslrank.core.targets.Targets
    columns : sequence of int
    strength : float
        Share of the variance of the hidden number behind each target that the columns explain.
    rng : numpy.random.Generator

    Returns
    -------
    sslrank.core.targets.Targets
    """
    parts = []
    for j in columns:
        x = features.values[:, j]
        known = ~np.isnan(x)
        if features.nominal[j]:
            effect = rng.normal(size=features.n_categories[j])
            x = np.where(known, effect[np.where(known, x, 0).astype(np.intp)], np.nan)
        x = np.where(known, x, np.nanmean(x) if known.any() else 0.0)
        parts.append((x - x.mean()) / max(x.std(), 1e-12))
    parts, values = np.array(parts), targets.values.copy()
    for t in range(values.shape[1]):
        signal = rng.choice([-1.0, 1.0], len(parts)) @ parts
        signal /= max(signal.std(), 1e-12)
        hidden = np.sqrt(strength) * signal + np.sqrt(1 - strength) * rng.normal(size=len(signal))
        known = ~np.isnan(values[:, t])
        # the values that there are, in the order of the hidden number: shares of classes stay
        order = np.sort(values[known, t])
        values[known, t] = order[rankdata(hidden[known], method="ordinal").astype(np.intp) - 1]
    return replace(targets, values=values)


def calibrate(
    features, targets, found, own, *, tables=TABLES, labels=LABELS, shadows=_SHADOWS, seed=0, groups=None,
    time=None, run=None,
):  # fmt: skip
    """Draw targets from a few known columns of a table, and see what the tests say.

    As many columns as have own information (2 to 10) make each target, at random in each table, with the strength of
    what is found. More labels are a stronger signal, by which power grows as with rows.

    Parameters
    ----------
    features : sslrank.core.features.Features
        Labelled rows, dense.
    targets : sslrank.core.targets.Targets
    found : Related
        The tests of the table's own target.
    own : OwnInformation
        Likewise.
    tables : int
    labels : sequence of float
    shadows : int
        Fits with shadows for each target; 0 takes a fifth of the time and finds less.
    seed : int
    groups, time : ndarray of shape (n,), optional
    run : callable, optional
        See :func:`sslrank.tabular.trust.shadows.against_shadows`; it may stop early.

    Returns
    -------
    Calibration or None
        None if fewer than :data:`FEWEST_TABLES` of the targets were looked at.
    """
    tables_asked = tables
    varies = np.flatnonzero(np.nanmax(features.values, axis=0) > np.nanmin(features.values, axis=0))
    n_found = len(np.unique(own.blocks[own.q_values <= FDR]))
    n_true = int(np.clip(n_found, min(_FEWEST, len(varies)), max(min(_MOST, len(varies) // 2), 1)))
    best = np.lexsort((found.p_values, own.p_values))
    seen = explained(features, targets, best[:n_true])
    strength = _strength(features, targets, varies, n_true, seen, derive_seed(seed, "strength"))
    tasks = [
        (features, targets, varies, n_true, _stronger(strength, times), shadows, seed, i, groups, time)
        for i in range(tables)
        for times in labels
    ]
    results = np.array([of_drawn(*task) for task in tasks] if run is None else list(run(of_drawn, tasks)))
    tables = len(results) // len(labels)
    if tables < min(tables_asked, FEWEST_TABLES):
        return None
    results = results[: tables * len(labels)].reshape(tables, len(labels), 2, 2).swapaxes(0, 1)
    mean, error = results.mean(axis=1), results.std(axis=1, ddof=1 if tables > 1 else 0) / np.sqrt(tables)
    tests = ("related", "own")
    return Calibration(
        tuple(labels),
        n_true,
        strength,
        {test: mean[:, i, 0] for i, test in enumerate(tests)},
        {test: mean[:, i, 1] for i, test in enumerate(tests)},
        {test: error[:, i, 0] for i, test in enumerate(tests)},
        tables,
    )


def _stronger(strength, times):
    """The share of variance with which as many rows tell as much as `times` as many with `strength`."""
    odds = times * strength / (1 - strength)
    return odds / (1 + odds)


def _strength(features, targets, varies, n_true, seen, seed):
    """The strength at which drawn targets are explained as well as the real one is."""
    rng, shares = np.random.default_rng(seed), []
    for strength in _STRENGTHS:
        of = []
        for _ in range(5):
            columns = rng.permutation(varies)[:n_true]
            of.append(explained(features, drawn_targets(features, targets, columns, strength, rng), columns))
        shares.append(np.mean(of))
    return float(np.interp(seen, np.maximum.accumulate(shares), _STRENGTHS))


def of_drawn(features, targets, varies, n_true, strength, shadows, seed, number, groups=None, time=None):
    """Power and share of others among the named, by "related" and by "own", of a drawn target with a number.

    Returns
    -------
    ndarray of shape (2, 2)
    """
    seed = derive_seed(seed, "table", number)
    rng = np.random.default_rng(seed)
    columns = rng.permutation(varies)[:n_true]
    drawn = drawn_targets(features, targets, columns, strength, rng)
    related = find_related(features, drawn, shadows=shadows, most_shadows=shadows, seed=seed, groups=groups, time=time)
    own = own_information(
        features, drawn, related=related.p_values, partners=np.argsort(related.p_values, kind="stable"), groups=groups
    )
    is_true, results = np.isin(np.arange(features.shape[1]), columns), []
    for named, truth in (
        (np.isin(np.arange(len(is_true)), related.related), is_true),
        (own.q_values <= FDR, np.isin(own.blocks, own.blocks[columns])),  # a copy of a true column is no error
    ):
        results.append([named[is_true].mean(), (named & ~truth).sum() / max(named.sum(), 1)])
    return np.array(results)
