"""Fits spread over processes, within a budget of time, with progress."""

import time

from joblib import Parallel, delayed, effective_n_jobs
from tqdm import tqdm

#: Tasks per process that are handed out before the clock is looked at.
_BATCH = 4


class Work:
    """Runs many independent fits; the results do not depend on the number of processes.

    Parameters
    ----------
    n_jobs : int, optional
        As in joblib, whose backends (such as Dask's) are used where one is set.
    seconds : float, optional
        Time for all work; what has not begun when it is over is left out.
    total : int
        Number of tasks, for the progress.
    """

    def __init__(self, n_jobs=None, seconds=None, total=0):
        self.started = time.perf_counter()
        self.seconds = seconds
        self.n_jobs = n_jobs
        self.progress = tqdm(total=total, desc="ranking", unit="fit", disable=None, leave=False)
        self._parallel = Parallel(n_jobs=n_jobs, prefer="processes")

    def __enter__(self):
        self._parallel.__enter__()
        return self

    def __exit__(self, *error):
        self._parallel.__exit__(*error)
        self.progress.close()

    @property
    def n_processes(self):
        """Number of processes that work at the same time."""
        return effective_n_jobs(self.n_jobs)

    @property
    def left(self):
        """Seconds that are left; infinite without a budget."""
        return float("inf") if self.seconds is None else self.seconds - (time.perf_counter() - self.started)

    def run(self, function, tasks, *, share=1.0, least=0):
        """Call a function for each task, in order, until a share of the time that is left is over.

        Parameters
        ----------
        function : callable
            At module level, so that other processes find it.
        tasks : sequence of tuple
            Arguments.
        share : float
            Of the time that is left.
        least : int
            Tasks that are done in any case.

        Returns
        -------
        list
            Results of the first tasks; all of them without a budget.
        """
        tasks, found = list(tasks), []
        until = time.perf_counter() + share * self.left
        step = _BATCH * self.n_processes
        while len(found) < len(tasks) and (len(found) < least or time.perf_counter() < until):
            part = tasks[len(found) : len(found) + step]
            found += self._parallel(delayed(function)(*task) for task in part)
            self.progress.update(len(part))
        self.progress.total -= len(tasks) - len(found)
        return found
