"""The plan of this repository, and a number that another commit draws anew."""

import hashlib
import subprocess
from pathlib import Path

import pandas as pd
import yaml

from sslrank.benchmark.audit.recomputing import draw_cells, recompute
from sslrank.benchmark.plan.plan import Plan
from sslrank.benchmark.plan.sources import cells_by_study

ROOT = Path(__file__).parents[1]
CONFIG = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))


def repository_plan():
    """Plan all studies from the archive; its paths are relative to the root."""
    return Plan(CONFIG | {"archive": "only"}, ROOT, is_checked=True)


def recomputed(config, number):
    """Draw cells of the archive in the working directory, and compute them again, as an audit does."""
    plan = Plan(config | {"archive": "only"}, ROOT)
    drawn = draw_cells(cells_by_study(plan)[0], number, seed=9)
    return pd.DataFrame([recompute(plan, cell, seed=0) for cell in drawn])


def drawn_number(text=""):
    """Hash the commit and a text."""
    words = ["git", "rev-parse", "HEAD"]
    commit = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    return int(hashlib.sha256(f"{commit}{text}".encode()).hexdigest(), 16)
