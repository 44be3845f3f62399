"""Commands run and write of a benchmark, and its rows, saved after each table."""

import argparse
import subprocess
import warnings
from pathlib import Path

import pandas as pd

ROOT = Path(__file__).parents[2]


def saved_keys(path, *more):
    """Part, family, seed and more columns of the rows that are saved."""
    columns = ["part", "family", "seed", *more]
    return set(pd.read_csv(path, dtype={"method": str})[columns].itertuples(index=False)) if path.exists() else set()


def save(path, rows):
    """Add rows, with the commit."""
    commit = subprocess.run(["git", "rev-parse", "--short=8", "HEAD"], capture_output=True, text=True, cwd=ROOT)
    rows.assign(commit=commit.stdout.strip()).to_csv(path, mode="a", header=not path.exists(), index=False)


def main(text, run, write, **defaults):
    """Run or write, with the file of rows and a benchmark's own arguments."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("run", "write"))
    parser.add_argument("--rows", type=Path, required=True)
    for name, value in defaults.items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    (run if arguments.command == "run" else write)(arguments)
