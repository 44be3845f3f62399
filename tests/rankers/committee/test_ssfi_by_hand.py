"""Algorithm 1 of paper ssfi on 12 rows, step by step; every expected number was worked out on paper.

Rows 0-3 are labelled 0, 0, 1, 1 and rows 4-11 are not. Members 0 and 1 see feature a only, member 2 sees b
only, so every tree is decided by thresholds midway between values, without any random choice.
"""

import numpy as np
import pytest

from sslrank.core.features import encode_features
from sslrank.rankers.committee.cotraining import Committee, Member, measure_confidence
from sslrank.rankers.committee.learners import learner_columns, make_learner
from sslrank.rankers.committee.relevance import out_of_bag_matrix, permutation_importances

A = [0, 1, 8, 9, 2, 7, 4.2, 9, 3, 6, 4.4, 0]
B = [0, 2, 6, 10, 1, 9, 1, 10, 9, 1, 1, 10]
LABELS = np.array([0, 0, 1, 1] + [-1] * 8, dtype=np.int32)
LABELED, UNLABELED = np.arange(4, dtype=np.int32), np.arange(4, 12, dtype=np.int32)
RATES = np.array([1, 1])


@pytest.fixture(params=[1, 2, 3])
def committee(request):
    draws = [
        ([0], [0, 0, 2, 3], [7, 4, 6, 5, 4, 7, 7, 6]),
        ([0], [1, 2, 2, 1], [10, 8, 9, 11, 8, 8, 9, 10]),
        ([1], [3, 2, 1, 0], [9, 5, 9, 4, 8, 4, 5, 9]),
    ]
    members = [
        Member.from_draws(i, features, LABELED, from_l, UNLABELED, from_u, LABELS)
        for i, (features, from_l, from_u) in enumerate(draws)
    ]
    design = learner_columns(encode_features(np.column_stack([A, B])))
    return Committee(members, make_learner(None, design, 2), 12, 2, seed=0, n_jobs=request.param)


@pytest.fixture
def found(committee):
    committee.build()
    return committee


def votes(found):
    return [tuple(row) for row in found.votes[4:].tolist()]


def test_bags_lines_5_to_8(committee):
    members = committee.members
    assert [m.labeled_oob.tolist() for m in members] == [[1], [0, 3], []]
    assert [m.unlabeled_oob.tolist() for m in members] == [[8, 9, 10, 11], [4, 5, 6, 7], [6, 7, 10, 11]]
    assert [m.pool.tolist() for m in members] == [[7, 4, 6, 5], [10, 8, 9, 11], [9, 5, 4, 8]]
    assert [dict(zip(m.bag.tolist(), m.counts.tolist(), strict=True)) for m in members] == [
        {0: 2, 2: 1, 3: 1},
        {1: 2, 2: 2},
        {0: 1, 1: 1, 2: 1, 3: 1},
    ]


def test_initial_committee_and_votes_line_9(found):
    """Thresholds: a <= 4 (member 0), a <= 4.5 (member 1), b <= 4 (member 2)."""
    assert votes(found) == [(1, 0), (0, 1), (2, 0), (0, 2), (1, 0), (0, 1), (1, 1), (1, 1)]
    label, confidence = measure_confidence(found.votes)
    assert label[4:].tolist() == [0, 1, 0, 1, 0, 1, 0, 0]
    assert confidence[4:].tolist() == [1, 1, 1, 1, 1, 1, 0.5, 0.5]
    assert label[:4].tolist() == [-1] * 4


def test_first_iteration_lines_14_to_18(found):
    """Each member takes its first most confident row of either class; member 0 moves to a <= 5."""
    assert found.refine(RATES, max_iter=1) == 1
    assert [m.bag.tolist()[-2:] for m in found.members] == [[4, 7], [8, 9], [4, 9]]
    assert [m.labels.tolist()[-2:] for m in found.members] == [[0, 1]] * 3
    assert [m.pool.tolist() for m in found.members] == [[6, 5], [10, 11], [5, 8]]
    assert votes(found) == [(1, 0), (0, 1), (2, 0), (0, 2), (1, 0), (0, 1), (2, 0), (1, 1)]


def test_second_iteration_with_missing_candidates(found):
    """Member 1 has candidates of class 0 only; member 2 gets rows 5 and 8, equal in b but not in class."""
    assert found.refine(RATES, max_iter=2) == 2
    bags = [[0, 2, 3, 4, 7, 6, 5], [1, 2, 8, 9, 10], [0, 1, 2, 3, 4, 9, 8, 5]]
    assert [m.bag.tolist() for m in found.members] == bags
    assert [m.pool.tolist() for m in found.members] == [[], [11], []]
    assert votes(found) == [(1, 0), (0, 1), (2, 0), (0, 2), (1, 0), (0, 1), (2, 0), (1, 1)]


def test_co_training_stops_without_changes_line_20(found):
    assert found.refine(RATES, max_iter=10) == 4  # the third moves row 11 to member 1, the fourth has no rows
    assert all(len(m.pool) == 0 for m in found.members)
    assert [m.labeled_oob.tolist() for m in found.members] == [[1], [0, 3], []]


def test_out_of_bag_matrices_and_importances_lines_21_to_32(found):
    found.refine(RATES, max_iter=10)
    label, confidence = measure_confidence(found.votes)
    matrices = [out_of_bag_matrix(m, LABELS, label, confidence) for m in found.members]
    # member 2 says 1 for row 11, the vote is 0: not predicted well
    assert [data.tolist() for data, _, _ in matrices] == [[1, 8, 9, 10, 11], [0, 3, 4, 5, 6, 7], [6, 7, 10]]
    assert [said.tolist() for _, said, _ in matrices] == [[0, 0, 1, 0, 0], [0, 1, 0, 1, 0, 1], [0, 1, 0]]
    assert [sure.tolist() for _, _, sure in matrices] == [[1, 1, 1, 1, 0.5], [1] * 6, [1] * 3]

    def rolled(member, rows):
        return lambda: np.roll(rows, [2, 1, 1][member.index])

    # a: rows 9 (1) and 11 (0.5) of member 0, all six rows of member 1; b: rows 7 and 10 of member 2
    importances = permutation_importances(found, LABELS, 2, rolled)
    np.testing.assert_allclose(importances, [(1.5 + 6) / 3, 2 / 3], rtol=1e-15)
