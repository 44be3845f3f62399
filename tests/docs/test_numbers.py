"""Numbers in the documentation are those of the files that they come from."""

import re
from functools import cache

import numpy as np
import pandas as pd
import pytest
import yaml

import sslrank
from repository import ROOT
from sslrank.tabular.trust import checks, leaks, redundancy

ARENA = ROOT / "results/summaries/arena/tables"
#: Pages that people write; findings are computed, and the tour is compared with what its commands print.
PAGES = [ROOT / "README.md", ROOT / "results/README.md", *sorted((ROOT / "src/docs").glob("**/*.md"))]
PAGES = [page for page in PAGES if page.parent.name not in ("gallery", "generated")]


def prose(page):
    """A page in one line, without code."""
    text = re.sub(r"^```.*?^```|^    .*?$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    return " ".join(re.sub(r"`[^`]*`", "", text).split())


# --- statements -----------------------------------------------------------------------------------------------


@cache
def datasets():
    found = yaml.safe_load((ROOT / "workflow/datasets.yaml").read_text(encoding="utf-8")).values()
    return f"{sum(not entry.get('available', True) for entry in found)} of the {len(found)} datasets cannot be"


def verified():
    cells = pd.read_csv(ROOT / "results/archive/verified.csv")
    sums = cells[["rankings", "equal_bits", "equal_order", "scores", "equal_scores"]].sum().astype(int)
    return (
        f"lists {len(cells)} random cells .* Of {sums['rankings']:,} rankings, "
        f"{sums['equal_bits']:,} have the same bits and {sums['equal_order']:,} the same order of features; of "
        f"{sums['scores']:,} scores, {sums['equal_scores']:,} have the same bits. All folds were recomputed "
        f"({cells['folds'].eq(1).sum()} cells have only one). {cells['sha256'].isna().sum()} rows were verified before"
    )


def default_of_arena():
    found = pd.read_csv(ARENA / "arena_public.csv").query("part == 'unseen' and ranking == 'sslrank'").set_index("L")
    row, few = found.loc["all"], found.loc["20"]
    assert row["lower"] < 0 < row["upper"]
    assert few["lower"] < 0 < few["upper"]
    n, (first, ends), (last, other_ends) = row["n_families"], _with_interval(few), _with_interval(row)
    return (
        f"On {n:.0f} other datasets, which were not used for that, what `sslrank rank` returns differs from "
        f"scikit-learn's forest by {first} points with 20 labels (95 % interval {ends}) and by {last} over all "
        f"numbers of labels ({other_ends}). {n:.0f} datasets cannot settle this: {row['n_half_point']:.0f} are needed "
        "to detect half a point"
    )


def _with_interval(row):
    return f"{row['difference']:z.1f}", f"{row['lower']:.1f} to {row['upper']:.1f}"


def sets_of_arena():
    has = pd.read_csv(ARENA / "contest_scores.csv").groupby("ranking")["dataset"].nunique()
    study = yaml.safe_load((ROOT / "workflow/studies/arena.yaml").read_text(encoding="utf-8"))["arena"]
    others = has[["fastcan", "lightgbm_gain", "lightgbm_shap", "multisurf", "conditional", "self_training"]]
    others = pd.concat([others, has[["label_propagation", "rlsr", "convex_csfs"]]])
    assert has["scikit_forest"] == len(study["datasets"])
    return (
        f"on all {has['scikit_forest']} datasets, and mRMR on {has['mrmr']}. Other popular methods were run on "
        f"{others.min()} to {others.max()} small datasets"
    )


STATEMENTS = [
    ("README.md", datasets),
    ("results/README.md", verified),
    ("src/docs/guide/which-ranking.md", default_of_arena),
    ("src/docs/guide/which-ranking.md", sets_of_arena),
]


@pytest.mark.parametrize(("page", "statement"), STATEMENTS, ids=lambda item: getattr(item, "__name__", ""))
def test_statements_match_their_result_files(page, statement):
    text = " ".join((ROOT / page).read_text(encoding="utf-8").split())
    wanted = re.escape(statement()).replace(r"\.\*", ".*")
    assert re.search(wanted, text), f"{page}: expected: {statement()}"


def test_documented_check_thresholds_match_code():
    X, y = np.random.default_rng(0).normal(size=(60, 4)), np.arange(60) % 2
    found = sslrank.rank(X, y, methods="f_score", effort="order")
    page = (ROOT / "src/docs/guide/checks.md").read_text(encoding="utf-8")
    text = re.sub(r"(?<!\n)\n(?![\n#])", " ", page)  # without the ends of lines
    about = dict(re.findall(r"## (C\d\d)\n(.*?)(?=\n## |\Z)", text, re.DOTALL))
    assert list(about) == [check.code for check in found.checks]
    assert f"({leaks.LEAK} or more)" in about["C03"]
    assert f"associated by {redundancy.NEAR_DUPLICATE} or more" in about["C04"]
    assert f"each pair is associated by {redundancy.CORRELATED} or more" in about["C05"]
    assert f"fewer than {checks.MIN_LABELS} labelled rows" in about["C11"]
    assert f"fewer than {checks.ENOUGH_LABELS}, only" in about["C11"]
    assert f"(AUC {checks.SHIFT_AUC} or more)" in about["C13"]
    guide = (ROOT / "src/docs/guide/near-duplicates.md").read_text(encoding="utf-8")
    assert f"associated by {redundancy.NEAR_DUPLICATE} or more" in guide
    assert f"({redundancy.CORRELATED} or more)" in guide


# --- numbers that are typed twice -----------------------------------------------------------------------------


def measured_numbers(text):
    """Numbers that are results rather than settings: shares, points and counts out of others."""
    number = r"\d[\d,]*(?:\.\d+)?"
    return set(re.findall(rf"{number} (?:%|points)|{number} of (?:the )?{number} [a-z]+", text))


def test_measured_numbers_appear_on_one_page():
    """A number stands on one page and others link to it, unless both are among the statements above."""
    where = {}
    for page in PAGES:
        for number in measured_numbers(prose(page)):
            where.setdefault(number, []).append(str(page.relative_to(ROOT)))
    tested = " ".join(statement() for _, statement in STATEMENTS)
    #: settings of the methods
    settings = {"10 %", "90 %", "95 %", "100 %", "80 %", "5 %"}
    twice = {n: pages for n, pages in where.items() if len(pages) > 1 and n not in settings and n not in tested}
    assert twice == {}
