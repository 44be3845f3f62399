"""``sslrank study new`` writes a study that Snakemake runs as it is."""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from sslrank.benchmark.plan.plan import Plan
from sslrank.cli import main
from sslrank.core.errors import DataError
from sslrank.hypothesis_tests.design import Design
from sslrank.model_selection.splits import make_splits
from sslrank.tabular.fits.folds import repeated_folds
from sslrank.tabular.ranking import rank
from sslrank.tabular.schema.reading import read_own


@pytest.fixture
def data(tmp_path, monkeypatch):
    """A table with what a study has to be told: nominal codes, an own mark of missing values, dates, a constant."""
    rng = np.random.default_rng(3)
    n = 90
    frame = pd.DataFrame(rng.normal(size=(n, 3)).round(3), columns=["a", "b, with comma", "Größe"])
    frame["code"] = rng.integers(1, 4, n)
    frame["day"] = pd.date_range("2020-01-01", periods=n).strftime("%Y-%m-%d")
    frame["same"] = 1
    frame["y"] = np.where(frame["a"] + (frame["code"] == 2) > 0.3, "yes", "no").astype(object)
    frame.loc[rng.permutation(n)[:30], "y"] = None
    frame["a"] = frame["a"].astype(object)
    frame.loc[4, "a"] = "not measured"
    frame.to_csv(tmp_path / "my data.csv", sep=";", index=False)
    monkeypatch.chdir(tmp_path)
    return frame


WORDS = ("study", "new", "mine", "--data", "my data.csv", "--target", "y", "--nominal", "code", "--drop", "day")
MISSING = ("--reader", "missing=not measured")


def test_study_reads_a_copy_of_the_table_as_it_was_understood(data, fresh, capsys):
    words = [word for word in (*WORDS, *MISSING) if word not in ("--drop", "day")]
    assert main(words) == 0
    assert re.search(r"snakemake --cores 2 --configfile \S*mine.yaml -- mine", capsys.readouterr().out)
    own = yaml.safe_load(Path("mine.yaml").read_text())["own"]
    assert own["datasets"]["mine"]["reader"] == {"format": "parquet"}
    assert "sslrank" in own["studies"]["mine"]["methods"]
    copied, table = pd.read_parquet("mine.parquet"), read_own("my data.csv", ["y"], missing=["not measured"])
    assert copied["day"].tolist() == table.X["day"].tolist() == list(range(90))
    assert copied["y"].isna().sum() == 30
    fresh.write({"data": {"catalogue": "workflow/datasets.yaml"}})
    jobs = fresh.planned("mine", "--configfile", "config.yaml", "mine.yaml")
    assert (jobs["prepare"], jobs["page"]) == (1, 1)
    words = ["--methods", "f_score", "--effort", "order", "--nominal", "code", *MISSING]
    for name, more in (("run", []), ("grouped", ["--groups", "code"])):
        given = [word for word in words if more == [] or word not in ("--nominal", "code")]
        assert main(["rank", "my data.csv", "--target", "y", *given, *more, "--out", name]) == 0
    assert main(["study", "new", "next", "--data", "my data.csv", "--like", "run"]) == 0
    pd.testing.assert_frame_equal(pd.read_parquet("next.parquet"), copied)
    assert main(["study", "new", "other", "--data", "my data.csv", "--like", "grouped"]) == 1
    assert "grouped: the ranking has the option groups, which a study does not take" in capsys.readouterr().err


@pytest.mark.exhaustive
def test_new_study_runs(data, fresh):
    assert main([*WORDS, *MISSING]) == 0
    written = (fresh.folder / "mine.yaml").read_text()
    assert list(pd.read_parquet("mine.parquet")) == ["a", "b, with comma", "Größe", "code", "y"]
    study = yaml.safe_load(written)
    for forest in ("forest_rf", "oracle"):  # edited, as it is meant to be
        study["own"]["studies"]["mine"]["params"][forest] = {"n_estimators": 3}
    study["own"]["studies"]["mine"]["params"]["forest_rf"] |= {"supervision": 0.5}
    study["own"]["studies"]["mine"]["splits"]["repetitions"] = 2
    (fresh.folder / "mine.yaml").write_text(yaml.safe_dump(study))
    fresh.write({"data": {"catalogue": "workflow/datasets.yaml"}})
    fresh("--cores", 2, "--configfile", "config.yaml", "mine.yaml", "--", "mine")
    folder = fresh.folder / "results"
    assert (folder / "mine/report.html").stat().st_size > 10_000
    table = pd.read_parquet(folder / "data/mine/table.parquet")
    assert len(table) == 90
    facts = pd.read_csv(folder / "mine/collected/datasets.csv").iloc[0]
    assert (facts["examples"], facts["labeled"]) == (90, 60)
    page = (folder / "mine/report.html").read_text()
    assert "Corrected resampled t-tests over the folds" in page
    assert {"a", "b, with comma", "Größe", "code"} <= set(table.columns)
    assert isinstance(table["code"].dtype, pd.CategoricalDtype)
    assert np.isnan(table["a"][4])
    assert json.loads((folder / "data/mine/header.json").read_text())["task"] == "classification"


def test_study_uses_folds_and_measure_of_rank(data):
    assert main([*WORDS, *MISSING]) == 0
    own = yaml.safe_load(Path("mine.yaml").read_text())["own"]
    study, table = own["studies"]["mine"], read_own("my data.csv", ["y"], missing=["not measured"])
    given = {key: value for key, value in study["splits"].items() if key != "L"}
    splits = make_splits(table.y, task="classification", dataset="mine", seed=study["seed"], **given)
    folds = repeated_folds(table.coded(), 0, Design())
    assert len(splits.folds) == len(folds) == 15
    for fold, (train, test) in zip(splits.folds, folds, strict=True):
        np.testing.assert_array_equal(fold.train, train)
        np.testing.assert_array_equal(fold.test, test)
    curve = rank(table.X, table.y, methods="f_score", effort="order", curve=True, predictor="knn").curve
    params = own["evaluators"]["mine-knn"]["params"]
    assert params["measures"] == [curve.measure]
    assert curve.predictor == f"{params['n_neighbors'][0]} nearest neighbours"


@pytest.mark.parametrize("option", ["--groups", "--time", "--weights", "--unlabeled"])
def test_unsupported_options_are_refused(data, capsys, option):
    with pytest.raises(SystemExit):
        main([*WORDS, option, "code"])
    assert f"{option}: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "changed", "problem"),
    [
        ("mine", {"file": "nothing.csv"}, "own.datasets.mine.file: there is no file nothing.csv"),
        ("mine", {"columns": {"target": "y", "dorp": []}}, "own.datasets.mine.columns: unknown key 'dorp'.*'drop'"),
        ("tiny", {}, "own.datasets.tiny: the name is taken"),
    ],
)
def test_mistakes_in_own_datasets_are_named(data, config, name, changed, problem):
    config["own"]["datasets"] = {name: {"file": "my data.csv", "task": "classification"} | changed}
    with pytest.raises(DataError, match=problem):
        Plan(config, ".")


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ((*WORDS, "--reader", "missing=?"), "--reader missing='not measured'"),
        (("study", "new", "a/b", "--data", "my data.csv", "--target", "y"), "'a/b' is not a valid name of a study"),
        ((*WORDS, *MISSING, "--out", "my data.csv"), "the file exists already"),
        (("study", "new", "taken", "--data", "few.csv", "--target", "y"), "a.yaml: there is a study 'taken' already"),
        (("study", "new", "few", "--data", "few.csv", "--target", "y"), "cannot compare rankings from 3 labelled rows"),
    ],
)
def test_invalid_study_raises_single_error(data, capsys, tmp_path, words, problem):
    (tmp_path / "few.csv").write_text("a,y\n1,p\n2,q\n3,q\n")
    (tmp_path / "workflow/studies").mkdir(parents=True)
    (tmp_path / "workflow/studies/a.yaml").write_text("taken: {like: demo}\n")
    assert main(list(words)) == 1
    stderr = capsys.readouterr().err
    assert problem in stderr
    assert stderr.count("\n") == 1
    assert not (tmp_path / "mine.yaml").exists()
