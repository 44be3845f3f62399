import yaml

from repository import ROOT
from sslrank.benchmark.results import titles
from sslrank.benchmark.results.titles import entry_title, measure_title, ranking_title
from sslrank.core.tasks import DATASET_TASKS
from sslrank.metrics.single import MEASURES
from sslrank.rankers.registry import RANKERS

OURS = {"forest_et": "Extra trees", "oracle": "Oracle"}


def test_titles_are_unique():
    assert set(titles.MEASURE_TITLES) == set(MEASURES)
    assert set(titles.TASK_TITLES) == {*DATASET_TASKS, "all"}
    for known in (
        titles.MEASURE_TITLES.values(),
        titles.TASK_TITLES.values(),
        [info.title for info in RANKERS.values()],
    ):
        assert all(known)
        assert len(set(known)) == len(known)


def test_workflow_methods_have_titles():
    methods = yaml.safe_load((ROOT / "workflow/methods.yaml").read_text(encoding="utf-8"))
    members = {name for block in methods.values() for name in block.get("params", {}).get("members", ())}
    votes = {name for block in methods.values() for name in block.get("params", {}).get("votes", ())}
    others = {"auto_before", "random_forest", "sdr_mc", "sslrank", "sslrank_without_tests", "all_features"}
    assert set(titles.RANKING_TITLES) < members | votes | others
    assert [name for name, block in methods.items() if "title" not in block and "ranker" not in block] == []


def test_measure_and_ranking_titles():
    assert measure_title("f1_macro") == "F1, macro"
    assert measure_title("eca[1] rrmse") == "Error curve average, weighting 1: Root relative squared error"
    assert measure_title("ffa my_own") == "Forward feature addition: my own"
    assert measure_title("my_own") == "my own"
    assert ranking_title("genie3", OURS) == "Genie3 score"
    assert ranking_title("oracle", OURS) == "Oracle"
    assert ranking_title("my_own", OURS) == "my_own"  # as commands take it
    assert entry_title("random_forest", OURS) == "Random forest score"
    assert entry_title("forest_et genie3", OURS) == "Extra trees, Genie3 score"
    assert entry_title("mine <b>", OURS) == "mine, <b>"
