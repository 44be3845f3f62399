"""Write the summary of a study, the part to commit."""

from pathlib import Path

from sslrank.benchmark.report.summary import write_summary


def study_summary(job, log):
    """Run a job of the rule `study_summary`."""
    for file in write_summary(Path(job.input.manifest).parent, job.output[0]):
        print(file)
