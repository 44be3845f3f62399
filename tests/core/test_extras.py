"""The library works with its own dependencies alone, and what needs more says what to install."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

from sslrank.core.extras import MODULES

ROOT = Path(__file__).parents[2]
PROJECT = ROOT / "pyproject.toml"
#: Distributions whose modules have other names.
MODULE_NAMES = {
    "liac-arff": "arff", "python-calamine": "python_calamine", "pyyaml": "yaml", "scikit-posthocs": "scikit_posthocs",
}  # fmt: skip
#: Put before code, hides what comes with the extras.
BARE = f"""
import sys
from importlib.machinery import PathFinder

class Hiding(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        hidden = {sorted({"snakemake", *(module for modules in MODULES.values() for module in modules)})!r}
        return None if name.partition(".")[0] in hidden else PathFinder.find_spec(name, path, target)

sys.meta_path = [Hiding if finder is PathFinder else finder for finder in sys.meta_path]
"""

LIBRARY = """
import numpy as np
from sslrank import available_rankers, get_ranker, LabeledKFold
from sslrank.evaluation import compare_rankings, error_curves
from sslrank.rankers.registry import RANKERS

rng = np.random.default_rng(0)
X = rng.normal(size=(30, 4))
y = {"classification": (X[:, 0] > 0).astype(int), "regression": X[:, 0], "multilabel": (X[:, :3] > 0).astype(float)}
for name in available_rankers():
    if RANKERS[name].needs:
        continue
    task = next(task for task in y if task in RANKERS[name].tasks)
    ranker = get_ranker(name)
    small = {"n_estimators": 3, "supervision": 0.5, "budget": 10, "sampling_times": 2, "max_iter": 2, "n_pairs": 2}
    ranker.set_params(task=task, **{key: value for key, value in small.items() if key in ranker.get_params()})
    ranker.fit(X, y[task])
splits = list(LabeledKFold(3).split(X, y["classification"]))
rankings = {"one": np.arange(4.0), "other": np.arange(4.0)[::-1]}
compare_rankings(error_curves("knn", X, y["classification"], rankings, cv=splits), "one", "other")
"""

TABLE = """
import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.datasets import load_iris
import sslrank
from sslrank import *

X, y = load_iris(return_X_y=True, as_frame=True)
found = sslrank.rank(X, y, effort="quick")
assert found.tests.any_related and "answer" in found._repr_html_(), found
print(found.best(1), len(found.to_frame()), len(sslrank.available_rankers()) > 20, BaseRanker.__name__)
ends = [X.to_numpy(), sparse.csr_array(X.to_numpy()), X.assign(shade=pd.Categorical(list("abc") * 50))]
print(*[sslrank.rank(table, y, effort="order").coded.X.shape[1] for table in ends])
"""
WRITTEN = """
import sslrank
from sklearn.datasets import load_iris
from sslrank.tabular.output.files import write_result
found = sslrank.rank(*load_iris(return_X_y=True), effort="order")
for name in ("a.csv", "a.json", "a.html"):
    write_result(found, f"{folder}/{name}")
for needy in (found.plot, lambda: write_result(found, f"{folder}/a.parquet")):
    try:
        needy()
    except Exception as error:
        print(error)
"""


def bare(code):
    return subprocess.run([sys.executable, "-c", BARE + code], capture_output=True, text=True, check=False)


def distributions(requirements):
    return {re.match(r"[A-Za-z0-9._-]+", item)[0].lower() for item in requirements}


def test_extras_match_pyproject():
    extras = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    for extra, modules in MODULES.items():
        named = {MODULE_NAMES.get(name, name) for name in distributions(extras[extra])}
        assert named - {"sslrank", "snakemake"} == set(modules)


def test_library_has_expected_dependencies():
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    known = {"jinja2", "joblib", "narwhals", "numpy", "pandas", "scikit-learn", "scipy", "threadpoolctl"}
    assert distributions(project["dependencies"]) == known


def test_ranking_works_without_extras(tmp_path):
    (example,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    done = bare(f"{LIBRARY}{TABLE}\nfolder = {str(tmp_path)!r}\n{WRITTEN}\n{example}")
    assert done.returncode == 0, done.stderr
    first, second, figure, parquet, ranked, *_ = done.stdout.splitlines()
    assert [first, second] == ["['petal length (cm)'] 4 True BaseRanker", "4 4 5"]
    assert {path.name for path in tmp_path.iterdir()} == {"a.csv", "a.json", "a.html"}
    assert re.search(r"drawing figures needs matplotlib, which is not installed: .*sslrank.plots.", figure)
    assert re.search(r"writing Parquet files needs pyarrow, .*sslrank.readers.", parquet)
    assert ranked.startswith("[")


COMMANDS = ([], ["methods"], ["--help"], ["rank", "a.csv"], ["--version"])
IMPORTS = {
    "import sslrank.tabular.schema.reading": "reading data files needs .*sslrank.readers.",
    "import sslrank.datasets.readers": "reading data files needs pyarrow, .*sslrank.readers.",
    "from sslrank.plotting import intervals": "drawing figures needs matplotlib, .*sslrank.plots.",
    "import sslrank.benchmark.plan": "the workflow needs jsonschema, .*sslrank.workflow.",
}
NEEDY = f"""
from sslrank.cli import main
for words in {COMMANDS!r}:
    try:
        print(main(words))
    except SystemExit as end:
        print(end.code)
for code in {list(IMPORTS)!r}:
    try:
        exec(code)
    except ImportError as error:
        print(error)
"""


def test_missing_extra_error_gives_install_command():
    done = bare(NEEDY)
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    assert said[:4] == ["2"] * 4
    assert re.match(r"\d+\.\d", said[4])  # the version, in any case
    assert said[5] in ("0", "None")
    assert all(map(re.search, IMPORTS.values(), said[6:])), said
    assert len(said) == 6 + len(IMPORTS)
    for line in done.stderr.splitlines()[:4]:
        assert re.fullmatch(r"sslrank: error: the command sslrank needs .*: pip install 'sslrank\[readers\]'", line)
    assert "Traceback" not in done.stderr
