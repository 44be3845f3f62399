"""Cases in forked children with limits on time and memory.

A child runs a batch of cases. One that is killed (a crash, too much time) is one finding, and the next child goes on
after it.
"""

import argparse
import json
import mmap
import os
import resource
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from pathlib import Path

#: Limits of one case: seconds of processor, seconds by the clock, memory beyond that of the parent.
CPU, CLOCK, MEMORY = 10, 300, 3 << 30
BATCH = 2000
#: Where the files of a case are: a disk waits for what is written again and again.
MEMORY_DISK = Path("/dev/shm")


def campaign(run, first=0, cases=1000):
    """Run cases.

    Parameters
    ----------
    run : callable
        ``run(case, folder)`` gives the outcome of a case, a Counter of what was done and seen, or what is wrong, as
        text. The folder is empty at first and the same for all cases.
    first, cases : int

    Returns
    -------
    counts : Counter
        Sum of the good outcomes.
    findings : list of (int, str)
        The other cases, and what is wrong.
    """
    counts, findings = Counter(), []
    current = mmap.mmap(-1, 8)
    position, stop = first, first + cases
    where = MEMORY_DISK if os.access(MEMORY_DISK, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="fuzz", dir=where) as folder:
        while position < stop:
            batch = range(position, min(position + BATCH, stop))
            lines, status = _in_a_child(lambda stream, batch=batch: _work(run, batch, Path(folder), current, stream))
            position = batch.stop
            for line in lines:
                if "counts" in line:
                    counts.update(line["counts"])
                else:
                    findings.append((line["case"], line["problem"]))
            if status:
                case = int.from_bytes(current[:8], "little")
                how = signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else f"exit {status}"
                findings.append((case, f"the process ended: {how}"))
                counts["before a crash"] += case - batch.start
                position = case + 1
    return counts, findings


def _work(run, cases, folder, current, stream):
    """In a child: run cases, note which one is running, write findings as lines of JSON."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    warnings.simplefilter("ignore")
    counts = Counter()
    for case in cases:
        current[:8] = case.to_bytes(8, "little")
        signal.setitimer(signal.ITIMER_PROF, CPU)
        signal.setitimer(signal.ITIMER_REAL, CLOCK)
        outcome = run(case, folder)
        if isinstance(outcome, Counter):
            counts.update(outcome)
        else:
            stream.write(json.dumps({"case": case, "problem": outcome}) + "\n")
            stream.flush()
    stream.write(json.dumps({"counts": counts}) + "\n")
    stream.flush()


def _in_a_child(function):
    """The lines of JSON that a function writes to a stream in a forked child, and the child's status."""
    reading, writing = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        os.close(reading)
        code = 1
        try:
            with os.fdopen(writing, "w") as stream:
                function(stream)
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    os.close(writing)
    with os.fdopen(reading) as stream:
        lines = [json.loads(line) for line in stream]
    return lines, os.waitpid(child, 0)[1]


def arguments(text, of_what):
    """Arguments of a campaign: cases, seed, first, only."""
    parser = argparse.ArgumentParser(description=text.splitlines()[0])
    parser.add_argument("--cases", type=int, default=1000, help=f"of every {of_what}")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument(f"--{of_what}s", dest="only", help="names, separated by commas (default: all)")
    return parser


def run_all(names, run, given, keep=None):
    """Run a campaign of every name and print its counts and findings.

    Parameters
    ----------
    names : iterable of str
    run : callable
        ``run(name, case, folder)``, see :func:`campaign`.
    given : argparse.Namespace
        Of :func:`arguments`.
    keep : callable, optional
        ``keep(name, case)`` is called for the findings that are printed.

    Returns
    -------
    bool
        Whether there was a finding.
    """
    total, bad, started = Counter(), 0, time.monotonic()
    for name in given.only.split(",") if given.only else names:
        begin = time.monotonic()
        counts, findings = campaign(lambda *case, name=name: run(name, *case), given.first, given.cases)
        total.update(counts)
        bad += len(findings)
        print(f"{name:16} {dict(counts)}, {len(findings)} findings, {time.monotonic() - begin:.1f} s", flush=True)
        for case, problem in findings[:10]:
            print(f"  case {case}: {problem}".replace("\n", "\n    "), flush=True)
            if keep is not None:
                keep(name, case)
    print(f"all: {dict(total)}, {bad} findings, {time.monotonic() - started:.0f} s")
    return bool(bad)
