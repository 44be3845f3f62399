"""Differences of rankings to a control."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from sslrank.benchmark.results.control_tests import p_values
from sslrank.stats.rank_tests import corrected_resampled_t_test


@pytest.mark.parametrize(("n_rows", "n_test"), [(100, 20), (90, 30)])
def test_variance_correction_uses_test_to_train_ratio(n_rows, n_test):
    values = {"good": [0.80, 0.84, 0.79, 0.86], "control": [0.70, 0.71, 0.74, 0.75]}
    folds = pd.DataFrame(
        [
            {"task": "classification", "dataset": "d", "method": name, "ranking": name, "mode": "ssl"}
            | {"fold": fold, "n_test": n_test, "value": value}
            for name, of_folds in values.items()
            for fold, value in enumerate(of_folds)
        ]
    )
    datasets = pd.DataFrame({"dataset": ["d"], "examples": [n_rows]})
    found = p_values(SimpleNamespace(scores=folds, datasets=datasets), folds, "control", "value")
    assert found["method"].tolist() == ["good"]
    difference = np.subtract(values["good"], values["control"])
    expected = corrected_resampled_t_test(difference, test_to_train=n_test / (n_rows - n_test))
    assert found["p_value"].item() == pytest.approx(expected)
