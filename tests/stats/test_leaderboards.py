import numpy as np
import pandas as pd
import pytest

from references.demsar import AUC
from sslrank.stats.leaderboards import BOARD_COLUMNS, leaderboard
from sslrank.stats.pairwise import pairwise_tests


def tidy(matrix):
    """One row for each method on each dataset."""
    rows = matrix.rename_axis(index="dataset", columns="method").reset_index()
    return rows.melt(id_vars="dataset", var_name="method", value_name="score")


LONG = tidy(AUC.set_axis([f"d{i:02d}" for i in range(len(AUC))]))


def test_ranks_agree_with_demsar():
    found = leaderboard(LONG)
    table = found.table.set_index("method")
    ranks = AUC.rank(axis=1, ascending=False).mean()
    assert table.index.tolist() == ranks.sort_values().index.tolist()
    np.testing.assert_allclose(table["average_rank"], ranks[table.index])
    assert dict(table["average_rank"].round(3)) == {"C4.5+m+cf": 1.964, "C4.5+m": 2, "C4.5+cf": 2.893, "C4.5": 3.143}
    np.testing.assert_allclose(table["score"], AUC.mean()[table.index])
    assert (table["n_datasets"] == 14).all()
    assert list(found.table) == BOARD_COLUMNS


def test_p_values_are_those_of_pairs_with_the_leader():
    found = leaderboard(LONG)
    pd.testing.assert_frame_equal(found.pairs, pairwise_tests(AUC[found.table["method"]]))
    leader, *others = found.table["method"]
    of_pairs = found.pairs[found.pairs["first"] == leader].set_index("second")["p_holm"]
    assert found.table["p_holm"][1:].tolist() == of_pairs[others].tolist()
    assert found.table["significant"].tolist() == [False, *(of_pairs[others] < 0.05)]
    assert np.isnan(found.table["p_holm"][0])


def test_wins_match_hand_counts():
    matrix = pd.DataFrame({"a": [3, 2, 1, 5.0], "b": [2, 2, 2, np.nan], "c": [1, 1, 0, 1]}, index=list("wxyz"))
    found = leaderboard(tidy(matrix))
    assert found.left_out == ["z"]
    table = found.table.set_index("method")
    assert table.index.tolist() == ["a", "b", "c"]  # (1 + 1.5 + 2) / 3 twice: the first in the alphabet
    assert table["average_rank"].tolist() == [1.5, 1.5, 3]
    np.testing.assert_allclose(table["win_rate"], [0.5, 0.5, 0])
    # against all others, on all datasets that a pair has: a meets c on z as well
    assert table[["wins", "ties", "losses"]].to_numpy().tolist() == [[5, 1, 1], [4, 1, 1], [0, 0, 7]]
    assert found.pairs.set_index(["first", "second"])["n_datasets"].tolist() == [3, 4, 3]


def test_lower_may_be_better():
    found, turned = leaderboard(LONG), leaderboard(LONG.assign(score=1 - LONG["score"]), higher_is_better=False)
    pd.testing.assert_frame_equal(found.table.drop(columns="score"), turned.table.drop(columns="score"))
    pd.testing.assert_frame_equal(found.pairs, turned.pairs)


def test_row_order_does_not_matter():
    found, shuffled = leaderboard(LONG), leaderboard(LONG.sample(frac=1, random_state=0).assign(other="x"))
    pd.testing.assert_frame_equal(found.table, shuffled.table)
    pd.testing.assert_frame_equal(found.pairs, shuffled.pairs)


def test_no_common_dataset_leaves_pairs_only():
    frame = pd.DataFrame({"dataset": ["x", "y", "y"], "method": ["a", "b", "c"], "score": [1.0, 2.0, 3.0]})
    found = leaderboard(frame)
    assert found.table["method"].tolist() == ["c", "b", "a"]
    assert found.table[["average_rank", "lower", "win_rate", "score"]].isna().all(axis=None)
    assert found.pairs["n_datasets"].tolist() == [1, 0, 0]
    assert found.left_out == ["x", "y"]


def test_single_method_leads():
    found = leaderboard(LONG[LONG["method"] == "C4.5"])
    assert found.table[["average_rank", "win_rate", "wins", "n_datasets"]].values.tolist() == [[1, 1, 0, 14]]
    assert found.pairs.empty


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (LONG.drop(columns="method"), "the columns dataset, method and score are needed; method is missing"),
        (LONG.iloc[:0], "there is no score"),
        (pd.concat([LONG, LONG[:1]]), "method 'C4.5' has several scores on dataset 'd00'; average them first"),
    ],
)
def test_invalid_tables_are_refused(frame, message):
    with pytest.raises(ValueError, match=message):
        leaderboard(frame)
