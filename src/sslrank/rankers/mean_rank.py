"""Mean rank of several rankings of the same data."""

import time

import numpy as np
from scipy.stats import rankdata

from sslrank.core.base import BaseRanker, check_importances
from sslrank.core.random_state import derive_seed
from sslrank.core.tasks import TASKS
from sslrank.rankers.registry import get_ranker, ranker_info


class MeanRank(BaseRanker):
    """Rank features by the mean of their ranks in several rankings (Borda's count).

    Ranks do not depend on the units of importances, so a forest, a filter and a linear model have equal weight. Equal
    importances share the mean of their ranks. A member that does not support the kind of target is left out.

    Parameters
    ----------
    members : mapping of str to str or dict
        Registered rankers, or ``{"ranker": name, parameter: value, ...}``, by a name of your choice. The default is a
        random forest, `f_score` and `l1`, all on the labelled rows. A member with ``"limits": {"rows": n, "features":
        n}`` is left out of larger tables.
    votes : mapping of str to list of str, optional
        Names of mean ranks and the members of each. The first one is the ranking; `importances_` has all. The default
        is "mean_rank", of all members.
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`; each member has its own seed.
    hierarchy, hierarchy_alpha
        See :func:`sslrank.core.targets.encode_targets`.

    Attributes
    ----------
    importances_ : dict of str to ndarray of shape (n_features,)
        Importances of every vote, in (0, 1], where 1 is first in all rankings, and of every member, on its own scale.
    skipped_ : dict of str to str
        Members left out by their limits, with the sizes.
    seconds_ : dict of str to float
        Seconds of each member, and of each vote (the sum of its members).

    References
    ----------
    .. [1] J. C. de Borda (1781), Mémoire sur les élections au scrutin; for rankings of features: Y. Saeys, T. Abeel,
       Y. Van de Peer (2008), Robust feature selection using ensemble feature selection techniques, ECML PKDD.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sslrank.rankers.mean_rank import MeanRank
    >>> X, y = load_iris(return_X_y=True)
    >>> MeanRank(random_state=0).fit(X, y).ranking_
    array([3, 4, 1, 2])
    """

    tasks = frozenset(TASKS)
    members: dict | None = None
    votes: dict | None = None
    hierarchy: list | None = None
    hierarchy_alpha: float = 0.75

    def _members(self):
        given = self.members or ranker_info("mean_rank").params["members"]
        return {name: {"ranker": spec} if isinstance(spec, str) else dict(spec) for name, spec in given.items()}

    def _votes(self, members):
        return self.votes or {"mean_rank": list(members)}

    def check_params(self):
        members = self._members()
        for name, spec in members.items():
            options = _options(spec)
            info = ranker_info(options.pop("name"))  # not get_ranker: members that are not fitted may miss a package
            info.load()(**{**info.params, **options}).check_params()
            unknown = set(spec.get("limits", ())) - {"rows", "features"}
            if unknown:
                raise ValueError(f"members: limits of {name!r} are of rows and features, not {', '.join(unknown)}")
            if name in self._votes(members):
                raise ValueError(f"votes: {name!r} is the name of a member; give the vote another one")
        for vote, names in self._votes(members).items():
            unknown = [name for name in names if name not in members]
            if unknown or not names:
                raise ValueError(f"votes: {vote!r} is of {unknown or 'nothing'}; the members are {', '.join(members)}")

    def rank_coded(self, features, targets):
        seed, importances = self.resolve_seed(), {}
        self.skipped_, self.seconds_ = {}, {}
        members = self._members()
        for name, spec in members.items():
            ranker = get_ranker(**_options(spec))
            if targets.task not in ranker.tasks:
                continue
            ranker.set_params(random_state=derive_seed(seed, name) % 2**32, n_jobs=self.n_jobs)
            of_features, of_targets = features, targets
            if ranker.labeled_only or getattr(ranker, "supervised", False):
                if not targets.labeled.any():
                    raise ValueError(f"MeanRank: member {name!r} needs at least one labelled row, y has none")
                of_features, of_targets = features.rows(targets.labeled), targets.rows(targets.labeled)
            sizes = dict(zip(("rows", "features"), of_features.shape, strict=True))
            over = [
                f"{sizes[of]} {of}, limit {most}" for of, most in spec.get("limits", {}).items() if sizes[of] > most
            ]
            if over:
                self.skipped_[name] = ", ".join(over)
                continue
            started = time.perf_counter()
            importances[name] = check_importances(ranker.rank_coded(of_features, of_targets), features.shape[1], name)
            self.seconds_[name] = round(time.perf_counter() - started, 4)
        self.importances_ = {}
        for vote, names in self._votes(members).items():
            ranks = [rankdata(-importances[name]) for name in names if name in importances]
            if not ranks:
                raise ValueError(f"MeanRank: no member of {vote!r} can rank for targets of kind {targets.task!r}")
            self.seconds_[vote] = round(sum(self.seconds_[name] for name in names if name in importances), 4)
            self.importances_[vote] = (features.shape[1] + 1 - np.mean(ranks, axis=0)) / features.shape[1]
        first = next(iter(self.importances_.values()))
        self.importances_ |= importances
        return first


def _options(spec):
    return {"name": spec["ranker"], **{key: value for key, value in spec.items() if key not in ("ranker", "limits")}}
