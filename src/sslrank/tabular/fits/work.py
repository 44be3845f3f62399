"""Run fits in parallel, with a progress bar."""

import threading
import time

from joblib import Parallel, delayed, effective_n_jobs

from sslrank.core.threads import one_blas_thread

try:
    from tqdm import tqdm
except ImportError:  # it comes with an extra
    tqdm = None

#: Tasks per process between two steps of the progress bar.
_TASKS_PER_PROCESS = 4
#: Seconds of work that justify another process, which repeats all imports.
_MIN_SECONDS_PER_PROCESS = 3.0


def _progress(total):
    """Make a progress bar; None if tqdm is not installed.

    It has neither tqdm's monitor thread nor its process lock, because an interrupt while they start prints an error.
    """
    if tqdm is None:
        return None

    class Progress(tqdm):
        monitor_interval = 0

    Progress.set_lock(threading.RLock())
    return Progress(total=total, desc="ranking", unit="fit", disable=None, leave=False)


def _run_in_worker(function, task):
    """Call a function in a worker process with the same settings as here."""
    with one_blas_thread():
        return function(*task)


class ParallelFits:
    """Run many independent fits; the results do not depend on the number of processes.

    Parameters
    ----------
    n_jobs : int, optional
        As in joblib, whose configured backend (such as Dask's) is used. Fewer processes are started for little work.
    total : int
        Number of tasks, for the progress.
    """

    def __init__(self, n_jobs=None, total=0):
        self.n_jobs = n_jobs
        self._progress = _progress(total)
        self._parallel = None
        self._n_processes = 1
        self._n_left = total

    def __enter__(self):
        return self

    def __exit__(self, *error):
        if self._parallel is not None:
            self._parallel.__exit__(*error)
        if self._progress is not None:
            self._progress.close()

    def done(self, count=1):
        """Count finished tasks."""
        self._n_left -= count
        if self._progress is not None:
            self._progress.update(count)

    def run(self, function, tasks):
        """Call a function for each task, in order.

        Parameters
        ----------
        function : callable
            A function at module level, so that other processes can import it.
        tasks : sequence of tuple
            Arguments.

        Returns
        -------
        list
        """
        tasks, finished, fastest = list(tasks), [], float("inf")
        while len(finished) < len(tasks):
            if self._parallel is None:
                part = tasks[len(finished) : len(finished) + 1]
                started = time.perf_counter()
                finished.append(function(*part[0]))
                fastest = min(fastest, time.perf_counter() - started)
                # the first one imports modules, and may take long for that
                if len(finished) > 1 or fastest > _MIN_SECONDS_PER_PROCESS:
                    self._start(fastest)
            else:
                part = tasks[len(finished) : len(finished) + _TASKS_PER_PROCESS * self._n_processes]
                finished += self._parallel(delayed(_run_in_worker)(function, task) for task in part)
            self.done(len(part))
        return finished

    def _start(self, seconds):
        """Start processes if the remaining tasks, at `seconds` each, are worth it."""
        useful = min(effective_n_jobs(self.n_jobs), int(seconds * self._n_left / _MIN_SECONDS_PER_PROCESS))
        if useful > 1:
            self._n_processes = useful
            self._parallel = Parallel(n_jobs=useful, prefer="processes").__enter__()
