"""scikit-learn's own checks of rankers, which need classes or numbers as targets."""

import pytest
from sklearn.utils.estimator_checks import check_estimator

from rankers.test_rankers import make_ranker
from sslrank import available_rankers, get_ranker
from sslrank.rankers.registry import RANKERS

#: Rankers with sample_weight that a weight of 2 does not change as a repeated row does.
_BOOTSTRAP = "bootstrap samples are drawn from other rows"
RELATIVE_WEIGHTS = {
    **dict.fromkeys(("genie3", "scikit_forest", "ssl_permutation", "symbolic"), _BOOTSTRAP),
    "information_gain": "the number of rows decides where MDL cuts, and weights have mean 1",
    "permutation_importance": _BOOTSTRAP,
}
EQUIVALENCE = ("check_sample_weight_equivalence_on_dense_data", "check_sample_weight_equivalence_on_sparse_data")
#: Rankers that do more than rank coded tables (fit, encode, weights, sparse tables, members), one of each kind.
ONE_OF_EACH = (
    *("cls", "f_score", "genie3", "information_gain", "l1", "laplacian_score", "mean_rank", "permutation_importance"),
    *("relief", "scikit_forest"),
)
NAMES = [name for name in available_rankers() if RANKERS[name].tasks & {"classification", "regression"}]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in ONE_OF_EACH else pytest.mark.exhaustive) for name in NAMES]
)
@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_estimator_checks_pass(name):
    ranker = get_ranker(name) if name == "relief" else make_ranker(name)  # relief chooses its weights here
    if "classification" not in RANKERS[name].tasks:
        ranker.set_params(task="regression")  # whole numbers, which it takes as a target only when told to
    failing = {check: reason for check in EQUIVALENCE if (reason := RELATIVE_WEIGHTS.get(name))}
    check_estimator(ranker, expected_failed_checks=failing, on_skip=None)
