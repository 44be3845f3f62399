"""Write the summary of a study, the part of its results to commit."""

from pathlib import Path

from sslrank.benchmark.report.summary import write_summary


def study_summary_job(manifest, output):
    """Write the summary of the study with this manifest, and list its files in the log."""
    print(*write_summary(Path(manifest).parent, output), sep="\n")
