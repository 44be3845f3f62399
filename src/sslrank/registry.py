"""The one list of rankers, used by :func:`get_ranker` and by the workflow alike."""

import importlib
from dataclasses import dataclass, field

from sslrank.hints import nearest
from sslrank.tasks import TASKS


@dataclass(frozen=True)
class RankerInfo:
    """Where a ranker lives and what it can rank.

    Attributes
    ----------
    path : str
        ``"module:Class"``; the module is imported only when the ranker is made.
    tasks : frozenset of str
        Kinds of target it supports, out of :data:`sslrank.targets.TASKS`; ``"none"`` means it ranks without
        any target.
    params : dict
        Parameters that the name stands for, e.g. the score of a forest.
    supervised : bool
        Whether the class takes ``supervised=True``, which removes the unlabelled rows.
    """

    path: str
    tasks: frozenset
    params: dict = field(default_factory=dict)
    supervised: bool = True

    def load(self):
        """Import and return the class."""
        module, _, name = self.path.partition(":")
        return getattr(importlib.import_module(module), name)


EVERY_TASK = frozenset({*TASKS, "none"})

RANKERS: dict[str, RankerInfo] = {
    "3_3fs": RankerInfo("sslrank.rankers.multilabel.three_way:ThreeWayFS", frozenset({"mlc"})),
    "br_cls": RankerInfo("sslrank.rankers.multilabel.br_cls:BRCLS", frozenset({"mlc", "none"})),
    "cls": RankerInfo("sslrank.rankers.graph.cls:CLS", frozenset({"classification", "none"})),
    "constraint_score": RankerInfo(
        "sslrank.rankers.graph.constraint_score:ConstraintScore",
        frozenset({"classification"}),
        supervised=False,
    ),
    "csfs": RankerInfo("sslrank.rankers.graph.csfs:CSFS", frozenset({"classification"})),
    "fwfs": RankerInfo("sslrank.rankers.committee.fwfs:FwFS", frozenset({"classification"})),
    "genie3": RankerInfo("sslrank.rankers.trees.forest:PCTForestRanker", EVERY_TASK, {"importance": "genie3"}),
    "information_gain": RankerInfo(
        "sslrank.rankers.information_gain:InformationGain", frozenset({"classification"}), supervised=False
    ),
    "laplace": RankerInfo("sslrank.rankers.graph.laplace:LaplaceScore", frozenset({"str"})),
    "laplacian_score": RankerInfo("sslrank.rankers.graph.laplacian_score:LaplacianScore", EVERY_TASK, supervised=False),
    "lp_cls": RankerInfo("sslrank.rankers.multilabel.lp_cls:LPCLS", frozenset({"mlc", "none"})),
    "lsdf": RankerInfo("sslrank.rankers.graph.lsdf:LSDF", frozenset({"classification"})),
    "memetic": RankerInfo("sslrank.rankers.multilabel.memetic:MemeticRanker", frozenset({"mlc"}), supervised=False),
    "ml_mi": RankerInfo("sslrank.rankers.multilabel.ml_mi:MLMI", frozenset({"mlc"}), supervised=False),
    "ppt_mi": RankerInfo("sslrank.rankers.multilabel.ppt_mi:PPTMI", frozenset({"mlc"}), supervised=False),
    "random_forest": RankerInfo(
        "sslrank.rankers.trees.forest:PCTForestRanker", frozenset(TASKS), {"importance": "random_forest"}
    ),
    "relief": RankerInfo("sslrank.rankers.relief.ssl_relief:SSLRelief", EVERY_TASK),
    "relieff": RankerInfo("sslrank.rankers.relief.relieff:ReliefF", frozenset({"classification"}), supervised=False),
    "rf": RankerInfo(
        "sslrank.rankers.committee.permutation_forest:PermutationForest",
        frozenset({"classification"}),
        supervised=False,
    ),
    "rrelieff": RankerInfo("sslrank.rankers.relief.relieff:RReliefF", frozenset({"str"}), supervised=False),
    "s_cls": RankerInfo("sslrank.rankers.multilabel.s_cls:SCLS", frozenset({"mlc", "none"})),
    "sc4": RankerInfo("sslrank.rankers.graph.sc4:SC4", frozenset({"classification"})),
    "sselect": RankerInfo("sslrank.rankers.graph.sselect:SSelect", frozenset({"classification"})),
    "ssfi": RankerInfo("sslrank.rankers.committee.ssfi:SSFI", frozenset({"classification"})),
    "svm_rfe": RankerInfo("sslrank.rankers.svm_rfe:SVMRFE", frozenset({"classification"}), supervised=False),
    "symbolic": RankerInfo("sslrank.rankers.trees.forest:PCTForestRanker", EVERY_TASK, {"importance": "symbolic"}),
}


def available_rankers(task=None):
    """Names of the registered rankers.

    Parameters
    ----------
    task : str, optional
        Keep only the rankers that support this kind of target.

    Returns
    -------
    list of str
        Sorted names.
    """
    return sorted(name for name, info in RANKERS.items() if task is None or task in info.tasks)


def ranker_info(name):
    """The :class:`RankerInfo` of a registered name or of a ``"module:Class"`` path.

    Raises
    ------
    ValueError
        If the name is not registered; the message names the nearest one.
    """
    if name in RANKERS:
        return RANKERS[name]
    if ":" in name:
        return RankerInfo(name, EVERY_TASK)
    hint = nearest(name, RANKERS) or "."
    raise ValueError(f"unknown ranker {name!r}{hint} Available: {', '.join(available_rankers())}")


def get_ranker(name, **params):
    """Make a ranker.

    Parameters
    ----------
    name : str
        A name of :func:`available_rankers`, or ``"module:Class"`` for a ranker of your own.
    **params
        Parameters of the estimator; they override what the name stands for.

    Returns
    -------
    sslrank.base.BaseRanker
        An estimator that is not fitted yet.

    Raises
    ------
    ValueError
        If the name is unknown.
    TypeError
        If a parameter is unknown to the estimator.
    """
    info = ranker_info(name)
    return info.load()(**{**info.params, **params})
