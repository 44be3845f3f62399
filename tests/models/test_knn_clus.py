"""Predictions of the CLUS program's kNN, number by number."""

import numpy as np
import pytest

from oracles.clus.arff import CLUS, read_arff
from sslrank.core.features import Features
from sslrank.core.targets import encode_targets
from sslrank.models.knn import knn_predict

PROGRAM = {"neighbors": "all", "ranges": "train_and_test", "missing_nominal": "one", "fallback": "zero"}
#: Kind of target, number of targets, training rows; the 40 rows after these are tested on.
PROBLEMS = {
    "class": ("classification", 1, 110),
    "multilabel": ("multilabel", 3, 110),
    "multitarget": ("multitarget", 3, 300),
}
KS = (1, 3, 10)


def our_predictions(name, **readings):
    task, n_targets, n_train = PROBLEMS[name]
    values, n_categories = read_arff(f"data/{name}_ssl.arff.gz")
    features = Features(np.ascontiguousarray(values[:, :-n_targets]), n_categories[:-n_targets])
    y = values[:, -n_targets:]
    targets = encode_targets(y[:, 0] if n_targets == 1 else y, len(y), task=task)
    settings = (CLUS / "knn" / f"{name}.s").read_text()
    weights = [float(w) for w in settings.split("AttributeWeighting = [")[1].split("]")[0].split(",")]
    train, test = slice(0, n_train), slice(n_train, n_train + 40)
    return knn_predict(features.rows(train), targets.rows(train), features.rows(test), weights, KS, **readings)


def program_predictions(name):
    """For each k the predicted values or codes, and for nominal targets the votes, NaN where there are none."""
    _, n_targets, _ = PROBLEMS[name]
    values, _ = read_arff(f"knn/{name}.test.pred.arff")
    width = (values.shape[1] - n_targets) // len(KS)
    for number, k in enumerate(KS):
        block = values[:, n_targets + number * width :][:, : width - 1]  # the last column names the model
        votes = block[:, n_targets:].reshape(len(block), n_targets, -1)
        if votes.size:
            votes = votes / np.where(votes.sum(axis=2) > 0, votes.sum(axis=2), np.nan)[:, :, None]
        yield k, block[:, :n_targets], votes


def largest_difference(name, **readings):
    ours, largest = our_predictions(name, **readings), 0.0
    for k, predicted, votes in program_predictions(name):
        if name == "class":
            predicted = votes[:, 0]
        elif name == "multilabel":
            predicted = votes[:, :, 0]  # its label columns are {1,0}
        difference = np.abs(ours[k] - predicted)
        largest = max(largest, np.nanmax(difference))
    return largest


@pytest.mark.parametrize("name", PROBLEMS)
def test_predictions_match_clus(name):
    assert largest_difference(name, **PROGRAM) < 1e-12


def test_clus_predicts_majority_class_without_votes():
    ours = our_predictions("class", **PROGRAM)
    for k, predicted, _ in program_predictions("class"):
        np.testing.assert_array_equal(np.argmax(ours[k], axis=1), predicted[:, 0])
