"""Names of the package for editors and type checkers; written by `python tests/stubs.py`."""

from typing import Any, Literal, overload

from sslrank.core.base import BaseRanker as BaseRanker
from sslrank.model_selection.labeled_kfold import LabeledKFold as LabeledKFold
from sslrank.models.labeled_only import LabeledOnly as LabeledOnly
from sslrank.rankers.committee.fwfs import FwFS as FwFS
from sslrank.rankers.committee.permutation_forest import PermutationForest as PermutationForest
from sslrank.rankers.committee.ssfi import SSFI as SSFI
from sslrank.rankers.controls import RandomRanking as RandomRanking
from sslrank.rankers.distilled import DistilledForest as DistilledForest
from sslrank.rankers.f_score import FScore as FScore
from sslrank.rankers.fsga import FSGA as FSGA
from sslrank.rankers.graph.cls import CLS as CLS
from sslrank.rankers.graph.constraint_score import ConstraintScore as ConstraintScore
from sslrank.rankers.graph.csfs import CSFS as CSFS
from sslrank.rankers.graph.laplacian_score import LaplacianScore as LaplacianScore
from sslrank.rankers.graph.lsdf import LSDF as LSDF
from sslrank.rankers.graph.sc4 import SC4 as SC4
from sslrank.rankers.graph.sselect import SSelect as SSelect
from sslrank.rankers.graph.ssl_laplacian import SSLLaplacianScore as SSLLaplacianScore
from sslrank.rankers.information_gain import InformationGain as InformationGain
from sslrank.rankers.l1 import SparseLinear as SparseLinear
from sslrank.rankers.mean_rank import MeanRank as MeanRank
from sslrank.rankers.multilabel.br_cls import BRCLS as BRCLS
from sslrank.rankers.multilabel.lp_cls import LPCLS as LPCLS
from sslrank.rankers.multilabel.memetic import MemeticRanker as MemeticRanker
from sslrank.rankers.multilabel.ml_mi import MLMI as MLMI
from sslrank.rankers.multilabel.ppt_mi import PPTMI as PPTMI
from sslrank.rankers.multilabel.s_cls import SCLS as SCLS
from sslrank.rankers.multilabel.three_way import ThreeWayFS as ThreeWayFS
from sslrank.rankers.multilabel.wrapper import MultiLabel as MultiLabel
from sslrank.rankers.peer_selectors import ConditionalImportance as ConditionalImportance
from sslrank.rankers.peer_selectors import FastCan as FastCan
from sslrank.rankers.peer_selectors import MultiSURF as MultiSURF
from sslrank.rankers.peers import Boruta as Boruta
from sslrank.rankers.peers import LightGBM as LightGBM
from sslrank.rankers.peers import MRMR as MRMR
from sslrank.rankers.peers import MutualInformation as MutualInformation
from sslrank.rankers.peers import ScikitForest as ScikitForest
from sslrank.rankers.pseudo_labels import LabelPropagation as LabelPropagation
from sslrank.rankers.pseudo_labels import SelfTraining as SelfTraining
from sslrank.rankers.registry import available_rankers as available_rankers
from sslrank.rankers.relief.relieff import RReliefF as RReliefF
from sslrank.rankers.relief.relieff import ReliefF as ReliefF
from sslrank.rankers.relief.ssl_relief import SSLRelief as SSLRelief
from sslrank.rankers.semi_information import SemiInformation as SemiInformation
from sslrank.rankers.sparse_regression import ConvexCSFS as ConvexCSFS
from sslrank.rankers.sparse_regression import RLSR as RLSR
from sslrank.rankers.stability_selection import StabilitySelection as StabilitySelection
from sslrank.rankers.svm_rfe import SVMRFE as SVMRFE
from sslrank.rankers.trees.forest import PCTForestRanker as PCTForestRanker
from sslrank.rankers.trees.pct import PCT as PCT
from sslrank.tabular.ranking import rank as rank

__version__: str

@overload
def get_ranker(name: Literal["fwfs"], *, task=..., n_features_to_select=..., categorical_features=..., n_jobs=...,
    random_state=..., n_selected=..., sampling_rate=..., sampling_times=..., forward_steps=..., start_features=...,
    cv=..., estimator=..., min_samples_split=..., supervised=...) -> FwFS: ...
@overload
def get_ranker(name: Literal["permutation_importance"], *, task=..., n_features_to_select=...,
    categorical_features=..., n_jobs=..., random_state=..., n_estimators=..., max_features=...,
    scaled=...) -> PermutationForest: ...
@overload
def get_ranker(name: Literal["ssfi"], *, task=..., n_features_to_select=..., categorical_features=..., n_jobs=...,
    random_state=..., n_estimators=..., max_features=..., n_confident=..., max_iter=..., estimator=...,
    min_samples_split=..., supervised=...) -> SSFI: ...
@overload
def get_ranker(name: Literal["random_ranking"], *, task=..., n_features_to_select=..., categorical_features=...,
    n_jobs=..., random_state=..., supervised=...) -> RandomRanking: ...
@overload
def get_ranker(name: Literal["distilled"], *, task=..., n_features_to_select=..., categorical_features=...,
    n_jobs=..., random_state=..., n_estimators=..., teacher=..., supervised=..., hierarchy=...,
    hierarchy_alpha=...) -> DistilledForest: ...
@overload
def get_ranker(name: Literal["f_score"], *, task=..., n_features_to_select=..., categorical_features=...,
    n_jobs=..., random_state=..., hierarchy=..., hierarchy_alpha=...) -> FScore: ...
@overload
def get_ranker(name: Literal["fsga"], *, task=..., n_features_to_select=..., categorical_features=..., n_jobs=...,
    random_state=..., n_estimators=..., n_generations=..., n_candidates=..., n_parents=...,
    supervised=...) -> FSGA: ...
@overload
def get_ranker(name: Literal["cls"], *, task=..., n_features_to_select=..., categorical_features=..., n_jobs=...,
    random_state=..., n_neighbors=..., bandwidth=..., scale=..., supervised=...) -> CLS: ...
@overload
def get_ranker(name: Literal["constraint_score"], *, task=..., n_features_to_select=..., categorical_features=...,
    n_jobs=..., random_state=..., variant=..., balance=..., scale=...) -> ConstraintScore: ...
@overload
def get_ranker(name: Literal["csfs"], *, task=..., n_features_to_select=..., categorical_features=..., n_jobs=...,
    random_state=..., n_neighbors=..., bandwidth=..., scale=..., neighborhoods=..., max_clusters=...,
    max_constraints=..., supervised=...) -> CSFS: ...
@overload
def get_ranker(name: Literal["laplacian_score"], *, task=..., n_features_to_select=..., categorical_features=...,
    n_jobs=..., random_state=..., n_neighbors=..., bandwidth=..., scale=...) -> LaplacianScore: ...
@overload
def get_ranker(name: Literal["lsdf"], *, task=..., n_features_to_select=..., categorical_features=..., n_jobs=...,
    random_state=..., gamma=..., n_neighbors=..., scale=..., supervised=...) -> LSDF: ...
@overload
def get_ranker(name: Literal["sc4"], *, task=..., n_features_to_select=..., categorical_features=..., n_jobs=...,
    random_state=..., n_neighbors=..., bandwidth=..., scale=..., laplacian_rows=..., supervised=...) -> SC4: ...
@overload
def get_ranker(name: Literal["sselect"], *, task=..., n_features_to_select=..., categorical_features=...,
    n_jobs=..., random_state=..., n_neighbors=..., bandwidth=..., scale=..., balance=...,
    supervised=...) -> SSelect: ...
@overload
def get_ranker(name: Literal["ssl_laplacian"], *, task=..., n_features_to_select=..., categorical_features=...,
    n_jobs=..., random_state=..., n_neighbors=..., lam=..., label_weight=..., supervised=...) -> SSLLaplacianScore: ...
@overload
def get_ranker(name: Literal["information_gain"], *, task=..., n_features_to_select=..., categorical_features=...,
    n_jobs=..., random_state=..., discretization=..., n_bins=...) -> InformationGain: ...
@overload
def get_ranker(name: Literal["l1"], *, task=..., n_features_to_select=..., categorical_features=..., n_jobs=...,
    random_state=..., n_alphas=..., eps=..., hierarchy=..., hierarchy_alpha=...) -> SparseLinear: ...
@overload
def get_ranker(name: Literal["mean_rank"], *, task=..., n_features_to_select=..., categorical_features=...,
    n_jobs=..., random_state=..., members=..., votes=..., hierarchy=..., hierarchy_alpha=...) -> MeanRank: ...
@overload
def get_ranker(name: Literal["br_cls"], *, task=..., n_features_to_select=..., categorical_features=..., n_jobs=...,
    random_state=..., n_neighbors=..., bandwidth=..., scale=..., supervised=...) -> BRCLS: ...
@overload
def get_ranker(name: Literal["lp_cls"], *, task=..., n_features_to_select=..., categorical_features=..., n_jobs=...,
    random_state=..., n_neighbors=..., bandwidth=..., scale=..., supervised=...) -> LPCLS: ...
@overload
def get_ranker(name: Literal["memetic"], *, task=..., n_features_to_select=..., categorical_features=...,
    n_jobs=..., random_state=..., budget=..., population_size=..., max_features=..., scoring=...,
    scale=...) -> MemeticRanker: ...
@overload
def get_ranker(name: Literal["ml_mi"], *, task=..., n_features_to_select=..., categorical_features=..., n_jobs=...,
    random_state=..., n_bins=..., n_greedy=...) -> MLMI: ...
@overload
def get_ranker(name: Literal["ppt_mi"], *, task=..., n_features_to_select=..., categorical_features=..., n_jobs=...,
    random_state=..., min_count=..., n_greedy=..., n_neighbors=..., max_samples=...) -> PPTMI: ...
@overload
def get_ranker(name: Literal["s_cls"], *, task=..., n_features_to_select=..., categorical_features=..., n_jobs=...,
    random_state=..., n_neighbors=..., bandwidth=..., scale=..., n_prototypes=..., label_weights=...,
    supervised=...) -> SCLS: ...
@overload
def get_ranker(name: Literal["3_3fs"], *, task=..., n_features_to_select=..., categorical_features=..., n_jobs=...,
    random_state=..., n_neighbors=..., bandwidth=..., scale=..., n_estimators=..., supervised=...) -> ThreeWayFS: ...
@overload
def get_ranker(name: Literal["ig_br", "ppt_relieff", "relieff_br", "relieff_lp"], *, estimator=..., by=...,
    average=..., min_rows=..., task=..., n_features_to_select=..., categorical_features=..., n_jobs=...,
    random_state=...) -> MultiLabel: ...
@overload
def get_ranker(name: Literal["conditional_importance"], *, task=..., n_features_to_select=...,
    categorical_features=..., n_jobs=..., random_state=..., hierarchy=..., hierarchy_alpha=..., n_estimators=...,
    n_permutations=...) -> ConditionalImportance: ...
@overload
def get_ranker(name: Literal["fastcan"], *, task=..., n_features_to_select=..., categorical_features=...,
    n_jobs=..., random_state=..., hierarchy=..., hierarchy_alpha=..., n_selected=...) -> FastCan: ...
@overload
def get_ranker(name: Literal["multisurf"], *, task=..., n_features_to_select=..., categorical_features=...,
    n_jobs=..., random_state=..., hierarchy=..., hierarchy_alpha=...) -> MultiSURF: ...
@overload
def get_ranker(name: Literal["boruta"], *, task=..., n_features_to_select=..., categorical_features=..., n_jobs=...,
    random_state=..., hierarchy=..., hierarchy_alpha=..., n_estimators=..., max_iter=...) -> Boruta: ...
@overload
def get_ranker(name: Literal["lightgbm_gain", "lightgbm_shap"], *, task=..., n_features_to_select=...,
    categorical_features=..., n_jobs=..., random_state=..., hierarchy=..., hierarchy_alpha=..., importance=...,
    min_child_samples=..., n_estimators=...) -> LightGBM: ...
@overload
def get_ranker(name: Literal["mrmr"], *, task=..., n_features_to_select=..., categorical_features=..., n_jobs=...,
    random_state=..., hierarchy=..., hierarchy_alpha=..., n_selected=...) -> MRMR: ...
@overload
def get_ranker(name: Literal["mutual_information"], *, task=..., n_features_to_select=..., categorical_features=...,
    n_jobs=..., random_state=..., hierarchy=..., hierarchy_alpha=...) -> MutualInformation: ...
@overload
def get_ranker(name: Literal["scikit_forest"], *, task=..., n_features_to_select=..., categorical_features=...,
    n_jobs=..., random_state=..., hierarchy=..., hierarchy_alpha=..., forest=..., importance=...,
    n_estimators=...) -> ScikitForest: ...
@overload
def get_ranker(name: Literal["label_propagation"], *, task=..., n_features_to_select=..., categorical_features=...,
    n_jobs=..., random_state=..., n_neighbors=..., alpha=...) -> LabelPropagation: ...
@overload
def get_ranker(name: Literal["self_training"], *, task=..., n_features_to_select=..., categorical_features=...,
    n_jobs=..., random_state=..., n_estimators=..., threshold=..., max_iter=...) -> SelfTraining: ...
@overload
def get_ranker(name: Literal["rrelieff"], *, task=..., n_features_to_select=..., categorical_features=...,
    n_jobs=..., random_state=..., n_iterations=..., n_neighbors=..., sigma=...) -> RReliefF: ...
@overload
def get_ranker(name: Literal["relieff"], *, task=..., n_features_to_select=..., categorical_features=...,
    n_jobs=..., random_state=..., n_iterations=..., n_neighbors=...) -> ReliefF: ...
@overload
def get_ranker(name: Literal["relief"], *, task=..., n_features_to_select=..., categorical_features=..., n_jobs=...,
    random_state=..., n_neighbors=..., w0=..., w1=..., n_iterations=..., hierarchy=..., hierarchy_alpha=...,
    supervised=..., cv=..., scoring_neighbors=...) -> SSLRelief: ...
@overload
def get_ranker(name: Literal["semi_jmi", "semi_mim"], *, task=..., n_features_to_select=...,
    categorical_features=..., n_jobs=..., random_state=..., criterion=..., class_shares=..., n_bins=...,
    n_selected=..., supervised=...) -> SemiInformation: ...
@overload
def get_ranker(name: Literal["convex_csfs"], *, task=..., n_features_to_select=..., categorical_features=...,
    n_jobs=..., random_state=..., penalty=..., scale=..., max_iter=..., tol=..., hierarchy=...,
    hierarchy_alpha=...) -> ConvexCSFS: ...
@overload
def get_ranker(name: Literal["rlsr"], *, task=..., n_features_to_select=..., categorical_features=..., n_jobs=...,
    random_state=..., penalty=..., scale=..., max_iter=..., tol=...) -> RLSR: ...
@overload
def get_ranker(name: Literal["stability_selection"], *, task=..., n_features_to_select=...,
    categorical_features=..., n_jobs=..., random_state=..., n_pairs=..., hierarchy=...,
    hierarchy_alpha=...) -> StabilitySelection: ...
@overload
def get_ranker(name: Literal["svm_rfe"], *, task=..., n_features_to_select=..., categorical_features=...,
    n_jobs=..., random_state=..., C=..., step=...) -> SVMRFE: ...
@overload
def get_ranker(name: Literal["genie3", "ssl_permutation", "symbolic"], *, task=..., n_features_to_select=...,
    categorical_features=..., n_jobs=..., random_state=..., hierarchy=..., hierarchy_alpha=...,
    min_samples_leaf=..., min_labeled_split=..., max_depth=..., supervised=..., ensemble=..., importance=...,
    supervision=..., n_estimators=..., max_features=..., bootstrap=..., max_samples=..., cv_folds=...,
    cv_levels=..., cv_n_estimators=...) -> PCTForestRanker: ...
@overload
def get_ranker(name: str, **params: Any) -> BaseRanker: ...
