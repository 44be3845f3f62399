"""Error curves in a study: weightings, rankings below random, experiments."""

import numpy as np
import pandas as pd
import pytest

from coded import noise_experiment
from made_study import made_study
from sslrank.benchmark.experiments import load_experiment
from sslrank.benchmark.report.figures import experiment_figures
from sslrank.benchmark.results.tables import table_info
from sslrank.benchmark.results.tables.error_curves import error_points
from sslrank.benchmark.steps.experiment import ExperimentJob, experiment_job
from sslrank.benchmark.steps.experiment_part import PartJob, experiment_part_job
from sslrank.core.random_state import derive_seed

SIZES = (1, 2, 3, 4)
#: Above and below the expected curve by a constant: every weighting gives that constant.
LEVEL = {1: 0.5, 2: 0.6, 3: 0.7, 4: 0.8}


def make(gaps, folds=(0, 1)):
    """A study whose curves are `gaps[dataset, method]` (+- 0.1 in the second fold) from the expected one."""
    rows = []
    for (dataset, method), gap in gaps.items():
        for fold in folds:
            key = ("s", dataset, "classification", method, method, "ssl", "all", fold, "eca")
            here = gap + (0.1 if fold else -0.1)
            for size in SIZES:
                for measure, value in (
                    ("ffa accuracy", LEVEL[size] + here),
                    ("rfa accuracy", LEVEL[size] - here),
                    ("expected accuracy", LEVEL[size]),
                    ("expected error accuracy", 0.03),
                ):
                    rows.append((*key, measure, size, value, 10, 20))
            rows.append((*key, "eca[1] accuracy", SIZES[-1], here, 10, 20))
    config = {"comparison": {"evaluator": "eca", "measure": "eca[1] accuracy", "L": None}}
    config |= {"splits": {"L": ["all"]}, "figures": {"kind": "errors"}}
    return made_study(rows, methods=["rf", "ig"], **config)


@pytest.fixture
def study():
    return make({("d1", "rf"): -0.3, ("d1", "ig"): 0.2, ("d2", "rf"): -0.02, ("d2", "ig"): 0.3})


def test_points_are_averaged_over_folds(study):
    curves, expected = error_points(study)
    point = curves[(curves["dataset"] == "d1") & (curves["ranking"] == "ig") & (curves["size"] == 2)]
    assert point.set_index("curve")["value"].to_dict() == pytest.approx({"FFA": 0.8, "RFA": 0.4})
    assert len(expected) == 2 * len(SIZES)
    assert expected["value"].tolist() == pytest.approx([*LEVEL.values()] * 2)
    assert expected["standard_error"].tolist() == pytest.approx([0.03 / np.sqrt(2)] * 8)


def test_weightings_agree_for_a_constant_gap(study):
    table = table_info("eca_weightings").make(study).set_index(["dataset", "ranking"])["eca"]
    assert table["d1", "rf"].tolist() == pytest.approx([-0.3] * 4)
    assert table["d1", "ig"].tolist() == pytest.approx([0.2] * 4)


def test_noise_experiment_builds_its_table(tmp_path, study):
    params = {"names": ["single"], "thetas": [0.2, 1.0], "n_rankings": 11, "cv": 2, "sizes": [2, 4.0]}
    params |= {"n_samples": 40, "n_features": 12, "predictor": "knn"}
    parts = load_experiment("noise").parts(**params)
    assert list(parts) == ["single-truth", "single-0.2-0", "single-0.2-10", "single-1-0", "single-1-10"]
    for name, part in parts.items():
        experiment_part_job(PartJob(name="noise", part=part, seed=1, tables=tmp_path / name))
    files = {"archived": [], "computed": [tmp_path / name for name in parts], "tables": tmp_path / "noise"}
    experiment_job(ExperimentJob(name="noise", parts=parts, **files))
    study.experiments = {"noise": tmp_path / "noise"}
    table = table_info("experiment_table").make(study, "noise", where={"data": "single"})
    assert set(table["weighting"]) == {"dist", "1", "1/|S|", "|delta|", "|delta|/|S|"}
    assert set(table["theta"].astype(str)) == {"0.2", "1", "correlation"}
    assert table_info("experiment_table").make(study, "noise", where={"data": "pair"}).empty
    assert table_info("experiment_table").make(study, "nothing").empty
    ((figure_name, figure),) = experiment_figures(study)
    assert figure_name == "noise-single"
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["ground truth", "0.2", "1"]
    options = {name: value for name, value in params.items() if name != "names"} | {"sizes": (2, 4.0)}
    seed = derive_seed(derive_seed(1, "experiment", "noise"), "single")
    curves, summary = noise_experiment("single", random_state=seed, **options)
    for table, whole in (("curves", curves), ("summary", summary)):
        joined = pd.read_csv(tmp_path / f"noise/{table}.csv", dtype={"ranking": str, "theta": str})
        assert set(joined["data"]) == {"single"}
        pd.testing.assert_frame_equal(joined[whole.columns], whole, check_dtype=False, rtol=1e-12)
    assert set(pd.read_csv(tmp_path / "noise/curves.csv")["n_rankings"]) == {1, 11}


def test_method_scores_can_replace_a_method(study):
    found = table_info("method_scores").make(study, name="eca", scale=2, methods={"rf": "forest"})
    assert set(found["ranking"]) == set(found["method"]) == {"forest"}
    assert found.set_index("dataset")["eca"].to_dict() == pytest.approx({"d1": -0.6, "d2": -0.04})


def test_spread_adds_variance_of_other_splits(study):
    alone = table_info("method_scores").make(study)["spread"]
    both = table_info("method_scores").make(study, n_others=2)["spread"]
    assert both.tolist() == pytest.approx((np.sqrt(2) * alone).tolist())


def test_two_rankings_are_compared_by_all_weightings(study):
    found = table_info("weighted_differences").make(study).set_index(["dataset", "weighting"])
    assert len(found) == 8
    assert found.loc["d1", "ECA"].tolist() == pytest.approx([-0.5] * 4)  # 0.2 and -0.3 from the same level
    assert found.loc["d1", "RFA"].tolist() == pytest.approx([0.5] * 4)


def test_experiment_times_are_ranked(study, tmp_path):
    seconds = pd.DataFrame({"task": "multilabel", "dataset": "d", "method": ["rf", "ig"], "L": 50, "seconds": [1, 2]})
    seconds.to_csv(tmp_path / "seconds.csv", index=False)
    study.experiments["induction"] = tmp_path
    found = table_info("time_ranks").make(study, experiment="induction")
    assert found.set_index("method")["average_rank"].to_dict() == {"rf": 1, "ig": 2}
    members = table_info("family_time_ranks").make(study, experiment="induction")
    assert members["average_rank"].tolist() == found["average_rank"].tolist()


def test_eca_interpolates_missing_sizes(study):
    # Without size 3, which the average over every size interpolates. The gap grows with the size.
    table = study.scores
    grows = 1 + table["k"] / 10
    forward = table["measure"].eq("ffa accuracy")
    study.scores = table.assign(value=table["value"].where(~forward, table["value"] * grows))[table["k"] != 3]
    make_table = table_info("eca_weightings").make
    found = {
        steps: make_table(study, steps=steps, weighting="1", scale=2).set_index(["dataset", "ranking"])["eca"]
        for steps in ("every", "computed")
    }
    curves, _ = error_points(study)
    gaps = curves.pivot(index=["dataset", "ranking", "size"], columns="curve", values="value")
    gaps = (gaps["FFA"] - gaps["RFA"]).unstack()
    computed, every = gaps.mean(axis=1), gaps.assign(**{"3": (gaps[2] + gaps[4]) / 2}).mean(axis=1)
    assert found["computed"].to_dict() == pytest.approx(computed.to_dict())
    assert found["every"].to_dict() == pytest.approx(every.to_dict())
