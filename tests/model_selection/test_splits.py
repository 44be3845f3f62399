"""Folds and label sets: the counts of section 6.4, nesting, seeds, and every scheme's edge cases."""

import pickle
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sslrank.model_selection.splits import LabelBudget, Splits, deal, make_splits

PAPER_BUDGETS = ["50", "100", "200", "350", "500"]


def split(y, **options):
    """Splits of a dataset of classes, unless other options say so."""
    return make_splits(y, **({"task": "classification", "dataset": "d"} | options))


def classes(n, k=3, seed=0):
    return np.random.default_rng(seed).integers(k, size=n).astype(str).astype(object)


def assert_partition(splits, n):
    tested = np.concatenate([fold.test for fold in splits.folds])
    assert np.array_equal(np.sort(tested), np.arange(n))
    for fold in splits.folds:
        assert np.array_equal(np.sort(np.concatenate([fold.train, fold.test])), np.arange(n))
        for rows in fold.labeled.values():
            assert np.isin(rows, fold.train).all()
            assert len(np.unique(rows)) == len(rows)


def assert_nested(splits):
    for fold in splits.folds:
        for smaller, larger in pairwise(splits.budgets):
            assert np.isin(fold.labeled[smaller], fold.labeled[larger]).all()


def test_label_counts_match_section_6_4():
    splits = split(classes(1000), scheme="ssl-cross-validation", budgets=PAPER_BUDGETS, folds=10)
    assert len(splits.folds) == 10
    parts = [fold.test for fold in splits.folds]
    for budget in PAPER_BUDGETS:
        base, rest = divmod(int(budget), 9)
        for fold in splits.folds:
            for i, part in enumerate(parts):
                if i != fold.fold:
                    expected = base + (1 if i < rest else 0)
                    assert np.isin(part, fold.labeled[budget]).sum() == expected
            # The test fold's own copy is missing, with or without its extra label.
            assert len(fold.labeled[budget]) == int(budget) - (1 if fold.fold < rest else 0)
        assert not splits.folds[0].note


def test_fold_scheme_keeps_labels_across_training_sets():
    splits = split(classes(200), scheme="ssl-cross-validation", budgets=["50"])
    for part in splits.folds:
        kept = [tuple(np.intersect1d(part.test, fold.labeled["50"])) for fold in splits.folds if fold.fold != part.fold]
        assert len(set(kept)) == 1


def test_more_labels_than_rows_uses_all():
    splits = split(
        np.arange(154.0), task="regression", dataset="edm", scheme="ssl-cross-validation", budgets=PAPER_BUDGETS
    )
    for fold in splits.folds:
        assert np.array_equal(fold.labeled["500"], fold.train)
        assert "500 labels asked for" in fold.note["500"]
        assert "all there are" in fold.note["500"]
        assert "50" not in fold.note
    assert_nested(splits)


def test_predefined_parts_are_used_for_multi_label_data():
    y = np.random.default_rng(0).integers(2, size=(300, 4)).astype(float)
    parts = {"train": np.arange(200), "test": np.arange(200, 300)}
    splits = split(y, task="multilabel", scheme="ssl-cross-validation", budgets=[*PAPER_BUDGETS, "all"], parts=parts)
    assert len(splits.folds) == 1
    fold = splits.folds[0]
    assert np.array_equal(fold.train, parts["train"])
    assert np.array_equal(fold.test, parts["test"])
    assert [len(fold.labeled[b]) for b in splits.budgets] == [50, 100, 200, 200, 200, 200]
    assert set(fold.note) == {"350", "500"}
    assert_nested(splits)


def test_cross_validation_ignores_predefined_parts():
    parts = {"train": np.arange(20), "test": np.arange(20, 30)}
    splits = split(np.arange(30.0), task="regression", scheme="ssl-cross-validation", parts=parts, folds=3)
    assert len(splits.folds) == 3


def test_cross_validation_is_stratified_and_fully_labelled():
    y = np.array(["a"] * 90 + ["b"] * 10, dtype=object)
    splits = split(y, scheme="cross-validation", folds=10)
    assert_partition(splits, 100)
    for fold in splits.folds:
        assert (y[fold.test] == "b").sum() == 1
        assert np.array_equal(fold.labeled["all"], fold.train)


def test_ssfi_holdout_matches_paper():
    y = np.array(["a"] * 60 + ["b"] * 31 + ["c"] * 2, dtype=object)
    splits = split(y, scheme="holdout", budgets=["1-per-class", "3-per-class"], repetitions=10)
    assert [fold.fold for fold in splits.folds] == list(range(10))
    assert len({tuple(fold.test) for fold in splits.folds}) == 10
    for fold in splits.folds:
        assert (y[fold.test] == "a").sum() == 20
        assert (y[fold.test] == "b").sum() == 10
        assert [(y[fold.labeled["3-per-class"]] == c).sum() for c in "abc"] == [3, 3, 1]
        assert "class c" in fold.note["3-per-class"]
    assert_nested(splits)


def test_label_share_sets_number_of_labels():
    y = np.random.default_rng(0).integers(2, size=(100, 3)).astype(float)
    splits = split(y, task="multilabel", scheme="labeled-share", budgets=["10pct"], folds=5)
    assert [len(fold.labeled["10pct"]) for fold in splits.folds] == [8] * 5


def test_whole_dataset_scheme_uses_all_rows():
    (fold,) = split(classes(30), scheme="whole-dataset", budgets=["10", "all"]).folds
    assert np.array_equal(fold.train, fold.test)
    assert len(fold.labeled["10"]) == 10


def test_unlabelled_rows_are_never_tested():
    y = np.arange(60.0)
    y[::3] = np.nan
    splits = split(y, task="regression", scheme="ssl-cross-validation", budgets=["20", "all"])
    for fold in splits.folds:
        assert not np.isnan(y[fold.test]).any()
        for rows in fold.labeled.values():
            assert not np.isnan(y[rows]).any()
    text = np.array(["a", None, "b"] * 10, dtype=object)
    for fold in split(text, scheme="cross-validation").folds:
        assert None not in text[fold.labeled["all"]]


def test_seeds_depend_on_named_axes_only():
    def make(**changes):
        options = {"task": "regression", "scheme": "ssl-cross-validation", "seed": 1}
        return split(np.arange(100.0), budgets=["50"], **{**options, **changes})

    same, other_seed, other_data = make(), make(seed=2), make(dataset="e")
    assert np.array_equal(make().folds[0].test, same.folds[0].test)
    assert not np.array_equal(other_seed.folds[0].test, same.folds[0].test)
    assert not np.array_equal(other_data.folds[0].test, same.folds[0].test)


def test_save_and_load_round_trip(tmp_path):
    y = np.array(["a"] * 20 + ["b"] * 2, dtype=object)
    splits = split(y, scheme="holdout", budgets=["3-per-class"], repetitions=2)
    splits.save(tmp_path / "d.json")
    again = Splits.load(tmp_path / "d.json")
    assert again.budgets == splits.budgets
    np.testing.assert_equal([vars(fold) for fold in again.folds], [vars(fold) for fold in splits.folds])


@pytest.mark.parametrize(
    ("budget", "kind", "size"),
    [(50, "count", 50), ("all", "all", 0), ("10pct", "pct", 10), ("3-per-class", "per-class", 3)],
)
def test_budgets_have_file_names_and_descriptions(budget, kind, size):
    made = LabelBudget(budget)
    assert (f"L{made}", made.kind, made.size) == (f"L{budget}", kind, size)
    assert pickle.loads(pickle.dumps(made)).kind == kind


@pytest.mark.parametrize("scheme", ["ssl-cross-validation", "cross-validation", "holdout"])
def test_labels_do_not_depend_on_other_budgets(scheme):
    common = {"scheme": scheme, "folds": 3}
    every = split(classes(60), budgets=["2-per-class", 10, "10pct", "all", 30], **common)
    for budget in every.budgets:
        alone = split(classes(60), budgets=[budget], **common)
        for one, other in zip(alone.folds, every.folds, strict=True):
            assert np.array_equal(one.labeled[budget], other.labeled[budget]), budget


@pytest.mark.parametrize("budget", ["0", "fifty", "-3", "3-per-row", "101pct", "5.5", ""])
def test_invalid_budgets_raise(budget):
    with pytest.raises(ValueError, match="label budget"):
        LabelBudget(budget)


@pytest.mark.parametrize("scheme", ["ssl-cross-validation", "cross-validation", "holdout"])
def test_rows_can_be_restricted(scheme):
    y = classes(200)
    options = {"scheme": scheme, "folds": 4, "budgets": ["20", "all"]}
    splits = split(y, max_rows=60, **options)
    used = np.unique(np.concatenate([splits.folds[0].train, splits.folds[0].test]))
    assert len(used) == 60
    assert used.max() > 60  # they are rows of the dataset, not of the chosen ones
    alone = split(y[used], **options)
    for fold, wanted in zip(splits.folds, alone.folds, strict=True):
        assert np.array_equal(fold.train, used[wanted.train])
        assert np.array_equal(fold.test, used[wanted.test])
        for budget, labeled in wanted.labeled.items():
            assert np.array_equal(fold.labeled[budget], used[labeled])
    assert splits.n_rows == 200
    assert len(split(y, max_rows=201, **options).folds[0].train) > 60


def test_invalid_protocols_raise():
    with pytest.raises(ValueError, match="unknown split scheme 'cv'"):
        split(np.arange(9.0), task="regression", scheme="cv")
    with pytest.raises(ValueError, match="too few for 10 folds"):
        split(np.arange(9.0), task="regression", scheme="cross-validation")
    with pytest.raises(ValueError, match="needs classes"):
        split(np.arange(9.0), task="regression", scheme="holdout", budgets=["3-per-class"])


@given(
    n=st.integers(10, 120),
    folds=st.integers(2, 10),
    budgets=st.lists(st.integers(1, 200), min_size=1, max_size=5, unique=True).map(sorted),
    seed=st.integers(0, 2**32 - 1),
    scheme=st.sampled_from(["ssl-cross-validation", "cross-validation", "labeled-share"]),
)
def test_splits_partition_rows_with_nested_labels(n, folds, budgets, seed, scheme):
    splits = split(classes(n), scheme=scheme, seed=seed, budgets=[*map(str, budgets), "all"], folds=folds)
    assert_partition(splits, n)
    assert_nested(splits)
    for fold in splits.folds:
        for budget in splits.budgets[:-1]:
            wanted = min(int(budget), len(fold.train))
            # A copy that runs out of rows is not made up for by the others.
            assert len(fold.labeled[budget]) <= wanted
            if budget not in fold.note:
                assert len(fold.labeled[budget]) >= wanted - 1


def test_rows_are_distributed_evenly_within_strata():
    strata = np.repeat([0, 1, 2], [9, 6, 3])
    dealt = deal(18, 3, np.random.default_rng(0), strata)
    assert sorted(np.concatenate(dealt)) == list(range(18))
    for rows in dealt:
        assert np.bincount(strata[rows]).tolist() == [3, 2, 1]
    assert sorted(len(rows) for rows in deal(4, 3, np.random.default_rng(0), np.array([0, 1, 1, 2]))) == [1, 1, 2]
    assert sorted(len(rows) for rows in deal(7, 3, np.random.default_rng(0))) == [2, 2, 3]


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_labels_are_stratified_and_nested(task):
    rng = np.random.default_rng(0)
    y = rng.choice(["a", "b", "c"], 600, p=[0.6, 0.3, 0.1]) if task == "classification" else rng.normal(size=600) ** 3
    options = {"task": task, "scheme": "holdout", "budgets": ["20", "50", "all"], "repetitions": 2}
    splits = split(y, stratify_labels=True, **options)
    strata = y if task == "classification" else np.digitize(y, np.quantile(y, np.arange(1, 10) / 10))
    for fold in splits.folds:
        assert set(fold.labeled["20"]) < set(fold.labeled["50"]) < set(fold.labeled["all"])
        assert set(fold.labeled["all"]) == set(fold.train)
        for size in (20, 50):
            for code in np.unique(strata):
                share = np.mean(strata[fold.train] == code)
                assert abs(np.sum(strata[fold.labeled[str(size)]] == code) - size * share) <= 1.3
