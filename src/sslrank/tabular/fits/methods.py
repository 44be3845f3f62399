"""Which methods rank a table by default, and with which settings."""

import reprlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from sslrank.core.errors import DataError
from sslrank.core.messages import suggestion
from sslrank.rankers.registry import available_rankers, ranker_info

#: The default for every kind of target: a forest, which sees interactions, and a sparse linear model. On 13 datasets
#: of the arena no mean rank of more rankings was better by a standard error. On those held out its interval against
#: scikit-learn's forest is above 0, but not significant after Holm's correction (table `arena_halves`). Labelled
#: rows only: semi-supervised trees were worse on 22 of 24 sets. Each tree grows on at most 2,000 rows, drawn at random,
#: in a fraction of the time of all.
AUTO = {"genie3": {"ensemble": "extra_trees", "supervised": True, "n_estimators": 300, "max_samples": 2_000}, "l1": {}}
#: From this many features on, a node of the default forest tries this share of them: on average rankings are as
#: good, and a fit takes two thirds of the time (tests/benchmarks/max-features.md).
MANY_FEATURES, DRAWN = 500, 1 / 3
#: How thorough a ranking is: complementary pairs of half-samples, tests of information of each feature's own, whether
#: the number of features is judged, and whether targets are drawn to see what the tests find.
EFFORT = {
    "order": {"repeats": 0, "own": False, "curve": False, "calibrate": False},
    "quick": {"repeats": 5, "own": True, "curve": False, "calibrate": False},
    "full": {"repeats": 10, "own": True, "curve": True, "calibrate": True},
}
#: A study of a table with more rows than this leaves out relief, whose time grows with the square of the rows.
MAX_QUADRATIC_ROWS = 10_000
#: Trees of the forests that are grown for each half-sample and fold, and the rows that one of the default grows on.
LIGHT_TREES, LIGHT_ROWS = 50, 1_000
#: Settings to compare with and without unlabelled rows: in trees target and features have the same weight
#: (w = 0.5); in relief near unlabelled rows count, far ones do not.
SEMI_SUPERVISED = {"supervision": 0.5, "w0": 0.0, "w1": 1.0}


@dataclass(frozen=True)
class RankingMethod:
    """A method with its parameters.

    Attributes
    ----------
    name : str
    params : dict
        Parameters of its ranker besides task, seed and threads.
    """

    name: str
    params: dict = field(default_factory=dict)

    def light(self, trees=LIGHT_TREES):
        """The method with at most `trees` trees."""
        asked = self.params.get("n_estimators", 0)
        params = {**self.params, "n_estimators": min(asked, trees)} if asked else dict(self.params)
        if "max_samples" in params:
            params["max_samples"] = min(params["max_samples"], LIGHT_ROWS)
        return RankingMethod(self.name, params)

    def supervised(self):
        """The supervised counterpart of the method."""
        others = {key: value for key, value in self.params.items() if key != "supervision"}
        return RankingMethod(self.name, {**others, "supervised": True})

    def semi_supervised(self):
        """The semi-supervised counterpart of the method, with the parameters :data:`SEMI_SUPERVISED`."""
        params = {key: value for key, value in self.params.items() if key != "supervised"}
        if "max_samples" in params:  # half of them are labelled
            params["max_samples"] *= 2
        ranker = ranker_info(self.name).load()
        return RankingMethod(self.name, params | {k: v for k, v in SEMI_SUPERVISED.items() if hasattr(ranker, k)})


def choose_methods(names, task, n_features):
    """Choose the methods to run: "auto", or names, in one text separated by commas.

    Raises DataError if a name is unknown or does not support the kind of target.
    """
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else names
    odd = [name for name in names if not isinstance(name, str)] if isinstance(names, Sequence) else [names]
    if odd:
        raise DataError(
            f"expected names of methods, got {reprlib.repr(odd[0])}",
            advice="Write ['genie3'], or ['module:Class'] for a ranker of your own",
        )
    if list(names) == ["auto"]:
        drawn = {"max_features": DRAWN} if n_features >= MANY_FEATURES else {}
        return [
            RankingMethod(name, params | drawn if "ensemble" in params else params) for name, params in AUTO.items()
        ]
    chosen = list(dict.fromkeys(names))
    if not any(chosen):
        raise DataError("no method is given", advice=f"See 'sslrank methods --task {task}'")
    for name in chosen:
        _check_method(name, task)
    return [RankingMethod(name) for name in chosen]


def drawn_note(methods):
    """A note, in a list, if nodes of a default forest try a part of the features; else an empty list."""
    names = [method.name for method in methods if method.params.get("max_features") == DRAWN]
    return [f"{', '.join(names)}: each node tries a third of the features, drawn at random"] if names else []


def _check_method(name, task):
    if ":" in name:
        try:
            ranker_info(name).load()
        except (ImportError, ValueError) as error:
            raise DataError(f"method {name!r} cannot be used: {error}") from None
        return
    known = available_rankers(task)
    if name in known:
        return
    if name in available_rankers():
        problem = f"does not support {task}; these do: {', '.join(sorted(known))}"
    else:
        problem = f"is unknown; {suggestion(name, known)}"
    raise DataError(f"method {name!r} {problem}", advice=f"See 'sslrank methods --task {task}'")
