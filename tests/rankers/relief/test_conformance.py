"""scikit-learn's own checks of an estimator; none is expected to fail."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from sslrank import get_ranker

# The checks use whole numbers as targets, which a regression ranker takes only when told to.
RANKERS = [
    get_ranker("relief"),
    get_ranker("relief", n_neighbors=5, w0=0.0, w1=1.0),
    get_ranker("relief", supervised=True),
    get_ranker("relieff"),
    get_ranker("rrelieff", task="str"),
]


@parametrize_with_checks(RANKERS)
def test_scikit_learn_conformance(estimator, check):
    check(estimator)
