"""Rankers by name, for :func:`get_ranker`, the commands, the workflow and the guide's table."""

import importlib
import inspect
from dataclasses import dataclass, field

from sslrank.core.messages import nearest
from sslrank.core.tasks import EVERY_TASK, TASKS


@dataclass(frozen=True)
class RankerInfo:
    """Entry of a ranker: its class and the targets it can rank for.

    Attributes
    ----------
    path : str
        ``"module:Class"``; the module is imported only when the ranker is made.
    paper : str
        Who published the method.
    tasks : frozenset of str
        Kinds of target it supports, out of :data:`sslrank.core.targets.TASKS`; ``"none"`` means it ranks without
        any target.
    use : str
        What it is good for, in one line.
    params : dict
        Parameters that the name stands for, e.g. the importance of a forest.
    title : str
        What people call the ranking, for pictures and pages.

    Examples
    --------
    >>> ranker_info("cls").load().__name__
    'CLS'
    """

    path: str
    paper: str
    tasks: frozenset
    use: str
    params: dict = field(default_factory=dict)
    title: str = ""

    def load(self):
        """Import and return the class.

        Returns
        -------
        type

        Raises
        ------
        ValueError
            If the module has no such class, or it is not a :class:`sslrank.core.base.BaseRanker`.
        ImportError
            If the module cannot be imported.
        """
        from sslrank.core.base import BaseRanker

        module, _, name = self.path.partition(":")
        found = importlib.import_module(module)
        if not hasattr(found, name):
            classes = [other for other, value in vars(found).items() if inspect.isclass(value)]
            raise ValueError(f"module {module!r} ({found.__file__}) has no class {name!r}{nearest(name, classes)}")
        ranker = getattr(found, name)
        if not (inspect.isclass(ranker) and issubclass(ranker, BaseRanker)):
            raise ValueError(f"{self.path!r} is not a ranker: derive the class from sslrank.core.base.BaseRanker")
        return ranker


def _info(title, path, paper, tasks, use, **params):
    tasks = {"any": EVERY_TASK, "all": frozenset(TASKS)}.get(tasks) or frozenset(tasks.split())
    return RankerInfo(f"sslrank.rankers.{path}", paper, tasks, use, params, title)


# The name, then: title, class, paper, kinds of target (all: all five; any: these and none), what it is good for.
RANKERS: dict[str, RankerInfo] = {
    "3_3fs": _info("3-3FS", "multilabel.three_way:ThreeWayFS", "Alalga 2017", "multilabel",
                   "many features and labels: an ensemble of s_cls over samples of rows, features and labels"),
    "br_cls": _info("BR-CLS", "multilabel.br_cls:BRCLS", "Alalga 2017", "multilabel none",
                    "few labels: cls of each label, averaged by rank"),
    "cls": _info("CLS", "graph.cls:CLS", "Benabdeslem, Hindawi 2011", "classification none",
                 "features that vary smoothly between neighbours and little within a class"),
    "constraint_score": _info("Constraint score", "graph.constraint_score:ConstraintScore", "Zhang, Chen, Zhou 2008",
                              "classification", "pairs of rows known to be alike or different, without classes"),
    "csfs": _info("CSFS", "graph.csfs:CSFS", "Hindawi, Allab, Benabdeslem 2011", "classification",
                  "as cls, where pairs contradict each other: keeps the coherent ones"),
    "distilled": _info("Distilled forest", "distilled:DistilledForest", "Hinton, Vinyals, Dean 2015",
                       "all",
                       "many features, few labels, many unlabelled rows: a forest of what four teachers predict"),
    "f_score": _info("F score", "f_score:FScore", "Pillai 1955", "all",
                     "a fast supervised filter, each feature alone: analysis of variance, correlation"),
    "fwfs": _info("FwFS", "committee.fwfs:FwFS", "Ren et al. 2008", "classification",
                  "a small subset for one classifier: forward search on predicted labels, slow"),
    "genie3": _info("Genie3 score", "trees.forest:PCTForestRanker", "Petković, Džeroski, Kocev 2020", "any",
                    "the first to try: forest of semi-supervised trees, decrease of impurity", importance="genie3"),
    "information_gain": _info("Information gain", "information_gain:InformationGain",
                              "Quinlan 1986; Fayyad, Irani 1993", "classification",
                              "a fast supervised filter, each feature alone"),
    "l1": _info("L1", "l1:SparseLinear", "Yuan, Lin 2006", "all",
                "little redundancy, linear effects: the order in which a supervised lasso takes features up"),
    "laplace": _info("Semi-supervised Laplacian score", "graph.laplace:LaplaceScore", "Doquire, Verleysen 2013",
                     "regression", "one numeric target that changes smoothly between near rows"),
    "laplacian_score": _info("Laplacian score", "graph.laplacian_score:LaplacianScore", "He, Cai, Niyogi 2005", "any",
                             "no labels at all: ignores the target"),
    "lp_cls": _info("LP-CLS", "multilabel.lp_cls:LPCLS", "Alalga 2017", "multilabel none",
                    "few distinct sets of labels: cls with sets as classes"),
    "lsdf": _info("LSDF", "graph.lsdf:LSDF", "Zhao, Lu, He 2008", "classification",
                  "a fast graph score that weighs labelled pairs most"),
    "memetic": _info("Memetic search", "multilabel.memetic:MemeticRanker", "Lee, Kim 2015", "multilabel",
                     "a subset for ML-kNN: supervised genetic search, slow"),
    "ml_mi": _info("ML-MI", "multilabel.ml_mi:MLMI", "Lee, Kim 2013", "multilabel",
                   "little redundancy: supervised greedy selection by mutual information with pairs of labels"),
    "ppt_mi": _info("PPT+MI", "multilabel.ppt_mi:PPTMI", "Doquire, Verleysen 2011", "multilabel",
                    "few distinct sets of labels: supervised greedy selection by mutual information"),
    "random_forest": _info("Random forest score", "trees.forest:PCTForestRanker", "Petković, Džeroski, Kocev 2020",
                           "all",
                           "as genie3, by the loss when a feature is permuted", importance="random_forest"),
    "relief": _info("SSL-Relief", "relief.ssl_relief:SSLRelief", "Petković, Džeroski, Kocev 2020", "any",
                    "interacting features and near rows that tell; quadratic in the rows"),
    "relieff": _info("ReliefF", "relief.relieff:ReliefF", "Kononenko 1994", "classification",
                     "the supervised original of relief for classes"),
    "rf": _info("Breiman's random forest", "committee.permutation_forest:PermutationForest", "Breiman 2001",
                "classification", "the supervised standard: permutation importance of a random forest"),
    "rrelieff": _info("RReliefF", "relief.relieff:RReliefF", "Robnik-Šikonja, Kononenko 2003", "regression",
                      "the supervised original of relief for a number"),
    "s_cls": _info("S-CLS", "multilabel.s_cls:SCLS", "Alalga, Benabdeslem, Taleb 2016",
                   "multilabel regression multitarget none",
                   "many labels: pairs of rows count by the labels they share"),
    "sc4": _info("SC4", "graph.sc4:SC4", "Kalakech et al. 2011", "classification",
                 "few labelled rows: their constraint score times the others' Laplacian score"),
    "sselect": _info("sSelect", "graph.sselect:SSelect", "Zhao, Liu 2007", "classification",
                     "clusters that agree with the classes"),
    "ssfi": _info("SSFI", "committee.ssfi:SSFI", "Barkia, Elghazel, Aussem 2011", "classification",
                  "very few labelled rows: a committee of trees that label rows for each other"),
    "svm_rfe": _info("SVM-RFE", "svm_rfe:SVMRFE", "Guyon et al. 2002", "classification",
                     "many features, few rows, classes that a plane parts; supervised"),
    "symbolic": _info("Symbolic score", "trees.forest:PCTForestRanker", "Petković, Džeroski, Kocev 2020", "any",
                      "as genie3, by how many rows are tested", importance="symbolic"),
}  # fmt: skip


def available_rankers(task=None):
    """List the names of the registered rankers.

    Parameters
    ----------
    task : str, optional
        Keep only the rankers that support this kind of target.

    Returns
    -------
    list of str
        Sorted names.

    Raises
    ------
    ValueError
        If `task` is no kind of target.

    Examples
    --------
    >>> available_rankers("regression")[:3]
    ['distilled', 'f_score', 'genie3']
    """
    if task is not None and task not in EVERY_TASK:
        kinds = (*TASKS, "none")
        raise ValueError(f"there is no kind of target {task!r}{nearest(task, kinds)}; there are {', '.join(kinds)}")
    return sorted(name for name, info in RANKERS.items() if task is None or task in info.tasks)


def rankers_table():
    """Write the registered rankers as a table in Markdown: name, class, paper, kinds of target, use.

    Returns
    -------
    str
        Without a line break at the end.

    Examples
    --------
    >>> rankers_table().splitlines()[0]
    '| name | class | paper | kinds of target | good for |'
    """
    lines = ["| name | class | paper | kinds of target | good for |", "|---|---|---|---|---|"]
    for name in available_rankers():
        info = RANKERS[name]
        kinds = "any" if info.tasks == EVERY_TASK else ", ".join(t for t in (*TASKS, "none") if t in info.tasks)
        lines.append(f"| `{name}` | `{info.path.partition(':')[2]}` | {info.paper} | {kinds} | {info.use} |")
    return "\n".join(lines)


def ranker_info(name):
    """Look up the :class:`RankerInfo` of a registered name or of a ``"module:Class"`` path.

    Parameters
    ----------
    name : str
        A registered name, or ``module:Class`` of a ranker of your own.

    Returns
    -------
    RankerInfo

    Raises
    ------
    ValueError
        If the name is not registered; the message names the nearest one.

    Examples
    --------
    >>> sorted(ranker_info("cls").tasks)
    ['classification', 'none']
    """
    if name in RANKERS:
        return RANKERS[name]
    if ":" in name:
        return RankerInfo(name, "", EVERY_TASK, "")
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
    sslrank.core.base.BaseRanker
        An estimator that is not fitted yet.

    Raises
    ------
    ValueError
        If the name is unknown.
    TypeError
        If a parameter is unknown to the estimator.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> get_ranker("f_score", n_features_to_select=2).fit_transform(X, y).shape
    (150, 2)
    """
    info = ranker_info(name)
    return info.load()(**{**info.params, **params})
