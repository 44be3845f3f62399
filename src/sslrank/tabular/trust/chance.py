"""Compare a ranking with rankings of shuffled targets: p-values, false discovery rates, importances without bias.

References
----------
A. Altmann, L. Toloşi, O. Sander, T. Lengauer: Permutation importance: a corrected feature importance measure.
Bioinformatics 26(10), 2010.
S. Nembrini, I. R. König, M. N. Wright: The revival of the Gini importance? Bioinformatics 34(21), 2018.
Y. Benjamini, Y. Hochberg: Controlling the false discovery rate. JRSS B 57(1), 1995.
"""

from dataclasses import dataclass

import numpy as np
from scipy.stats import false_discovery_control, rankdata

from sslrank.core.random_state import derive_seed
from sslrank.tabular.fits.problem import fit_methods, screen_each, uses_unlabeled
from sslrank.tabular.fits.screening import has_screening

#: Fewer shuffles tell nothing.
FEWEST = 39
#: A ranking is more than chance if so few of the shuffled ones look as good. Half of the usual 5 %, as this headline is
#: read without a second thought.
LEVEL = 0.025
#: False discovery rate at which features are called related to the target.
FDR = 0.1
#: From more labelled rows a stratified sample is shuffled.
MAX_ROWS = 2000
#: Columns with at most so many different values are a kind of their own: their importances vary less.
FEW_VALUES = 5
#: A kind with fewer importances under chance than this is compared with all kinds as well.
POOL = 1000


@dataclass(frozen=True)
class Chance:
    """A ranking beside rankings of shuffled targets.

    Attributes
    ----------
    n_shuffles : int
    p_value : float
        Of the whole ranking: the share of all rankings (shuffled and real) whose best feature stands out as much.
    p_values, q_values : ndarray of shape (D,)
        Of each feature, pooled by kind of column; q after Benjamini and Hochberg.
    shuffled : dict of str to ndarray of shape (S, D)
        Per method, importances for each shuffled target.
    n_rows : int
        Labelled rows that were shuffled.
    within : str
        What the shuffling keeps together; empty if nothing.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sslrank import rank
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> found = rank(X, y, methods="f_score", repeats=0, shuffles=40, curve=False).chance
    >>> found.is_more, found.related.tolist()
    (True, [0, 1, 2, 3])
    """

    n_shuffles: int
    p_value: float
    p_values: np.ndarray
    q_values: np.ndarray
    shuffled: dict
    n_rows: int
    within: str = ""

    @property
    def is_more(self):
        """True if the ranking is more than chance."""
        return self.p_value <= LEVEL

    @property
    def related(self):
        """Features that are related to the target at :data:`FDR`; none if the whole ranking is not more than chance."""
        return np.flatnonzero(self.q_values <= FDR) if self.is_more else np.empty(0, dtype=np.intp)

    def describe(self, redundancy=None):
        """The result in one line; with a `redundancy`, it says how many of the related features are copies."""
        p = f"p = {self.p_value:.2g}"
        if self.p_value < 1.5 / (self.n_shuffles + 1):
            p += f", the least that {self.n_shuffles} shuffles can give"
        if not self.is_more:
            return f"more than chance: no, these rows show no more than chance ({p})"
        n = len(self.related)
        line = f"more than chance: yes ({p}); {n} feature{'s' * (n != 1)} at a false discovery rate of {FDR:.0%}"
        n_copies = 0 if redundancy is None else int(redundancy.is_copy[self.related].sum())
        copies = "a copy of another" if n_copies == 1 else "copies of others"
        return f"{line}, {n_copies} of them {copies}" if n_copies else line


def column_kinds(problem, rows):
    """Kind of each column, by which importances under chance are pooled: 0 few values, 1 numeric, 2 nominal."""
    kinds = np.where(problem.nominal, 2, 1)
    ordered = np.sort(problem.X[rows], axis=0)  # missing values come last
    n_values = (ordered[1:] > ordered[:-1]).sum(axis=0) + 1
    kinds[n_values <= FEW_VALUES] = 0
    return kinds


def standardize(importances, kinds):
    """Importances minus their mean and over their spread, per feature, over all rows.

    A feature's spread is averaged with that of its kind: of few rankings its own is uncertain, and 0 where a method
    nearly never sees anything in it. After a first pass each feature has an importance in few of the rankings, and mean
    and spread are those of the kind.

    Parameters
    ----------
    importances : ndarray of shape (R, D)
    kinds : ndarray of shape (D,), int

    Returns
    -------
    z : ndarray of shape (R, D)
    mean, spread : ndarray of shape (D,)
    """
    mean, variance = importances.mean(axis=0), importances.var(axis=0)
    pooled = np.zeros_like(variance)
    for kind in np.unique(kinds):
        alike = kinds == kind
        if has_screening(len(kinds)):
            mean[alike], variance[alike] = importances[:, alike].mean(), importances[:, alike].var()
        pooled[alike] = variance[alike].mean()
    spread = np.sqrt((variance + pooled) / 2)
    spread[spread == 0] = 1.0
    return (importances - mean) / spread, mean, spread


def relative_ranks(importances, shuffled, kinds):
    """Ranks of importances relative to chance, 1 for the best.

    Features are compared by the share of shuffled targets under which they look worse; those that look better than
    under nearly all of them, by their distance from chance in spreads. So noise has a fair rank whatever its kind.
    Features that have just the median of chance, such as an information gain of 0, are equal. After a first pass the
    distances alone decide.

    Parameters
    ----------
    importances : ndarray of shape (D,)
    shuffled : ndarray of shape (S, D)
    kinds : ndarray of shape (D,), int

    Returns
    -------
    ndarray of shape (D,)
    """
    _, mean, spread = standardize(shuffled, kinds)
    z = (importances - mean) / spread
    if has_screening(len(z)):
        return rankdata(-z)
    share = ((shuffled < importances).sum(axis=0) + 0.5 * (shuffled == importances).sum(axis=0)) / len(shuffled)
    share[share > 1 - 1.5 / len(shuffled)] = 1.0
    share[importances == np.median(shuffled, axis=0)] = 0.5
    z = np.where(share == 1.0, z, 0.0)
    order = np.lexsort((z, share))
    place = np.empty(len(order), dtype=np.intp)  # equal for equal pairs
    place[order] = np.cumsum(np.append(True, (np.diff(share[order]) > 0) | (np.diff(z[order]) > 0)))
    return rankdata(-place)


def shuffle(problem, labeled, blocks, seed):
    """Row whose target each labelled row gets.

    Parameters
    ----------
    problem : RankingProblem
    labeled : ndarray of int
    blocks : sslrank.tabular.trust.rows.Blocks
    seed : int

    Returns
    -------
    ndarray of int
    """
    rng = np.random.default_rng(seed)
    source = labeled.copy()
    if blocks.kind == "time":  # targets that drift are exchanged with those of nearly the same time
        order = labeled[np.argsort(blocks.values[labeled], kind="stable")]
        position = {row: i for i, row in enumerate(labeled)}
        for part in np.array_split(order, max(1, min(10, len(order) // 5))):
            source[[position[row] for row in part]] = rng.permutation(part)
        return source
    if blocks.kind == "":
        return rng.permutation(labeled)
    groups = blocks.values[labeled]
    members = {group: np.flatnonzero(groups == group) for group in np.unique(groups)}
    columns = np.nan_to_num(problem.columns[labeled], nan=np.inf)
    if all((columns[rows] == columns[rows[0]]).all() for rows in members.values()):  # a group has one target
        names = list(members)
        for group, other in zip(names, rng.permutation(names), strict=True):
            source[members[group]] = labeled[members[other][0]]
        return source
    by_size = {}
    for rows in members.values():
        by_size.setdefault(len(rows), []).append(rows)
    for alike in by_size.values():
        for rows, others in zip(alike, rng.permutation(len(alike)), strict=True):
            source[rows] = labeled[rng.permutation(alike[others])]
    return source


def importances_of(methods, problem, labeled, unlabeled, seed, source=None, kept=None):
    """Importances of each method, with the targets of other rows where `source` says so; NaN where it fails.

    `kept` are the features that a first pass keeps, if they are known.

    Returns
    -------
    ndarray of shape (n_methods, D)
    """
    if source is not None:
        problem = problem.shuffled(labeled, source)
    found = fit_methods(methods, problem, labeled, unlabeled, seed, kept=kept)[0]
    nothing = np.full(problem.X.shape[1], np.nan)
    return np.array([found.get(method.name, nothing) for method in methods])


def drawn_rows(problem, seed):
    """Labelled rows that are shuffled: all, or a stratified sample of :data:`MAX_ROWS`."""
    labeled = problem.labeled
    if len(labeled) <= MAX_ROWS:
        return labeled
    rng = np.random.default_rng(derive_seed(seed, "chance rows"))
    order = rng.permutation(labeled)
    order = order[np.argsort(problem.strata[order], kind="stable")]
    places = np.linspace(0, len(order) - 1, MAX_ROWS).round().astype(np.intp)
    return np.sort(order[places])


def against_chance(problem, methods, blocks, work, *, n_shuffles, share=1.0, seed=0):
    """Compare the ranking of the labelled rows with those of shuffled targets.

    Parameters
    ----------
    problem : RankingProblem
    methods : list of RankingMethod
        Without unlabelled rows where they can do without; small forests.
    blocks : sslrank.tabular.trust.rows.Blocks
        Rows that belong together.
    work : Work
    n_shuffles : int
    share : float
        Of the time that is left.
    seed : int

    Returns
    -------
    Chance or None
        None if fewer than :data:`FEWEST` shuffles were made, or no method ranks.
    """
    rows = labeled = drawn_rows(problem, seed)
    unlabeled = problem.unlabeled if any(map(uses_unlabeled, methods)) else rows[:0]
    sources = [shuffle(problem, rows, blocks, derive_seed(seed, "shuffle", i)) for i in range(n_shuffles)]
    if not len(unlabeled):  # other processes get the labelled rows only
        problem, labeled = problem.rows(rows), np.arange(len(rows))
        sources = [np.searchsorted(rows, source) for source in sources]
    sources.insert(0, labeled)
    seeds = [derive_seed(seed, "chance"), *(derive_seed(seed, "chance", i) for i in range(n_shuffles))]
    kept = screen_each(methods, problem, [(labeled, source) for source in sources])
    tasks = [(methods, problem, labeled, unlabeled, *each) for each in zip(seeds, sources, kept, strict=True)]
    found = np.array(work.run(importances_of, tasks, share=share, least=1))
    works = ~np.isnan(found).any(axis=(0, 2))
    if len(found) <= FEWEST or not works.any():
        return None
    kinds = column_kinds(problem, labeled)
    names = [method.name for method in methods]
    # Real and shuffled rankings are standardized together: under chance any of them is the real one with equal
    # probability, so that the p-value of the whole ranking is exact.
    scores = np.mean([standardize(found[:, i], kinds)[0] for i in np.flatnonzero(works)], axis=0)
    largest = scores.max(axis=1)
    p_values = feature_p_values(scores[0], scores[1:], kinds)
    shuffled = {names[i]: found[1:, i] for i in np.flatnonzero(works)}
    return Chance(
        len(found) - 1,
        float(np.mean(largest >= largest[0] * (1 - 1e-12))),
        p_values,
        false_discovery_control(p_values),
        shuffled,
        len(labeled),
        blocks.reason,
    )


def feature_p_values(scores, shuffled, kinds):
    """P-value of each feature from the scores of all features of its kind under chance (Altmann et al. 2010).

    Where a kind has too few columns for small p-values, a feature above all of its own kind's scores is compared with
    those of all kinds.

    Parameters
    ----------
    scores : ndarray of shape (D,)
    shuffled : ndarray of shape (S, D)
    kinds : ndarray of shape (D,), int

    Returns
    -------
    ndarray of shape (D,)
    """
    of_all, found = _p_values(scores, shuffled), np.empty(len(scores))
    for kind in np.unique(kinds):
        mask = kinds == kind
        found[mask] = _p_values(scores[mask], shuffled[:, mask])
        pool = shuffled[:, mask].size
        if pool < POOL:
            at_end = mask & (found <= 1.001 / (pool + 1))
            found[at_end] = of_all[at_end]
    return found


def _p_values(scores, shuffled):
    ordered = np.sort(shuffled, axis=None)
    above = len(ordered) - np.searchsorted(ordered, scores, side="left")
    return (1 + above) / (1 + len(ordered))
