"""Registry of rankers, by the names that :func:`get_ranker`, ``sslrank methods`` and the workflow accept."""

import importlib
import inspect
from dataclasses import dataclass, field

from sslrank.core.extras import require
from sslrank.core.messages import RENAMED, nearest, suggestion
from sslrank.core.tasks import EVERY_TASK, TASKS


@dataclass(frozen=True)
class RankerInfo:
    """Entry of a ranker: its class and the kinds of target it supports.

    Attributes
    ----------
    path : str
        ``"module:Class"``; the module is imported when the ranker is created.
    paper : str
        Authors and year of the method's paper; :attr:`url` has its address.
    tasks : frozenset of str
        Kinds of target it supports, out of :data:`sslrank.core.tasks.TASKS`; ``"none"`` means it ranks without
        any target.
    use : str
        What it is good for, in one line.
    params : dict
        Parameters that the name implies, e.g. the importance of a forest.
    title : str
        Title of the ranking in figures and on pages.
    needs : tuple of str
        Modules of the extra ``arena`` that must be installed.

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
    needs: tuple = ()

    @property
    def url(self):
        """Str : Address of the paper; empty if none is known."""
        return ADDRESSES.get(self.paper, "")

    @property
    def kinds(self):
        """Str : Kinds of target that it supports, as words for a list."""
        return "any" if self.tasks == EVERY_TASK else ", ".join(t for t in (*TASKS, "none") if t in self.tasks)

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
        imported = importlib.import_module(module)
        if not hasattr(imported, name):
            classes = [other for other, value in vars(imported).items() if inspect.isclass(value)]
            raise ValueError(f"module {module!r} ({imported.__file__}) has no class {name!r}{nearest(name, classes)}")
        ranker = getattr(imported, name)
        if not (inspect.isclass(ranker) and issubclass(ranker, BaseRanker)):
            raise ValueError(f"{self.path!r} is not a ranker: derive the class from sslrank.core.base.BaseRanker")
        return ranker


def _info(title, path, paper, tasks, use, needs=(), **params):
    tasks = {"any": EVERY_TASK, "all": frozenset(TASKS)}.get(tasks) or frozenset(tasks.split())
    return RankerInfo(f"sslrank.rankers.{path}", paper, tasks, use, params, title, needs)


# The name, then: title, class, paper, kinds of target (all: all five; any: these and none), what it is good for;
# `needs` names modules of the extra arena, other keywords are parameters that the name implies.
RANKERS: dict[str, RankerInfo] = {
    "3_3fs": _info("3-3FS", "multilabel.three_way:ThreeWayFS", "Alalga 2017", "multilabel",
                   "many features and labels: an ensemble of s_cls over samples of rows, features and labels"),
    "boruta": _info("Boruta", "peers:Boruta", "Kursa, Rudnicki 2010", "classification regression",
                    "all relevant features: a supervised forest against shuffled copies of the features, slow",
                    ("boruta",)),
    "br_cls": _info("BR-CLS", "multilabel.br_cls:BRCLS", "Alalga 2017", "multilabel none",
                    "few labels: cls of each label, averaged by rank"),
    "cls": _info("CLS", "graph.cls:CLS", "Benabdeslem, Hindawi 2011", "classification none",
                 "features that vary smoothly between neighbours and little within a class"),
    "conditional_importance": _info("Conditional importance", "peer_selectors:ConditionalImportance",
                                    "Chamma, Engemann, Thirion 2023", "classification regression",
                                    "few, correlated features: supervised permutation given the others, slow",
                                    ("hidimstat",)),
    "constraint_score": _info("Constraint score", "graph.constraint_score:ConstraintScore", "Zhang, Chen, Zhou 2008",
                              "classification", "must-link and cannot-link pairs of rows instead of classes"),
    "convex_csfs": _info("Convex CSFS", "sparse_regression:ConvexCSFS", "Chang, Nie, Yang, Huang 2014",
                         "classification multilabel hierarchical",
                         "linear effects: a row-sparse regression that learns the unknown labels, too"),
    "csfs": _info("CSFS", "graph.csfs:CSFS", "Hindawi, Allab, Benabdeslem 2011", "classification",
                  "as cls, where constraints contradict each other: keeps the coherent ones"),
    "distilled": _info("Distilled forest", "distilled:DistilledForest", "Hinton, Vinyals, Dean 2015",
                       "all",
                       "many features, few labels, many unlabelled rows: a forest distilled from four models"),
    "f_score": _info("F score", "f_score:FScore", "Pillai 1955", "all",
                     "a fast supervised filter, each feature alone: analysis of variance, correlation"),
    "fastcan": _info("fastcan", "peer_selectors:FastCan", "Zhang, Lang 2022", "all",
                     "little redundancy, linear effects: supervised forward selection by canonical correlation",
                     ("fastcan",)),
    "fsga": _info("FSGA", "fsga:FSGA", "Feofanov, Devijver, Amini 2022", "classification",
                  "a small subset for a forest: genetic search on labels that a forest gives by a bound, slow"),
    "fwfs": _info("FwFS", "committee.fwfs:FwFS", "Ren et al. 2008", "classification",
                  "a small subset for one classifier: forward search on predicted labels, slow"),
    "genie3": _info("Genie3 score", "trees.forest:PCTForestRanker", "Petković, Džeroski, Kocev 2020", "any",
                    "the first to try: forest of semi-supervised trees, decrease of impurity", importance="genie3"),
    "ig_br": _info("IG-BR", "multilabel.wrapper:MultiLabel", "Spolaôr et al. 2013", "multilabel",
                   "a fast supervised filter: information gain for each label, averaged", estimator="information_gain"),
    "information_gain": _info("Information gain", "information_gain:InformationGain",
                              "Quinlan 1986; Fayyad, Irani 1993", "classification",
                              "a fast supervised filter, each feature alone"),
    "l1": _info("L1", "l1:SparseLinear", "Yuan, Lin 2006", "all",
                "little redundancy, linear effects: the order in which features enter a supervised lasso"),
    "label_propagation": _info("Label propagation", "pseudo_labels:LabelPropagation", "Zhou et al. 2004",
                               "classification", "clusters that agree with the classes: F after label spreading"),
    "laplacian_score": _info("Laplacian score", "graph.laplacian_score:LaplacianScore", "He, Cai, Niyogi 2005", "any",
                             "no labels at all: ignores the target"),
    "lightgbm_gain": _info("LightGBM, gain", "peers:LightGBM", "Ke et al. 2017", "classification regression",
                           "supervised gradient boosting, by the gain of its splits", ("lightgbm",)),
    "lightgbm_shap": _info("LightGBM, SHAP", "peers:LightGBM", "Lundberg, Lee 2017", "classification regression",
                           "supervised gradient boosting, by mean absolute SHAP value", ("lightgbm",),
                           importance="shap"),
    "lp_cls": _info("LP-CLS", "multilabel.lp_cls:LPCLS", "Alalga 2017", "multilabel none",
                    "few distinct sets of labels: cls with sets as classes"),
    "lsdf": _info("LSDF", "graph.lsdf:LSDF", "Zhao, Lu, He 2008", "classification",
                  "a fast graph score that weighs pairs of labelled rows most"),
    "mean_rank": _info("Mean rank", "mean_rank:MeanRank", "Borda 1781; Saeys et al. 2008",
                       "all",
                       "a consensus: mean of the ranks by a forest, f_score and l1, or by members of your choice",
                       members={"forest": {"ranker": "genie3", "supervised": True, "n_estimators": 500},
                                "f_score": "f_score", "l1": "l1"}),
    "memetic": _info("Memetic search", "multilabel.memetic:MemeticRanker", "Lee, Kim 2015", "multilabel",
                     "a subset for ML-kNN: supervised genetic search, slow"),
    "ml_mi": _info("ML-MI", "multilabel.ml_mi:MLMI", "Lee, Kim 2013", "multilabel",
                   "little redundancy: supervised greedy selection by mutual information with pairs of labels"),
    "mrmr": _info("mRMR", "peers:MRMR", "Zhao, Anand, Wang 2019", "classification regression",
                  "little redundancy: supervised F over the mean correlation with chosen features"),
    "multisurf": _info("MultiSURF", "peer_selectors:MultiSURF", "Urbanowicz et al. 2018", "classification regression",
                       "interacting features, few labelled rows: Relief without a number of neighbours, slow",
                       ("skrebate",)),
    "mutual_information": _info("Mutual information", "peers:MutualInformation", "Kraskov et al. 2004; Ross 2014",
                                "classification regression",
                                "a supervised filter, each feature alone: any dependence, by nearest neighbours"),
    "permutation_importance": _info("Permutation importance", "committee.permutation_forest:PermutationForest",
                                    "Breiman 2001", "classification",
                                    "the supervised standard: a random forest's loss when a feature is permuted"),
    "ppt_mi": _info("PPT+MI", "multilabel.ppt_mi:PPTMI", "Doquire, Verleysen 2011", "multilabel",
                    "few distinct sets of labels: supervised greedy selection by mutual information"),
    "ppt_relieff": _info("PPT-ReliefF", "multilabel.wrapper:MultiLabel", "Read 2008; Spolaôr et al. 2013", "multilabel",
                         "few distinct sets of labels: supervised ReliefF, rare sets left out",
                         estimator="relieff", by="pruned"),
    "random_ranking": _info("Random ranking", "controls:RandomRanking", "a control", "any",
                            "the baseline that any ranking has to beat: features in random order"),
    "relief": _info("SSL-Relief", "relief.ssl_relief:SSLRelief", "Petković, Džeroski, Kocev 2020", "any",
                    "interacting features, informative nearest neighbours; quadratic in the rows"),
    "relieff": _info("ReliefF", "relief.relieff:ReliefF", "Kononenko 1994", "classification",
                     "the supervised original of relief for classes"),
    "relieff_br": _info("RF-BR", "multilabel.wrapper:MultiLabel", "Spolaôr et al. 2013", "multilabel",
                        "interacting features: supervised ReliefF for each label, averaged", estimator="relieff"),
    "relieff_lp": _info("RF-LP", "multilabel.wrapper:MultiLabel", "Spolaôr et al. 2013", "multilabel",
                        "few distinct sets of labels: supervised ReliefF with sets as classes",
                        estimator="relieff", by="powerset"),
    "rlsr": _info("RLSR", "sparse_regression:RLSR", "Chen, Nie, Yuan, Huang 2017", "classification",
                  "linear effects: factors that rescale features in a regression that learns the unknown labels, too"),
    "rrelieff": _info("RReliefF", "relief.relieff:RReliefF", "Robnik-Šikonja, Kononenko 2003", "regression",
                      "the supervised original of relief for a number"),
    "s_cls": _info("S-CLS", "multilabel.s_cls:SCLS", "Alalga, Benabdeslem, Taleb 2016",
                   "multilabel regression multitarget none",
                   "many labels: weighs pairs of rows by the labels they share"),
    "sc4": _info("SC4", "graph.sc4:SC4", "Kalakech et al. 2011", "classification",
                 "few labelled rows: their constraint score times the others' Laplacian score"),
    "scikit_forest": _info("scikit-learn forest", "peers:ScikitForest", "Breiman 2001; Pedregosa et al. 2011",
                           "all",
                           "a supervised standard: scikit-learn's random forest, decrease of impurity"),
    "self_training": _info("Self-training", "pseudo_labels:SelfTraining", "Yarowsky 1995", "classification",
                           "few labels: a random forest that learns from its confident predictions"),
    "semi_jmi": _info("Semi-JMI", "semi_information:SemiInformation", "Sechidis, Brown 2018", "classification",
                      "little redundancy, two classes: joint mutual information, unlabelled rows taken as one class"),
    "semi_mim": _info("Semi-MIM", "semi_information:SemiInformation", "Sechidis, Brown 2018", "classification",
                      "two classes: mutual information of each feature alone, unlabelled rows taken as one class",
                      criterion="mim"),
    "sselect": _info("sSelect", "graph.sselect:SSelect", "Zhao, Liu 2007", "classification",
                     "clusters that agree with the classes"),
    "ssfi": _info("SSFI", "committee.ssfi:SSFI", "Barkia, Elghazel, Aussem 2011", "classification",
                  "very few labelled rows: a committee of trees that label rows for each other"),
    "ssl_laplacian": _info("Semi-supervised Laplacian score", "graph.ssl_laplacian:SSLLaplacianScore",
                           "Doquire, Verleysen 2013", "regression",
                           "one numeric target that varies smoothly between neighbours"),
    "ssl_permutation": _info("Random forest score", "trees.forest:PCTForestRanker", "Petković, Džeroski, Kocev 2020",
                             "all",
                             "as genie3, by the loss when a feature is permuted", importance="random_forest"),
    "stability_selection": _info("Stability selection", "stability_selection:StabilitySelection",
                                 "Meinshausen, Bühlmann 2010", "all",
                                 "linear effects, features that other rows would choose again: l1 of half-samples"),
    "svm_rfe": _info("SVM-RFE", "svm_rfe:SVMRFE", "Guyon et al. 2002", "classification",
                     "many features, few rows, linearly separable classes; supervised"),
    "symbolic": _info("Symbolic score", "trees.forest:PCTForestRanker", "Petković, Džeroski, Kocev 2020", "any",
                      "as genie3, by the share of rows that a feature's tests see", importance="symbolic"),
}  # fmt: skip


#: By the text of :attr:`RankerInfo.paper`; for several papers, the address of the first that has one.
ADDRESSES = {
    "Barkia, Elghazel, Aussem 2011": "https://doi.org/10.1109/ICDM.2011.129",
    "Borda 1781; Saeys et al. 2008": "https://doi.org/10.1007/978-3-540-87481-2_21",
    "Breiman 2001": "https://doi.org/10.1023/A:1010933404324",
    "Breiman 2001; Pedregosa et al. 2011": "https://doi.org/10.1023/A:1010933404324",
    "Chamma, Engemann, Thirion 2023": "https://arxiv.org/abs/2309.07593",
    "Feofanov, Devijver, Amini 2022": "https://doi.org/10.1007/s10489-021-03076-w",
    "Guyon et al. 2002": "https://doi.org/10.1023/A:1012487302797",
    "Hinton, Vinyals, Dean 2015": "https://arxiv.org/abs/1503.02531",
    "Kononenko 1994": "https://doi.org/10.1007/3-540-57868-4_57",
    "Kraskov et al. 2004; Ross 2014": "https://doi.org/10.1103/PhysRevE.69.066138",
    "Kursa, Rudnicki 2010": "https://doi.org/10.18637/jss.v036.i11",
    "Lundberg, Lee 2017": "https://arxiv.org/abs/1705.07874",
    "Meinshausen, Bühlmann 2010": "https://doi.org/10.1111/j.1467-9868.2010.00740.x",
    "Petković, Džeroski, Kocev 2020": "https://arxiv.org/abs/2008.03937",
    "Quinlan 1986; Fayyad, Irani 1993": "https://doi.org/10.1007/BF00116251",
    "Robnik-Šikonja, Kononenko 2003": "https://doi.org/10.1023/A:1025667309714",
    "Sechidis, Brown 2018": "https://doi.org/10.1007/s10994-017-5648-2",
    "Urbanowicz et al. 2018": "https://arxiv.org/abs/1711.08477",
    "Yuan, Lin 2006": "https://doi.org/10.1111/j.1467-9868.2005.00532.x",
    "Zhang, Lang 2022": "https://doi.org/10.1016/j.patcog.2021.108419",
    "Zhao, Anand, Wang 2019": "https://arxiv.org/abs/1908.05376",
    "Zhao, Lu, He 2008": "https://doi.org/10.1016/j.neucom.2007.06.014",
}


def available_rankers(task: str | None = None) -> list[str]:
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
        If `task` is not a kind of target.

    Examples
    --------
    >>> available_rankers("regression")[:3]
    ['boruta', 'conditional_importance', 'distilled']
    """
    if task is not None and task not in EVERY_TASK:
        kinds = (*TASKS, "none")
        hint = nearest(task, kinds, RENAMED)
        raise ValueError(f"there is no kind of target {task!r}{hint}; there are {', '.join(kinds)}")
    return sorted(name for name, info in RANKERS.items() if task is None or task in info.tasks)


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
        If the name is not registered; the message suggests the new name of a renamed ranker, or the nearest name.

    Examples
    --------
    >>> sorted(ranker_info("cls").tasks)
    ['classification', 'none']
    """
    if not isinstance(name, str):
        raise ValueError(f"the name of a ranker must be a text, got {name!r}")
    if name in RANKERS:
        return RANKERS[name]
    if name in RENAMED:
        raise ValueError(f"unknown ranker {name!r}{nearest(name, RANKERS, RENAMED)}")
    if ":" in name:
        return RankerInfo(name, "", EVERY_TASK, "")
    hint = nearest(name, RANKERS) or "."
    raise ValueError(f"unknown ranker {name!r}{hint} Available: {', '.join(available_rankers())}")


def get_ranker(name, **params):
    """Create a ranker by its name.

    Parameters
    ----------
    name : str
        A name of :func:`available_rankers`, or ``"module:Class"`` for a ranker of your own.
    **params
        Parameters of the estimator; they override those of the name.

    Returns
    -------
    sslrank.core.base.BaseRanker
        An unfitted estimator.

    Raises
    ------
    ValueError
        If the name is unknown.
    TypeError
        If the estimator has no such parameter.
    sslrank.core.extras.MissingExtraError
        If the ranker needs a package that is not installed.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> get_ranker("f_score", n_features_to_select=2).fit_transform(X, y).shape
    (150, 2)
    """
    info = ranker_info(name)
    if info.needs:
        require("arena", f"the ranker {name!r}", *info.needs)
    ranker = info.load()
    known = inspect.signature(ranker).parameters
    for key in params:
        if key not in known:
            raise TypeError(f"{name}, class {ranker.__name__}, has no parameter {key!r}; {suggestion(key, known)}")
    return ranker(**{**info.params, **params})
