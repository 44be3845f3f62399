"""The guide for adding things: each line is done on a copy, in as many files as it says."""

import hashlib
import os
import re
import shutil

import numpy as np
import pandas as pd
import pytest
import yaml

from repository import ROOT
from sslrank.benchmark.steps.fork_server import SERVER

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
  evaluators: [judged, first_rank]
  splits: {folds: 2, L: ["20"]}
  published: added
  tables:
    score_counts: {published: [counts.csv], options: {least: 1}}
  experiments:
    die: {experiment: die, params: {throws: 5}}
"""


class Copy:
    """A copy of what is edited; the package is linked, and a file that is written is no longer a link."""

    def __init__(self, folder):
        self.folder, self.edited, self.line = folder, {}, None
        ignore = shutil.ignore_patterns("*.c", "*.pyx", "__pycache__")
        shutil.copytree(ROOT / "src", folder / "src", copy_function=os.symlink, ignore=ignore)
        for name in ("workflow", "envs"):
            shutil.copytree(ROOT / name, folder / name, copy_function=os.symlink)
        for name in ("config.yaml", "Snakefile"):
            shutil.copy(ROOT / name, folder)

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
def additions(tmp_path_factory, new_runner):
    """Everything that the guide names, added to one copy; what a run of its workflow makes."""
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

    copy.line = None  # in place of `make digests`
    digests = "ranker,spread_listed,{},none\nevaluator,first_rank,{},none\n"
    copy.put(f"{package}/benchmark/digests.csv", digests)
    runner = new_runner(tmp_path_factory.mktemp("added"), copy.folder)
    config, own = (yaml.safe_load((copy.folder / name).read_text(encoding="utf-8")) for name in ("config.yaml", OWN))
    config["data"] |= {"mirror": str(copy.folder / "mirror"), "cache": str(copy.folder / "cache")}
    runner.environment.pop(SERVER, None)  # that of other tests has the modules of this repository
    runner.write(config | own)
    runner("--cores", 2, "added")
    return copy.edited, found_in(runner.folder / "results/added")


def found_in(folder):
    """Return what the run has computed for each addition."""
    names = ("datasets", "status", "scores")
    datasets, status, scores = (pd.read_csv(folder / f"collected/{name}.csv") for name in names)
    fits = status.groupby("method")["status"].agg(list)
    measures = scores.groupby("evaluator")["measure"].unique().map(list)
    return {
        "a study": fits.index.to_list(),
        "a dataset": datasets.set_index("dataset")["examples"].to_dict(),
        "a method in Python": fits["spread"],
        "a method of the library": fits["spread_listed"],
        "a method in any language": fits["program"],
        "an evaluator": measures["first_rank"],
        "a measure": [*measures["judged"], "Shown" in (folder / "report.html").read_text(encoding="utf-8")],
        "a table": pd.read_csv(folder / "tables/score_counts.csv").to_dict("records"),
        "a comparison with a publication": pd.read_csv(folder / "compared/score_counts.csv")["difference"].to_list(),
        "a figure": [path.name for path in (folder / "figures/fit_seconds").iterdir()],
        "an experiment without datasets": pd.read_csv(folder / "experiments/die/means.csv")["sides"].to_list(),
    }


EXPECTED = {
    "a study": ["program", "spread", "spread_listed"],
    "a dataset": {"more": 60},
    "a method in Python": ["ok", "ok"],
    "a method of the library": ["ok", "ok"],
    "a method in any language": ["ok", "ok"],
    "an evaluator": ["first_rank"],
    "a measure": ["shown", True],
    "a table": [{"dataset": "more", "number": 12}],  # folds, methods, evaluators
    "a comparison with a publication": [8],
    "a figure": ["all.svg"],
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
