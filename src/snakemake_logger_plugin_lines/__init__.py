"""What Snakemake says on the terminal: one line per finished job, with the time that is left.

The default profile chooses it by ``logger: lines``; Snakemake finds plugins by the module's name. Dry runs,
``--verbose`` and ``--workflow-profile none`` print what Snakemake prints by itself, as do the logs in
``.snakemake/log``.
"""

import logging
import sys
import time
from statistics import fmean

from snakemake.logging import ColorizingTextHandler, DefaultFilter, DefaultFormatter
from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

from sslrank.core.durations import duration

#: What Snakemake says between the jobs. `None` is the event of messages without one.
LEFT_OUT = {LogEvent.JOB_INFO, LogEvent.JOB_STARTED, LogEvent.SHELLCMD, LogEvent.PROGRESS, LogEvent.WORKFLOW_STARTED}
#: Wildcards whose values name a job, and the other ones behind.
FIRST = ("study", "dataset", "method", "evaluator")
WIDTH = 60


class LogHandler(LogHandlerBase):
    """Handler of Snakemake's records, see the module."""

    writes_to_stream = True
    writes_to_file = False
    has_filter = True
    has_formatter = True
    needs_rulegraph = False

    def __post_init__(self):
        settings = self.common_settings
        stream = sys.stdout if settings.stdout else sys.stderr
        # --quiet leaves out as much as it does without this module.
        self.addFilter(
            DefaultFilter(
                settings.quiet, settings.debug_dag, settings.verbose, settings.dryrun, settings.printshellcmds
            )
        )
        self.default = ColorizingTextHandler(nocolor=settings.nocolor, stream=stream)
        self.default.setFormatter(DefaultFormatter(settings.quiet, settings.show_failed_logs))
        self.as_ever = settings.dryrun or settings.verbose or settings.debug_dag
        self.progress = Progress()

    def emit(self, record):
        """Print a record, or a line in its place, or nothing."""
        line = None if self.as_ever else self.progress.line(record, self.common_settings.show_failed_logs)
        if line is None:
            self.default.emit(record)
        elif line:
            self.default.emit(logging.makeLogRecord({"msg": line, "levelname": record.levelname}))


class Progress:
    """Jobs that run and have finished, and what each rule's take.

    Parameters
    ----------
    clock : callable, optional
        Seconds by a clock.
    """

    def __init__(self, clock=time.monotonic):
        self.clock = clock
        self.start = clock()
        self.waiting = {}
        self.running = {}
        self.seconds = {}
        self.done = self.total = 0
        self.interrupted = False

    def line(self, record, whole_errors=False):
        """What to print for a record.

        Parameters
        ----------
        record : logging.LogRecord
        whole_errors : bool
            Whether an error is printed with all that is known of it.

        Returns
        -------
        str or None
            Empty for nothing, None for what Snakemake prints by itself.
        """
        event = getattr(record, "event", None)
        if event == LogEvent.RUN_INFO:
            stats = dict(getattr(record, "stats", {}))
            self.total = stats.pop("total", 0)
            self.waiting = stats
            self.start = self.clock()
        elif event == LogEvent.JOB_INFO:
            self.running[record.jobid] = (record.rule_name, name_of(record), self.clock())
        elif event == LogEvent.JOB_FINISHED:
            return self._finished(record.job_id)
        elif event is None and record.getMessage().startswith("Terminating processes on user request"):
            self.interrupted = True
            return "Interrupted: running jobs are ended; the same command goes on from here."
        elif event == LogEvent.JOB_ERROR and not whole_errors:
            name = self.running.pop(record.jobid, (None, record.rule_name))[1]
            if self.interrupted:
                return f"interrupted: {name}"
            logs = ", ".join(map(str, record.log))
            return f"failed: {name}" + (f"; see {logs}, or add --show-failed-logs" if logs else "")
        elif event == LogEvent.ERROR and not whole_errors and "CalledProcessError" in record.getMessage():
            return ""  # the job's own line said it
        if event in LEFT_OUT or (event is None and record.getMessage() == "Select jobs to execute..."):
            return ""
        return None

    def _finished(self, job):
        rule, name, start = self.running.pop(job, ("?", "?", self.clock()))
        now = self.clock()
        self.done += 1
        self.waiting[rule] = self.waiting.get(rule, 1) - 1
        self.seconds.setdefault(rule, []).append(now - start)
        line = f"[{self.done:{len(str(self.total))}}/{self.total}] {name:{WIDTH}} {duration(now - start):>7}"
        left = self.left()
        return line.rstrip() + (
            f"   about {duration(left)} left" if left is not None and self.done < self.total else ""
        )

    def left(self):
        """Seconds until the last job's end, from what the jobs so far took; None before the first one's end.

        A rule without a finished job takes the mean of all jobs. As many jobs as until now are at work together.
        """
        every = [seconds for rule in self.seconds.values() for seconds in rule]
        if not every:
            return None
        elapsed = self.clock() - self.start
        together = max(sum(every) / elapsed, 1.0) if elapsed else 1.0
        work = sum(max(count, 0) * fmean(self.seconds.get(rule, every)) for rule, count in self.waiting.items())
        return work / together


def name_of(record):
    """A job's rule and wildcards, as words."""
    wildcards = dict(record.wildcards or {})
    words = [wildcards.pop(key) for key in FIRST if key in wildcards]
    return " ".join([record.rule_name, *words, *map(str, wildcards.values())])
