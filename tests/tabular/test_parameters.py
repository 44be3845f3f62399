"""Invalid parameter values raise one message that gives the valid ones."""

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

import sslrank

N = 40
X = pd.DataFrame(np.random.default_rng(0).normal(size=(N, 3)), columns=list("abc"))
Y = (X["a"] > 0).astype(int).to_numpy()
GIVEN = {"X": X, "y": Y, "methods": "f_score", "effort": "order"}
SHAPE = "X must be a table, with two dimensions and some columns, got "


@pytest.fixture(scope="module")
def ranking():
    return sslrank.rank(**GIVEN)


def check(call, message):
    with pytest.raises((ValueError, TypeError)) as raised:
        call()
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("parameter", "value", "message"),
    [
        ("X", None, SHAPE + "None"),
        ("X", 3, SHAPE + "3"),
        ("X", [1.0, 2.0], SHAPE + "shape (2,)"),
        ("X", [], "X has no rows and no columns; pass a table"),
        ("X", X.iloc[:0], "X has no rows; pass a table"),
        ("X", np.zeros((N, 0)), "X has no columns; pass a table"),
        ("y", None, "y is None, but rank() needs a target"),
        ("y", "A", "y: X has no column 'A'; did you mean 'a'?"),
        ("y", [], "X 40, y 0"),
        ("y", np.zeros((N, 2, 2)), "y must have one or two dimensions"),
        ("methods", None, "expected names of methods or rankers, got None"),
        ("methods", [], "no method is given"),
        ("methods", ["relif"], "'relif' is unknown; did you mean 'relief'"),
        ("methods", [DecisionTreeClassifier()], "names of methods or rankers, got DecisionTreeClassifier(). Write"),
        ("methods", [3], "expected names of methods or rankers"),
        ("effort", [], "unknown effort []; known are: full, order, quick"),
        ("effort", "ful", "did you mean 'full'?"),
        ("repeats", 1, "repeats must be a whole number, 0, to rank all rows once, or at least 2; got 1"),
        ("repeats", 2.5, "got 2.5"),
        ("top", 4, "top must be a whole number, in 1..3; got 4"),
        ("top", True, "got True"),
        ("curve", "no", "curve must be one of None, True, False, got 'no'"),
        ("blocks", {"size": 3}, "blocks must be a dict of lists of features"),
        ("blocks", {"size": []}, "block 'size' has no features"),
        ("blocks", {"size": ["e"]}, "block 'size': the table has no feature 'e'"),
        ("blocks", {"p": ["a"], "q": ["a"]}, "feature 'a' is in the blocks 'p' and 'q'"),
        ("blocks", {"a": ["b", "c"]}, "block 'a' has the name of a feature that is not in it"),
        ("predictor", [], "unknown predictor []; known are: best, forest, knn, linear, svm, tree"),
        ("measure", [], "unknown measure []"),
        ("task", [], "unknown task []; known are: classification"),
        ("hierarchy", 3, "hierarchy must be a list with the parents of each label, got 3"),
        ("nominal", None, "nominal must be a sequence of names, got None"),
        ("drop", "a", "drop must be a sequence of names, got the string 'a'; pass ['a']"),
        ("keep", [["a"]], "there is no column ['a']; the columns are a, b, c"),
        ("groups", 3, "groups must have a value for each row, or be the name of a column, got 3"),
        ("time", [1, 2], "X has 40 rows, time has 2"),
        ("sample_weight", {}, "sample_weight must have a value for each row, or be the name of a column, got {}"),
        ("sample_weight", -np.ones(N), "row 1 has the weight -1; weights are finite and at least 0"),
        ("random_state", -3, "random_state must be None, an int >= 0, a RandomState or a Generator, got -3"),
        ("n_jobs", 0, "n_jobs must be a number of threads, -1 for all cores or None for one, got 0"),
        ("n_jobs", 1.5, "n_jobs must be a number of threads"),
    ],
)
def test_rank_refuses_invalid_arguments(parameter, value, message):
    check(lambda: sslrank.rank(**GIVEN | {parameter: value}), message)


def test_blocks_may_have_the_name_of_a_member_that_is_a_number():
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(40, 3)))
    assert len(sslrank.rank(X, np.arange(40) % 2, blocks={0: [0, 1]}, effort="order").blocks) == 1


@pytest.mark.parametrize(("role", "reason"), [("adjust", "adjusted for"), ("drop", "as requested")])
def test_blocks_have_no_columns_that_are_left_out(role, reason):
    options = {"blocks": {"u": ["b", "c"]}, role: ["b"]}
    check(lambda: sslrank.rank(**GIVEN | options), f"block 'u': 'b' is left out ({reason}), so it cannot be in a block")


def test_columns_are_not_taken_for_renamed_options():
    table = X.rename(columns={"a": "regression"})
    check(lambda: sslrank.rank(**GIVEN | {"X": table, "drop": ["str"]}), "'str'; the columns are regression, b, c")


@pytest.mark.parametrize("n_jobs", [-1, -2, -100, None, np.int64(1)])
def test_n_jobs_follows_scikit_learn(n_jobs, ranking):
    assert sslrank.rank(**GIVEN | {"n_jobs": n_jobs}).to_frame().equals(ranking.to_frame())


def test_rankers_refuse_zero_threads():
    for name in ("genie3", "l1"):
        with pytest.raises(ValueError, match="n_jobs must be a number of threads"):
            sslrank.get_ranker(name, n_jobs=0).fit(X, Y)


@pytest.mark.parametrize(
    ("method", "values", "message"),
    [
        ("best", {"count": 0}, "count must be None or an int >= 1, got 0"),
        ("short_list", {"count": 1.5}, "got 1.5"),
        ("save_html", {"path": 3}, "expected str, bytes or os.PathLike object, not int"),
        ("plot", {"kind": "rank"}, "unknown kind of picture 'rank'; did you mean 'ranks'?"),
        ("plot", {"count": 0}, "count must be an int >= 1, got 0"),
        ("plot", {"ax": 3}, "ax must be a matplotlib Axes, such as from plt.subplots(), got 3"),
        ("plot", {"kind": "effects"}, "unknown kind of picture 'effects'; known are: curve, ranks"),
        ("plot", {"kind": "curve"}, "the ranking has no curve: effort='full' computes it"),
    ],
)
def test_result_methods_refuse_invalid_arguments(ranking, method, values, message):
    check(lambda: getattr(ranking, method)(**values), message)


def test_all_zero_weights_are_refused():
    y, weights = np.where(np.arange(N) % 2, Y, -1), (np.arange(N) + 1) % 2
    check(lambda: sslrank.get_ranker("genie3").fit(X, y, sample_weight=weights), "weight is 0 in every")
    check(lambda: sslrank.rank(**GIVEN | {"y": y, "sample_weight": weights}), "all labelled rows have the weight 0")


def test_ranker_reports_misspelt_parameter_and_too_many_features():
    check(lambda: sslrank.get_ranker("genie3", n_estimator=5), "did you mean 'n_estimators'?")
    with pytest.warns(UserWarning, match="n_features_to_select is 500, but X has only 3 features: all are selected"):
        assert sslrank.get_ranker("f_score", n_features_to_select=500).fit(X, Y).transform(X).shape == (N, 3)
