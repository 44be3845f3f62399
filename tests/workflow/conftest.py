"""A tiny study on made-up data, run once through the whole workflow and shared by the tests."""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from copy import deepcopy
from pathlib import Path

import numpy as np
import pytest
import yaml

import sslrank
from snakemake_process import run_forked

ROOT = Path(__file__).parents[2]
PACKAGE = Path(sslrank.__file__).parent.resolve()
ALONE = "PYTEST_XDIST_WORKER" not in os.environ


def write_catalogue(folder):
    """One small dataset for classification and one for regression, with a mirror folder."""
    rng = np.random.default_rng(0)
    n = 60
    colour = rng.choice(["red", "green", "blue"], size=n)
    x = rng.normal(size=(n, 3)).round(4)
    label = np.where(x[:, 0] + (colour == "red") > 0.3, "yes", "no")
    columns = ["a", "b, with comma", "c", "colour"]
    blocks = {}
    number = (x[:, 0] + x[:, 1]).round(4)
    for name, task, target in (("tiny", "classification", label), ("tiny-str", "regression", number)):
        lines = ['a,"b, with comma",c,colour,target']
        lines += [f"{p},{q},{r},{c},{t}" for (p, q, r), c, t in zip(x, colour, target, strict=True)]
        file = folder / "mirror" / name / f"{name}.csv"
        file.parent.mkdir(parents=True)
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        blocks[name] = {
            "title": f"Made-up {name}",
            "task": task,
            "home": "this test",
            "files": [{"file": file.name, "sha256": hashlib.sha256(file.read_bytes()).hexdigest()}],
            "reader": {"format": "csv"},
            "columns": {"target": "target"},
            "shape": {"rows": n, "features": len(columns)},
        }
    blocks["gone"] = {
        "title": "A dataset that cannot be had", "task": "classification", "home": "nowhere", "available": False,
        "reason": "its files are lost",
    }  # fmt: skip
    path = folder / "datasets.yaml"
    path.write_text(yaml.safe_dump(blocks), encoding="utf-8")
    return path


def tiny_config(folder):
    """Configuration of the tiny study, to be changed by the tests."""
    return {
        "data": {"cache": f"{folder}/cache", "mirror": f"{folder}/mirror", "catalogue": str(write_catalogue(folder))},
        "own": {
            "studies": {
                "tiny": {
                    "title": "A tiny study", "scale": "test", "seed": 7, "datasets": ["tiny", "gone"],
                    "methods": ["laplacian", "variance", "forest", "broken", "silent"], "modes": ["ssl", "sl"],
                    "splits": {"scheme": "ssl-cross-validation", "folds": 2, "L": [10, 40]},
                    "evaluators": ["knn"], "figures": {"k": [3, 5], "curves": ["tiny"]},
                }
            },
            "methods": {
                "laplacian": {"ranker": "laplacian_score"},
                "variance": {"rule": "variance"},
                "forest": {
                    "ranker": "genie3",
                    "params": {"n_estimators": 4, "supervision": "cv", "cv_levels": [0.0, 1.0], "cv_folds": 2},
                    "rankings": ["genie3", "random_forest"],
                },
                "broken": {"ranker": "tiny_rankers:Broken"},
                "silent": {"ranker": "tiny_rankers:OnlyRegression"},
                "relief": {"ranker": "relief", "params": {"n_neighbors": 5, "w0": 0.5, "w1": 0.5}},
            },
            "evaluators": {"knn": {"evaluator": "knn", "params": {"n_neighbors": [3, 5]}}},
        },
    }  # fmt: skip


class Runner:
    """Runs Snakemake on a configuration in a folder of its own."""

    def __init__(self, folder, root=ROOT):
        self.folder = Path(folder)
        self.root = Path(root)
        self.config_file = self.folder / "config.yaml"
        self.environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(self.root / "src"), str(Path(__file__).parent)]),
            "XDG_CACHE_HOME": str(self.folder / "home"),
        }

    def write(self, config):
        """Set the configuration."""
        self.config_file.write_text(yaml.safe_dump(config, sort_keys=False), encoding="utf-8")

    def command(self, *arguments):
        """The command line."""
        command = [sys.executable, "-m", "snakemake", "--directory", str(self.folder)]
        return [*command, "--snakefile", str(self.root / "Snakefile"), "--nocolor", *map(str, arguments)]

    def run(self, *arguments, forked=True):
        """Run; returns the exit code and the output. `forked` saves starts of Python."""
        _, _, _, *words = command = self.command(*arguments)
        if forked and self._library() == PACKAGE:  # another library is not the one that is imported here
            code, output = run_forked(words, self.folder, self.environment)
            if code is not None:  # the server has started in time
                return code, output
        options = {"capture_output": True, "text": True, "env": self.environment, "cwd": self.folder}
        done = subprocess.run(command, timeout=600, **options)
        return done.returncode, done.stdout + done.stderr

    def _library(self):
        own = self.root / "src/sslrank"
        return own.resolve() if own.exists() else PACKAGE

    def __call__(self, *arguments, ok=True, **options):
        """Run and return the output; `ok` says whether success is expected."""
        code, output = self.run(*arguments, **options)
        assert (code == 0) == ok, output[-6000:]
        return output

    def start(self, *arguments):
        """Run in the background, in a process group of its own."""
        return subprocess.Popen(
            self.command(*arguments),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=self.environment,
            cwd=self.folder,
            start_new_session=True,
        )

    def planned(self, *arguments):
        """Numbers of jobs that a dry run plans, by rule."""
        return self.jobs(self(*arguments, "-n", "--quiet", "rules"))

    @staticmethod
    def jobs(output):
        """Numbers of jobs, by rule, that a run has listed."""
        rows = [line.split() for line in output.partition("Job stats:")[2].splitlines()]
        return {words[0]: int(words[1]) for words in rows if len(words) == 2 and words[1].isdigit()}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Tests that start Snakemake are slow; slow tests come first, so that no worker is alone with them in the end."""
    for item in items:
        if {"tiny", "fresh", "new_runner"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.slow)
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


@pytest.fixture(scope="session")
def new_runner():
    """Makes a runner for a folder and, optionally, another checkout."""
    return Runner


@pytest.fixture(scope="session")
def run_once(tmp_path_factory):
    """Makes results and returns a runner with a copy. One worker makes them, the others copy them.

    Copies lie as deep in the tree, as Snakemake notes the path of the data relative to the results.
    """

    def run(name, make):
        folder = tmp_path_factory.mktemp(name, numbered=False)
        runner = Runner(folder)
        if ALONE:
            make(runner)
        else:
            common = folder.parents[1] / "made"
            common.mkdir(exist_ok=True)
            with (common / f"{name}-lock").open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                made, finished = common / name, common / f"{name}-finished"
                if not finished.exists():
                    shutil.rmtree(made, ignore_errors=True)
                    made.mkdir()
                    make(Runner(made))
                    finished.touch()
            shutil.copytree(made, folder, dirs_exist_ok=True)
        runner.config = yaml.safe_load(runner.config_file.read_text(encoding="utf-8"))
        return runner

    return run


@pytest.fixture(scope="session")
def tiny(run_once):
    """The finished tiny study: a runner, whose folder has the results."""
    return run_once("tiny", run_tiny)


@pytest.fixture
def tiny_copy(tiny, tmp_path):
    """A runner with a copy of the finished study, to be changed, in the test's own folder."""
    shutil.copytree(tiny.folder, tmp_path, dirs_exist_ok=True)
    runner = Runner(tmp_path)
    runner.config = deepcopy(tiny.config)
    return runner


def run_tiny(runner):
    """Run the tiny study. Its data is apart, as Snakemake notes it by its path, which stays true for a copy."""
    data = runner.folder.parents[not ALONE] / "tiny-data"
    shutil.rmtree(data, ignore_errors=True)
    data.mkdir()
    runner.write(tiny_config(data))
    runner("--cores", 2)


@pytest.fixture(scope="session")
def copy_checkout():
    """Copies what Snakemake needs of the repository to a new folder; the library is used where it is unless copied."""

    def copy(target, *, library=False):
        for name in ("workflow", "envs"):
            shutil.copytree(ROOT / name, target / name, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "Snakefile", target)
        if library:
            ignore = shutil.ignore_patterns("__pycache__", "*.c")
            shutil.copytree(PACKAGE, target / "src/sslrank", ignore=ignore)
        else:
            (target / "src").symlink_to(PACKAGE.parent)
        return target

    return copy


@pytest.fixture
def config(tmp_path):
    """The tiny study's configuration, with its data in the test's own folder."""
    return tiny_config(tmp_path)


@pytest.fixture
def fresh(tmp_path, config):
    """A runner in the test's own folder, nothing run yet."""
    runner = Runner(tmp_path)
    runner.config = config
    runner.write(config)
    return runner
