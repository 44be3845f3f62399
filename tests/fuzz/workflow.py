"""Runs of a tiny study that are killed, starved and doubled: the same files in the end, or a message.

See README.md here. Needs a user who may mount for `disk` and `readonly`; they say so where that is not so.
"""

import argparse
import copy
import csv
import importlib.util
import io
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
RESULTS = "results/tiny"
#: Files that hold times or addresses; of the tables after them only the columns of seconds count not.
TIMED = (
    "logs",
    "benchmarks",
    "durations.csv",
    "manifest.json",
    "report.html",
    "index.html",
    "time_ranks.csv",
    "failures.log",
)
SECONDS = ("status.csv", "scoring.csv", "leaderboard.csv")
KINDS = ("kill", "archive", "twice", "clock", "dying", "disk", "readonly")


def load_runner():
    """The module with the tests' tiny study and their way to run it."""
    if str(HERE.parent) not in sys.path:
        sys.path.append(str(HERE.parent))
    spec = importlib.util.spec_from_file_location("workflow_conftest", HERE.parent / "workflow/conftest.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Campaign:
    """A study of seven ranking and scoring jobs with its page, and what it makes when nobody disturbs it."""

    def __init__(self, folder, seed, limits=None):
        self.folder, self.random, self.tests = Path(folder), random.Random(seed), load_runner()
        inputs = self.folder / "inputs"
        inputs.mkdir(parents=True)
        self.config = self.tests.tiny_config(inputs)
        self.config["data"]["cache"] = "cache"
        self.config["limits"] = limits or {}
        study = self.config["own"]["studies"]["tiny"]
        study |= {"datasets": ["tiny"], "methods": ["laplacian", "variance"], "figures": {}}
        study["splits"]["L"] = [10]
        started = time.monotonic()
        self.expected = self.undisturbed("reference")
        self.seconds = time.monotonic() - started

    def runner(self, name):
        """A new folder with the study's configuration, in place of an old one."""
        shutil.rmtree(self.folder / name, ignore_errors=True)
        (self.folder / name).mkdir()
        runner = self.tests.Runner(self.folder / name)
        runner.write(self.config)
        return runner

    def undisturbed(self, name):
        """What a run makes."""
        runner = self.runner(name)
        runner("--cores", 2)
        return contents(runner.folder)

    def compare(self, folder):
        """Problems of a finished run."""
        found = contents(folder)
        problems = [f"{name} is missing" for name in self.expected if name not in found]
        problems += [f"{name} is too much" for name in found if name not in self.expected]
        return problems + [
            f"{name} differs" for name, text in self.expected.items() if name in found and found[name] != text
        ]

    # --- what happens to a run ---------------------------------------------------------------------------------

    def kill(self):
        """One run, killed with its process group at random moments until it comes to its end."""
        runner, kills = self.runner("killed"), 0
        while True:
            process = runner.start("--cores", 2)
            # After some more files have been begun or finished, at whatever speed this machine has today.
            wanted = self._begun(runner.folder) + self.random.randrange(4)
            while process.poll() is None and self._begun(runner.folder) < wanted:
                time.sleep(0.01)
            try:
                process.wait(self.random.uniform(0, 3))
                break
            except subprocess.TimeoutExpired:
                stop(runner, process)
                kills += 1
        if process.returncode:
            return kills, ["the run after the kills fails: " + runner("--cores", 2, ok=False)[-2000:]]
        problems = self.compare(runner.folder)
        if "Nothing to be done" not in runner("-n"):
            problems.append("something is left to do")
        return kills, problems

    def archive(self):
        """Finished results that go into the archive, killed at random moments until all are in."""
        whole, kills = self.folder / "archived whole", 0
        if not whole.exists():
            runner = self.runner(whole.name)
            shutil.copytree(self.folder / "reference", runner.folder, dirs_exist_ok=True)
            runner("--cores", 2, "archive")
        runner = self.runner("archived")
        shutil.copytree(self.folder / "reference", runner.folder, dirs_exist_ok=True)
        while True:
            process = runner.start("--cores", 2, "archive")
            wanted = self._begun(runner.folder) + self.random.randrange(1, 6)
            while process.poll() is None and self._begun(runner.folder) < wanted:
                time.sleep(0.001)
            try:
                process.wait(self.random.uniform(0, 0.5))
                break
            except subprocess.TimeoutExpired:
                stop(runner, process)
                kills += 1
        if process.returncode:
            return kills, ["archive fails after the kills: " + runner("--cores", 2, "archive", ok=False)[-2000:]]
        expected, found = (contents(folder / "results/archive", ".") for folder in (whole, runner.folder))
        return kills, [
            f"{name} is missing, too much or differs"
            for name in sorted({*expected, *found})
            if expected.get(name) != found.get(name)
        ]

    @staticmethod
    def _begun(folder):
        made = [folder / "results", folder / ".snakemake/incomplete"]  # a walk minds no folder that is being deleted
        return sum(len(folders) + len(files) for top in made for _, folders, files in os.walk(top))

    def twice(self):
        """Two runs at once in one folder: one of them says that it cannot, the other finishes."""
        runner = self.runner("twice")
        first = runner.start("--cores", 2)
        while not (runner.folder / ".snakemake/locks").exists() or not any(
            (runner.folder / ".snakemake/locks").iterdir()
        ):
            time.sleep(0.05)
        output = runner("--cores", 2, ok=False)
        problems = [] if "cannot be locked" in output else ["the second run says nothing of a lock: " + output[-2000:]]
        first.wait()
        return 1, problems + self.compare(runner.folder)

    def clock(self):
        """A run that is killed, whose files then are of tomorrow, or of last year."""
        runner = self.runner("clock")
        process = runner.start("--cores", 2)
        time.sleep(self.random.uniform(self.seconds / 4, self.seconds))
        if process.poll() is None:
            stop(runner, process)
        for path in runner.folder.glob("results/**/*"):
            if self.random.random() < 0.5:
                moved = path.stat().st_mtime + self.random.choice([86_400, -31_536_000])
                os.utime(path, (moved, moved))
        if any(path.stat().st_mtime > time.time() for path in runner.folder.glob("results/**/*")):
            advice = re.search("clock is right, run: (find .*)", runner("--cores", 2, ok=False))
            if advice is None:
                return 1, ["dates in the future are not named"]
            subprocess.run(advice[1], shell=True, check=True, cwd=runner.folder)
        runner("--cores", 2)
        return 1, self.compare(runner.folder)

    def dying(self):
        """A method hangs, is killed or runs out of memory: it has status rows, and all others' results are as ever."""
        runner = self.runner("dying")
        what, status = self.random.choice([("Hanging", "timeout"), ("Killed", "failed"), ("Hungry", "failed")])
        config = copy.deepcopy(self.config)
        config["own"]["methods"]["dying"] = {"ranker": f"dying_rankers:{what}"}
        config["own"]["studies"]["tiny"]["methods"].append("dying")
        config["limits"] = {"fit": "5s"}
        runner.environment["PYTHONPATH"] += os.pathsep + str(HERE)
        runner.write(config)
        runner("--cores", 2)
        found = contents(runner.folder)
        rows = found.get(f"{RESULTS}/rankings/tiny/dying/L10.status.csv", [])
        seen = {row["status"] for row in rows if row["mode"] == "ssl"}  # it is not supervised
        problems = [] if seen == {status} else [f"{what}: status {rows}"]
        made = [name for name in self.expected if {"rankings", "scores", "splits", "data"} & set(Path(name).parts)]
        problems += [f"{what}: {name} differs" for name in made if found.get(name) != self.expected[name]]
        if "dying" not in (runner.folder / RESULTS / "report.html").read_text(encoding="utf-8"):
            problems.append(f"{what}: the page does not say so")
        return 1, problems

    def disk(self):
        """A run on a small disk that gets full; then the disk is large enough."""
        runner = self.runner("disk")
        size = self.random.randrange(60, 900)
        if not mount(runner.folder, f"size={size}k"):
            return 0, ["mounting is not allowed here"]
        try:
            runner.write(self.config)
            process = runner.start("--cores", 2)
            process.wait()
            subprocess.run(["mount", "-o", "remount,size=100m", str(runner.folder)], check=True)
            shutil.rmtree(runner.folder / ".snakemake/locks", ignore_errors=True)
            runner("--cores", 2)
            return 1, [f"{size} kB: {problem}" for problem in self.compare(runner.folder)]
        finally:
            subprocess.run(["umount", "-l", str(runner.folder)], check=True)

    def readonly(self):
        """A results folder that cannot be written: one message."""
        runner = self.runner("readonly")
        (runner.folder / "results").mkdir()
        if not mount(runner.folder / "results", "ro"):
            return 0, ["mounting is not allowed here"]
        try:
            output = runner("--cores", 2, ok=False)
        finally:
            subprocess.run(["umount", "-l", str(runner.folder / "results")], check=True)
        lines = [line for line in output.splitlines() if "cannot be written" in line]
        problems = [] if len(lines) == 1 else [f"{len(lines)} messages: " + output[-2000:]]
        return 1, problems + (["Traceback: " + output[-2000:]] if "Traceback" in output else [])


def stop(runner, process):
    """Kill a run with all that it has started, and take its lock away, as --unlock does."""
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    shutil.rmtree(runner.folder / ".snakemake/locks", ignore_errors=True)


def mount(folder, options):
    """Whether a new file system in memory could be mounted."""
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    return subprocess.run(command, stderr=subprocess.DEVNULL).returncode == 0


def contents(folder, below="results"):
    """What a run has made, by name, without times."""
    found = {}
    for path in sorted((folder / below).rglob("*")):
        name = path.relative_to(folder)
        if path.is_file() and not path.name.startswith(".") and not set(TIMED) & set(name.parts):
            content = path.read_bytes()
            if path.name.endswith(SECONDS):
                rows = csv.DictReader(io.StringIO(content.decode()))
                content = [{key: value for key, value in row.items() if key != "seconds"} for row in rows]
            found[str(name)] = content
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", nargs="+", choices=KINDS)
    parser.add_argument("--cases", type=int, default=20, help="runs, or kills (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    findings = 0
    with tempfile.TemporaryDirectory(prefix="sslrank-workflow-") as folder:
        campaign = Campaign(folder, arguments.seed)
        print(f"undisturbed: {len(campaign.expected)} files, {campaign.seconds:.0f} s", flush=True)
        for what in arguments.what:
            findings += run(campaign, what, arguments.cases)
    return findings > 0


def run(campaign, what, cases):
    """Runs of one kind, and the number of those with findings."""
    started, done, findings, runs = time.monotonic(), 0, 0, 0
    while done < cases:
        count, problems = getattr(campaign, what)()
        done, runs, findings = done + count, runs + 1, findings + bool(problems)
        print(f"{what}: run {runs}, {done} cases, {time.monotonic() - started:.0f} s", flush=True)
        for problem in problems:
            print(f"  {problem}", flush=True)
        if not count and problems:
            break
    seconds = time.monotonic() - started
    print(f"{what}: {done} cases in {runs} runs, {findings} with findings, {seconds:.0f} s", flush=True)
    return findings


if __name__ == "__main__":
    sys.exit(main())
