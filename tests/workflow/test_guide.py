"""The guide for adding things: each line is done on a copy, in as many files as it says."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow
LINE = re.compile(r"^\| (an? [^|]+) \| (\d+) \| ", re.MULTILINE)
#: Things to add, as the guide calls them, and the number of files.
GUIDE = {
    what: int(files)
    for page in ("workflow/README.md", "src/docs/benchmark/extend.md")
    if (ROOT / page).is_file()
    for what, files in LINE.findall((ROOT / page).read_text(encoding="utf-8"))
}

#: A file of one's own, which is laid over config.yaml.
OWN = "mine.yaml"
RANKER = '''"""Spread of the features."""

import numpy as np

from sslrank.core.base import BaseRanker


class Spread(BaseRanker):
    """Rank by the standard deviation."""

    tasks = frozenset({"classification"})

    def rank_coded(self, features, targets):
        return np.nanstd(features.values, axis=0)
'''
EVALUATOR = '''"""The rank of the first feature."""


def computes(params, task):
    return ["first_rank"], None


def evaluate(features, targets, train, test, labeled, importances, params=None, seed=0):
    return [("first_rank", None, float((importances > importances[0]).sum() + 1))]
'''
MEASURE = '''def shown(true, predicted, weights=None):
    """Share of the first class among the predictions."""
    return float(np.average(np.asarray(predicted) == 0, weights=weights))


'''
TABLE = '''"""Numbers of scores."""

import pandas as pd

from sslrank.benchmark.results.tables.registry import table


@table("Numbers of scores", keys=["dataset"], values=["number"])
def score_counts(study, least=0):
    """Count the scores of every dataset."""
    counts = study.scores.groupby("dataset").size()
    return pd.DataFrame({"dataset": counts.index, "number": counts[counts >= least].to_numpy()})
'''
FIGURE = '''"""Bars of the seconds of the fits."""

from matplotlib.figure import Figure


def seconds_bars(seconds):
    """Draw one bar for each fit."""
    figure = Figure()
    figure.subplots().bar(range(len(seconds)), seconds)
    return figure
'''
EXPERIMENT = '''"""Draws of a die."""

import numpy as np
import pandas as pd


def parts(throws=3):
    return {f"die-{sides}": {"sides": sides, "throws": throws} for sides in (4, 6)}


def experiment(sides, throws, *, seed=0, n_jobs=1):
    found = np.random.default_rng(seed).integers(1, sides + 1, throws)
    return {"draws": pd.DataFrame({"sides": sides, "value": found.astype(float)})}


def join(tables):
    return {"means": tables["draws"].groupby("sides", as_index=False)["value"].mean()}
'''
STUDY = """added:
  datasets: [more]
  methods: [spread, spread_listed, program]
  evaluators: [first_rank, judged]
  splits: {folds: 2, L: ["20"]}
  published: added
  tables:
    score_counts: {published: [counts.csv], options: {least: 1}}
  experiments:
    die: {experiment: die, params: {throws: 5}}
"""
CHECK = """
import json, sys
from pathlib import Path

import yaml

from sslrank.benchmark.experiments import load_experiment
from sslrank.benchmark.fits import rank_dataset
from sslrank.benchmark.files import SCORE_COLUMNS
from sslrank.benchmark.config.load import rule_folders
from sslrank.benchmark.plan.plan import Plan
from sslrank.benchmark.results.study import StudyData
from sslrank.benchmark.report.figures import write_figures
from sslrank.benchmark.results.titles import measure_title
from sslrank.benchmark.scoring import score_rankings
from sslrank.benchmark.steps.compare_published import compare_published_job
from sslrank.benchmark.steps.experiment import experiment_job
from sslrank.benchmark.steps.experiment_part import experiment_part_job
from sslrank.benchmark.steps.splits import write_splits
from sslrank.benchmark.steps.tables import write_tables
from sslrank.cli import main
from sslrank.datasets.dataset import Dataset
from sslrank.evaluation.evaluators import load_evaluator
from sslrank.model_selection.folds import Splits
from sslrank.rankers.registry import available_rankers
import pandas as pd
import sslrank

found = {"package": str(Path(sslrank.__file__).parents[2])}
config = yaml.safe_load(Path("config.yaml").read_text()) | {"studies": ["added"]}
config |= yaml.safe_load(Path("mine.yaml").read_text())
plan = Plan(config, ".")
study = plan.studies["added"]
of_study = plan.study("added")
found["a study"] = of_study.pairs()
main(["prepare", "more", "--mirror", "mirror", "--cache", "cache", "--out", "data"])
dataset = Dataset.load("data/more")
found["a dataset"] = [of_study.datasets(), len(dataset.X)]
write_splits(dataset, of_study.protocol(), 0, "splits.json")
splits = Splits.load("splits.json")
rankings = {}
for method in ("spread", "spread_listed"):
    rankings[method], status = rank_dataset(dataset, splits, "20", of_study.spec(method), modes=["ssl"])
    found["a method in Python" if method == "spread" else "a method of the library"] = list(status["status"])
found["a method of the library"].append("spread_listed" in available_rankers())
found["a method in any language"] = [rule_folders(".", "methods"), plan.methods_of_rule("program")]
for what, name in (("an evaluator", "first_rank"), ("a measure", "judged")):
    block, scores = plan.evaluators[name].computed, []
    judge = load_evaluator(block["evaluator"]).evaluate
    scores = list(score_rankings(dataset, splits, {"20": rankings["spread"]}, judge, params=block["params"]))
    found[what] = [score["measure"] for score in scores]
found["a measure"].append(measure_title("shown"))
names = {"study": "added", "task": "classification", "method": "spread", "evaluator": "first_rank", "dataset": "more"}
Path("collected").mkdir()
pd.DataFrame([{"dataset": "more", "task": "classification", "available": True}]).to_csv("collected/datasets.csv")
pd.DataFrame([score | names for score in scores], columns=SCORE_COLUMNS).to_csv("collected/scores.csv", index=False)
status = status.assign(dataset="more", task="classification", method="spread", L="20")
status.to_csv("collected/status.csv", index=False)
for name in study.experiments:
    module, parts = of_study.experiment(name), of_study.experiment_parts(name)
    files = [Path("parts") / part for part in parts]
    for params, file in zip(parts.values(), files):
        experiment_part_job(name=module, part=params, seed=0, tables=file)
    die = {"archived": [], "computed": files, "tables": Path("experiments/die")}
    experiment_job(name=module, parts=parts, **die)
found["an experiment without datasets"] = list(pd.read_csv("experiments/die/means.csv")["sides"])
data = StudyData.load(of_study.table_config(), "collected")
write_tables(data, "tables", {"score_counts": of_study.table_blocks()["score_counts"]})
found["a table"] = pd.read_csv("tables/score_counts.csv").to_dict("records")
files = {"made": Path("tables"), "spelling": Path(of_study.published_names())}
files |= {"compared": Path("compared"), "figures": Path("published_figures")}
compare_published_job(**files, blocks=of_study.published_tables(), datasets=of_study.published_datasets())
found["a comparison with a publication"] = list(pd.read_csv("compared/score_counts.csv")["difference"])
Path("result").mkdir()
write_figures(data, "result/figures", [])
found["a figure"] = [str(path) for path in Path("result").rglob("*.svg")]
json.dump(found, open("found.json", "w"))
"""


class Copy:
    """A copy of what is edited; the package is linked, and a file that is written is no longer a link."""

    def __init__(self, folder):
        self.folder, self.edited, self.line = folder, {}, None
        ignore = shutil.ignore_patterns("*.c", "*.pyx", "__pycache__")
        shutil.copytree(ROOT / "src", folder / "src", copy_function=os.symlink, ignore=ignore)
        shutil.copytree(ROOT / "workflow", folder / "workflow", copy_function=os.symlink)
        shutil.copy(ROOT / "config.yaml", folder)

    def write(self, path, text):
        """Write a file, and count it for the line of the guide."""
        self.edited.setdefault(self.line, set()).add(path)
        path = self.folder / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.write_text(text, encoding="utf-8")

    def put(self, path, text, before=None):
        """Add text before the first occurrence of another one, or at the end."""
        content = (self.folder / path).read_text(encoding="utf-8")
        assert before is None or before in content, f"{path} has no {before!r}"
        at = len(content) if before is None else content.index(before)
        self.write(path, content[:at] + text + content[at:])


@pytest.fixture(scope="module")
def additions(tmp_path_factory):
    """Everything that the guide names, added to one copy; what a process finds that imports the copy."""
    copy = Copy(tmp_path_factory.mktemp("guide"))
    package, study = "src/sslrank", "workflow/studies/added.yaml"
    rows = np.random.default_rng(0).normal(size=(60, 3)) * [1, 2, 3]
    table = pd.DataFrame(rows, columns=list("abc")).assign(y=np.where(rows[:, 2] > 0, "yes", "no"))
    (copy.folder / "mirror/more").mkdir(parents=True)
    table.to_csv(copy.folder / "mirror/more/more.csv", index=False)

    copy.line = "a study"
    copy.write(study, STUDY)

    copy.line = "a dataset"
    digest = hashlib.sha256((copy.folder / "mirror/more/more.csv").read_bytes()).hexdigest()
    entry = "more:\n  title: More\n  home: nowhere\n  task: classification\n"
    entry += f"  files: [{{file: more.csv, sha256: {digest}}}]\n  columns: {{target: [y]}}\n"
    copy.put("workflow/datasets.yaml", "\n" + entry)
    copy.put(study, "")

    copy.line = "a method in Python"
    copy.write("spread_of_mine.py", RANKER)
    copy.write(OWN, 'own:\n  methods:\n    spread: {ranker: "spread_of_mine:Spread"}\n')

    copy.line = "a method of the library"
    copy.write(f"{package}/rankers/spread.py", RANKER)
    line = '    "spread_listed": _info("Spread", "spread:Spread", "nobody", "classification", "large numbers"),\n'
    copy.put(f"{package}/rankers/registry.py", line, before='    "ssfi": _info(')
    copy.put(
        f"{package}/rankers/registry.py",
        '    "nobody": "https://example.org",\n',
        before='    "Petković, Džeroski, Kocev 2020": ',
    )

    copy.line = "a method in any language"
    folder = "workflow/rules/methods"
    for path in sorted((ROOT / folder / "_template").iterdir()):
        name = path.name.replace("mymethod", "program")
        copy.write(f"{folder}/program/{name}", path.read_text(encoding="utf-8").replace("mymethod", "program"))
    copy.edited[copy.line] -= {f"{folder}/program/{name}" for name in ("README.md", "schema.yaml")}  # only copied
    copy.put(OWN, "    program: {rule: program, params: {value: 2}}\n")

    copy.line = "an evaluator"
    evaluators = "workflow/evaluators.yaml"
    copy.write(f"{package}/evaluation/evaluators/first_rank.py", EVALUATOR)
    copy.put(f"{package}/evaluation/evaluators/__init__.py", '"first_rank", ', before='"top_features", ')
    copy.put(evaluators, "\nfirst_rank: {evaluator: first_rank}\n")
    copy.put(study, "")

    copy.line = "a measure"
    single = f"{package}/metrics/single.py"
    copy.put(single, MEASURE, before="def _columns(")
    line = '        Measure("shown", True, frozenset({"classification"}), "codes", shown),\n'
    copy.put(single, line, before='        Measure("accuracy"')
    copy.put(f"{package}/benchmark/results/titles.py", '    "shown": "Shown",\n', before='    "accuracy": ')
    copy.put(evaluators, "\njudged: {evaluator: knn, params: {n_neighbors: [3], measures: [shown]}}\n")

    copy.line = "a table"
    copy.write(f"{package}/benchmark/results/tables/counts.py", TABLE)
    copy.put(study, "")

    copy.line = "a comparison with a publication"
    copy.write("workflow/published/added/counts.csv", "dataset,number\nmore,4\n")
    copy.put(study, "")

    copy.line = "a figure"
    copy.write(f"{package}/plotting/seconds_bars.py", FIGURE)
    figures = f"{package}/benchmark/report/figures.py"
    line = "from sslrank.plotting.seconds_bars import seconds_bars\n"
    copy.put(figures, line, before="from sslrank.stats.rank_tests")
    line = '    save_figure(seconds_bars(data.status["seconds"]), folder / "fit_seconds/all", formats=("svg",))\n\n\n'
    copy.put(figures, line, before="def published_figures(")

    copy.line = "an experiment without datasets"
    copy.write(f"{package}/benchmark/experiments/die.py", EXPERIMENT)
    copy.put(f"{package}/benchmark/experiments/__init__.py", '"die": (), ', before='"noise"')
    copy.put(study, "")

    (copy.folder / "check.py").write_text(CHECK, encoding="utf-8")
    path = os.pathsep.join([str(copy.folder / "src"), str(copy.folder)])
    options = {"cwd": copy.folder, "env": os.environ | {"PYTHONPATH": path}, "capture_output": True, "text": True}
    done = subprocess.run([sys.executable, "check.py"], **options)
    assert done.returncode == 0, done.stderr
    found = json.loads((copy.folder / "found.json").read_text(encoding="utf-8"))
    assert Path(found["package"]) == copy.folder
    return copy.edited, found


EXPECTED = {
    "a study": [["more", method] for method in ("spread", "spread_listed", "program")],
    "a dataset": [["more"], 60],
    "a method in Python": ["ok", "ok"],
    "a method of the library": ["ok", "ok", True],
    "a method in any language": [["program", "survival_forest", "variance"], ["program"]],
    "an evaluator": ["first_rank", "first_rank"],
    "a measure": ["shown", "shown", "Shown"],
    "a table": [{"dataset": "more", "number": 2}],
    "a comparison with a publication": [-2],
    "a figure": ["result/figures/fit_seconds/all.svg"],
    "an experiment without datasets": [4, 6],
}


@pytest.mark.parametrize("what", EXPECTED)
def test_extend_page_states_number_of_files(additions, what):
    edited, found = additions
    assert found[what] == EXPECTED[what]
    assert len(edited[what]) == GUIDE[what], edited[what]


def test_every_row_of_extend_is_tested():
    """All but those that tests/workflow/test_own_study.py and test_deployed.py run."""
    elsewhere = {"a table of your own", "an evaluator of your own", "an evaluator in any language"}
    assert set(GUIDE) == elsewhere | set(EXPECTED)
