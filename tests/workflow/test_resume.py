"""kill -9 in the middle of a run, then the same command again: the same bits, and nothing done twice."""

import os
import signal
import time
from base64 import b64decode

#: What jobs make before the tables; seconds and logs differ from run to run.
MADE = (
    "data/**/*.*", "tiny/rankings/**/*.parquet", "tiny/splits/*.json", "tiny/exchange/**/*.csv",
    "tiny/scores/**/*.csv",
)  # fmt: skip
TARGET = "results/tiny/collected/scores.csv"


def kill_when(process, condition, limit=600):
    """Wait for a condition and kill the whole process group, as `kill -9` or a power cut would."""
    end = time.monotonic() + limit
    while not condition():
        assert process.poll() is None, "the run ended before it could be killed"
        assert time.monotonic() < end, "nothing to kill happened"
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def contents(folder):
    """Every file whose bits must be the same, by name; a status has seconds."""
    files = [path for pattern in MADE for path in folder.glob(f"results/{pattern}")] + [folder / TARGET]
    same = [path for path in files if not path.name.endswith((".status.csv", "source.json"))]
    return {str(path.relative_to(folder)): path.read_bytes() for path in same}


def finished(folder):
    """Time stamps of the rankings and scores that finished jobs have written."""
    # Snakemake marks the outputs of jobs that run: one file per output, its name in base 64.
    running = {
        b64decode(path.name).decode() for path in (folder / ".snakemake/incomplete").rglob("*") if path.is_file()
    }
    made = [path for part in ("rankings", "scores") for path in folder.glob(f"results/tiny/{part}/**/*.*")]
    return {path: path.stat().st_mtime_ns for path in made if str(path.relative_to(folder)) not in running}


def test_killed_run_resumes_with_the_same_result(fresh, tiny):
    """The tiny study is the run without interruption."""
    folder = fresh.folder
    process = fresh.start("--cores", 2, TARGET)
    kill_when(process, lambda: any(folder.glob("results/tiny/scores/tiny/*.csv")))
    done = finished(folder)
    # Snakemake cannot know that the run that holds the lock is dead.
    assert "--unlock" in fresh("--cores", 2, TARGET, ok=False)
    fresh("--unlock")
    fresh("--cores", 2, TARGET)
    assert done
    assert {path: path.stat().st_mtime_ns for path in done} == done
    expected, found = contents(tiny.folder), contents(folder)
    assert sorted(found) == sorted(expected)
    assert len(found) >= 20
    assert [name for name in expected if expected[name] != found[name]] == []
    assert "Nothing to be done" in fresh("-n", TARGET)
