"""From features to the columns that methods work on."""

import numpy as np
import pandas as pd
import pytest

from sslrank.columns import Features, design_matrix, encode_features

NAN = np.nan
X = np.array([[1.0, 5.0, 3.0, 3.0], [1.0, 5.0, 3.0, 3.0], [9.0, 0.0, 0.0, 0.0]])


def test_design_matrix_by_hand():
    values = np.array([[0.0, 0, 1], [4.0, 2, np.nan], [np.nan, 1, 1], [8.0, np.nan, 0]])
    design = design_matrix(Features(values, np.array([0, 3, 2], dtype=np.int32)), np.array([0, 1, 2]))
    np.testing.assert_array_equal(design.starts, [0, 1, 4, 5])
    expected = [[0, 1, 0, 0, 1], [1, 0, 0, 1, 1], [0.5, 0, 1, 0, 1], [2, 1, 0, 0, 0]]
    np.testing.assert_array_equal(design.values, expected)
    np.testing.assert_array_equal(design.columns([1, 0]), [1, 2, 3, 0])


def test_frame_columns_are_nominal_unless_numeric():
    frame = pd.DataFrame(
        {
            "number": [1.5, NAN, 3.0],
            "text": ["b", "a", None],
            "flag": [True, False, True],
            "kind": pd.Categorical(["x", NAN, "x"], categories=["w", "x"]),
            "nullable": pd.array([1, None, 2], dtype="Int64"),
        }
    )
    features = encode_features(frame)
    assert features.n_categories.tolist() == [0, 2, 2, 2, 0]
    np.testing.assert_array_equal(features.values, [[1.5, 1, 1, 1, 1], [NAN, 0, 0, NAN, NAN], [3.0, NAN, 1, 1, 2]])


@pytest.mark.parametrize("listed", [[1], [False, True, False, False], ["b"]])
def test_categorical_features_by_index_mask_and_name(listed):
    features = encode_features(X, listed, feature_names=list("abcd"))
    assert features.n_categories.tolist() == [0, 2, 0, 0]
    np.testing.assert_array_equal(features.values[:, 1], [1, 1, 0])


@pytest.mark.parametrize("listed", [[7], [-1], [True], ["z"]])
def test_unknown_categorical_features_are_refused(listed):
    with pytest.raises(ValueError, match="categorical_features"):
        encode_features(X, listed, feature_names=list("abcd"))


@pytest.mark.parametrize("bad", [np.inf, -np.inf])
def test_infinity_is_refused(bad):
    with pytest.raises(ValueError, match="infinity"):
        encode_features(np.array([[1.0, bad]]))
    with pytest.raises(ValueError, match="infinity"):
        encode_features(pd.DataFrame({"a": [1.0, bad]}))
