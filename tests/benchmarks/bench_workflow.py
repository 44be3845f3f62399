"""What a study's jobs took outside of the library: python tests/benchmarks/bench_workflow.py results/demo ...

Of ranking jobs the wall time and the time inside the fits are recorded. What is outside of the fits is
starting Python, importing, reading and writing; scoring jobs, whose time inside is not recorded, are taken to
need as much of it. With ``--imports`` the slowest imports of a ranking job are listed.
"""

import argparse
import statistics
import subprocess
import sys
from pathlib import Path

import pandas as pd

RANKING = "import sslrank.benchmark.steps.rank, sslrank; sslrank.get_ranker('genie3')"


def wall_seconds(path):
    """Wall seconds of a job's benchmark record."""
    return float(pd.read_csv(path, sep="\t")["s"].mean())


def overhead(study):
    """Print the share of one study's jobs that is not the library's."""
    outside, wall, inside = [], 0.0, 0.0
    for record in sorted(study.glob("benchmarks/rankings/*/*/*.tsv")):
        rankings = (study / record.relative_to(study / "benchmarks")).parent
        status = sorted(rankings.glob(f"{record.stem}.status.csv"))
        if status:
            seconds = wall_seconds(record)
            fits = sum(float(pd.read_csv(path)["seconds"].sum()) for path in status)
            outside.append(seconds - fits)
            wall, inside = wall + seconds, inside + fits
    if not outside:
        print(f"{study}: no finished ranking job")
        return
    scores = [wall_seconds(path) for path in sorted(study.glob("benchmarks/scores/*/*/*.tsv"))]
    typical = statistics.median(outside)
    both = (wall - inside + sum(min(typical, seconds) for seconds in scores)) / (wall + sum(scores))
    print(f"{study}: {len(outside)} ranking jobs, {wall:.0f} s, inside the fits {inside:.0f} s")
    print(f"  outside of the fits {typical:.2f} s per job (median), {(wall - inside) / wall:.1%} in all")
    print(f"  {len(scores)} scoring jobs, {sum(scores):.0f} s; of both about {both:.1%}")


def imports():
    """Print what importing takes in a ranking job."""
    command = [sys.executable, "-X", "importtime", "-c", RANKING]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stderr.splitlines()
    rows = [line.removeprefix("import time:").split("|") for line in lines if "|" in line]
    times = [(int(row[1]), row[2].strip()) for row in rows if row[1].strip().isdigit()]
    for microseconds, name in sorted(times, reverse=True)[:15]:
        print(f"  {microseconds / 1e6:6.2f} s  {name}")


def main():
    """Print the overhead of the given studies."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("studies", nargs="*", type=Path, help="folders such as results/demo")
    parser.add_argument("--imports", action="store_true")
    options = parser.parse_args()
    for study in options.studies:
        overhead(study)
    if options.imports:
        imports()


if __name__ == "__main__":
    main()
