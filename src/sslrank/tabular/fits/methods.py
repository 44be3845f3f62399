"""The default methods and their settings."""

import reprlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from inspect import signature

from sslrank.core.errors import DataError
from sslrank.core.messages import suggestion
from sslrank.rankers.registry import RANKERS, available_rankers, ranker_info

#: The default for all kinds of target: a forest, which detects interactions, and a sparse linear model. On 13 datasets
#: of the arena no mean rank of more rankings was better by a standard error. On held-out datasets its lead over
#: scikit-learn's forest is not significant after Holm's correction (table `arena_halves`). It uses only labelled rows,
#: as semi-supervised trees ranked worse (finding arena 1). Each tree grows on at most 2,000 random rows, to save time.
AUTO = {"genie3": {"ensemble": "extra_trees", "supervised": True, "n_estimators": 300, "max_samples": 2_000}, "l1": {}}
#: From this many features on, a node of the default forest tries this share of them: on average rankings are as
#: good, and a fit takes two thirds of the time (tests/measurements/README.md).
MANY_FEATURES, FEATURE_SHARE = 500, 1 / 3
#: Effort of a ranking: complementary pairs of half-samples, conditional tests, and the curve of the number of features.
EFFORT = {
    "order": {"repeats": 0, "conditional": False, "curve": False},
    "quick": {"repeats": 5, "conditional": True, "curve": False},
    "full": {"repeats": 10, "conditional": True, "curve": True},
}
#: A study of a table with more rows than this leaves out relief, whose time grows with the square of the rows.
MAX_QUADRATIC_ROWS = 10_000
#: Trees of forests in half-samples and folds, and maximum number of rows per tree of the default. With 200 trees the
#: intervals are only 2 to 4 % narrower (100 to 200 labels of four tables of scikit-learn, at commit 3cd76c59).
LIGHT_TREES, LIGHT_ROWS = 50, 1_000
#: Settings for the comparison with and without unlabelled rows: in trees, target and features have the same weight (w =
#: 0.5); in relief, near unlabelled rows count and far ones do not.
SEMI_SUPERVISED = {"supervision": 0.5, "w0": 0.0, "w1": 1.0}


#: Parameters of rankers that a ranking sets, or that describe the table.
_TABLE_PARAMETERS = {"task", "hierarchy", "random_state", "n_jobs", "categorical_features", "n_features_to_select"}


@dataclass(frozen=True)
class RankingMethod:
    """A method with its parameters.

    Attributes
    ----------
    name : str
    params : dict
        Parameters of its ranker, except task, seed and threads.
    refit : bool
        Whether features below a dominating one are ranked by refits without it.
    """

    name: str
    params: dict = field(default_factory=dict)
    refit: bool = False

    @property
    def ranker(self):
        """The class of its ranker."""
        return ranker_info(self.name).load()

    @property
    def uses_unlabeled(self):
        """True if the method with its parameters uses unlabelled rows."""
        is_supervised = self.params.get("supervised") or self.params.get("supervision") == 1.0
        return not is_supervised and not self.ranker.labeled_only

    @property
    def takes_weights(self):
        """True if the method supports weights of rows."""
        return "sample_weight" in signature(self.ranker.fit).parameters

    def with_fewer_trees(self, trees=LIGHT_TREES):
        """Return the method with at most `trees` trees."""
        limits = {"n_estimators": trees, "max_samples": LIGHT_ROWS}
        lowered = {key: min(self.params[key], limit) for key, limit in limits.items() if self.params.get(key)}
        return replace(self, params=self.params | lowered)

    def supervised(self):
        """The supervised variant of the method."""
        params = {key: value for key, value in self.params.items() if key != "supervision"}
        return replace(self, params={**params, "supervised": True})

    def semi_supervised(self):
        """The semi-supervised variant of the method, with the parameters :data:`SEMI_SUPERVISED`."""
        params = {key: value for key, value in self.params.items() if key != "supervised"}
        if "max_samples" in params:  # half of them are labelled
            params["max_samples"] *= 2
        return replace(self, params=params | {k: v for k, v in SEMI_SUPERVISED.items() if hasattr(self.ranker, k)})


def check_names(methods):
    """Check methods before the target is known: "auto", names separated by commas, or a sequence of names and rankers.

    Returns
    -------
    list of RankingMethod or str

    Raises
    ------
    DataError
        If a name is unknown, an object is not a ranker, or two methods have the same name.
    """
    listed = [name.strip() for name in methods.split(",")] if isinstance(methods, str) else methods
    known_names, checked = available_rankers(), []
    for method in listed if isinstance(listed, Sequence) else [listed]:
        if not isinstance(method, str):
            method = _method_of(method)
        elif ":" not in method and method not in ("", "auto", *known_names):
            hint = suggestion(method, [*known_names, "auto"])
            raise DataError(f"method {method!r} is unknown; {hint}", advice="See 'sslrank methods'")
        if method:
            checked.append(method)
    if not checked:
        raise DataError("no method is given", advice="See 'sslrank methods'")
    if "auto" in checked and len(checked) > 1:
        raise DataError("method 'auto' chooses methods, so it is the only one", advice="Leave it out, or the others")
    names = [method if isinstance(method, str) else method.name for method in checked]
    if twice := [name for name in names if names.count(name) > 1]:
        raise DataError(f"two methods are {twice[0]}", advice="Rank twice, or pass one of them")
    return checked


def _method_of(ranker):
    """Return the method of a ranker: its registered name, and parameters that differ from the registered ones."""
    from sslrank.core.base import BaseRanker  # takes a second, and names are checked before a file is read

    if not isinstance(ranker, BaseRanker):
        raise DataError(
            f"expected names of methods or rankers, got {reprlib.repr(ranker)}",
            advice="Write ['genie3'], ['module:Class'] for a class of your own, or pass a ranker: get_ranker('genie3')",
        )
    path = f"{type(ranker).__module__}:{type(ranker).__qualname__}"
    params = {key: value for key, value in ranker.get_params(deep=False).items() if key not in _TABLE_PARAMETERS}
    for name in sorted(RANKERS, key=lambda name: -len(RANKERS[name].params)):
        if RANKERS[name].path == path and RANKERS[name].params.items() <= params.items():
            usual = type(ranker)(**RANKERS[name].params).get_params(deep=False)
            return RankingMethod(name, {key: value for key, value in params.items() if value is not usual[key]})
    if "<locals>" in path:
        raise DataError(f"the class {type(ranker).__name__} is defined in a function", advice="Define it in a module")
    return RankingMethod(path, params)


def choose_methods(names, task, n_features):
    """Choose the methods to run, see :func:`check_names`.

    Raises DataError if a name is unknown, or a method does not support the kind of target.
    """
    names = check_names(names)
    if names == ["auto"]:
        drawn = {"max_features": FEATURE_SHARE} if n_features >= MANY_FEATURES else {}
        return [
            RankingMethod(name, params | drawn if "ensemble" in params else params, refit=True)
            for name, params in AUTO.items()
        ]
    ranking_methods = [RankingMethod(method) if isinstance(method, str) else method for method in names]
    for method in ranking_methods:
        _check_method(method.name, task)
    return ranking_methods


def feature_subset_note(methods):
    """Return a list with a note if nodes of a default forest try only some features; otherwise an empty list."""
    names = [method.name for method in methods if method.params.get("max_features") == FEATURE_SHARE]
    return [f"{', '.join(names)}: each node tries a third of the features, drawn at random"] if names else []


def _check_method(name, task):
    try:
        ranker_info(name).load()
    except (ImportError, ValueError) as error:
        raise DataError(f"method {name!r} cannot be used: {error}") from None
    if ":" not in name and name not in (names_of_task := available_rankers(task)):
        raise DataError(
            f"method {name!r} does not support {task}; these do: {', '.join(sorted(names_of_task))}",
            advice=f"See 'sslrank methods --task {task}'",
        )
