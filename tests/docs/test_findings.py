"""Every number in results/FINDINGS.md, and in the verdicts of studies, follows from the table that it names.

Below a finding stands a comment, and beside a verdict the key `check`, of lines that are read from the top:

    table: FILE            a CSV in results/; where it compares with a print, only cells that have both values
    rows: CONDITION        those of its rows that the next lines are about (DataFrame.query); without this line, all
    NUMBER = EXPRESSION    Python over the columns; NUMBER, or a word of WORDS, stands in the finding just so

After new summaries `python tests/docs/test_findings.py` writes the numbers that follow from them into findings, and
names what needs a person: words, numbers that a finding has more than once, and those of verdicts.
"""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from scipy import stats

from sslrank.benchmark.plan.plan import Plan
from sslrank.stats.rank_tests import friedman_test, nemenyi_test

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "results"
STUDIES = Plan(yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8")), ROOT).studies
TEXT = (RESULTS / "FINDINGS.md").read_text(encoding="utf-8")
FINDINGS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL))
WORDS = {
    "No": 0,
    "none": 0,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
    "all": True,
    "only": True,
    "best": True,
} | dict.fromkeys(
    # What verdicts say.
    (
        *("Same", "Same in order", "Same in sign", "same", "in size", "Not reproduced"),
        *("every", "first", "gains here", "last", "leads", "lose", "loses", "most", "nearer", "nearest", "not"),
    ),
    True,
)


def spearman(a, b):
    return a.corr(b, method="spearman")


def by_ranking(rows, column):
    """Values by dataset and method, one column per ranking; higher is better."""
    values = rows[column].where(rows.higher_is_better, -rows[column])
    return rows.assign(value=values).pivot(index=["dataset", "method"], columns="ranking", values="value")


def better(table, first, second):
    return table[first] > table[second]


def average_ranks(rows, column):
    """Average ranks over the datasets, 1 for the largest value."""
    return rows.pivot(index="dataset", columns="ranking", values=column).rank(axis=1, ascending=False).mean()


def friedman_p(rows, column):
    """Friedman's test of the rankings over the datasets, with Iman and Davenport's correction."""
    return friedman_test(rows.pivot(index="dataset", columns="ranking", values=column)).iman_davenport_p_value


def significantly_better(rows, column, ranking):
    """Rankings that Nemenyi's test finds better than one of them."""
    table = rows.pivot(index="dataset", columns="ranking", values=column)
    test = nemenyi_test(table)
    ranks = test.average_ranks
    return [name for name in table if test.significant.loc[name, ranking] and ranks[name] < ranks[ranking]]


def printed(rows):
    """The printed ECA of each row."""
    table = pd.read_csv(RESULTS / "summaries/eca/compared/eca.csv")
    table = table.query("variant == 'weight 1, halved'").set_index(["dataset", "ranking"])
    return table.published.loc[list(zip(rows.dataset, rows.ranking, strict=True))].set_axis(rows.index)


def control(rows, variant):
    """SSL minus SL of equal weights on the dataset of each row."""
    table = pd.read_csv(RESULTS / "summaries/ssl-ranking-controls/tables/control_differences.csv")
    return rows.dataset.map(table[table.variant == variant].set_index("dataset").delta)


def wilcoxon_p(values):
    """Wilcoxon's signed-rank test of values against zero, two-sided."""
    return stats.wilcoxon(values).pvalue


def claimed_again(rows, best, others, bound):
    """Share of repetitions with other splits in which one ranking beats each of the others with p below a bound.

    Normal draws: twice the squared standard error (`spread`), of the means that were found and of those to be found.
    """
    tables = {name: rows.pivot(index="dataset", columns="ranking", values=name) for name in ("reproduced", "spread")}
    rng = np.random.default_rng(0)
    draws = {
        name: tables["reproduced"][name].to_numpy()
        + np.sqrt(2) * tables["spread"][name].to_numpy() * rng.standard_normal((2000, len(tables["spread"])))
        for name in (best, *others)
    }
    holds = np.ones(2000, dtype=bool)
    for name in others:
        lead = draws[best] - draws[name]
        holds &= (np.median(lead, axis=1) > 0) & (stats.wilcoxon(lead, axis=1).pvalue < bound)
    return holds.mean()


def leads_beyond_two_errors(rows, best, other):
    """Datasets on which the printed lead of a ranking differs from ours by more than two standard errors of both."""
    tables = {
        name: rows.pivot(index="dataset", columns="ranking", values=name)
        for name in ("published", "reproduced", "spread")
    }
    printed, ours = (tables[name][best] - tables[name][other] for name in ("published", "reproduced"))
    errors = np.sqrt(2 * (tables["spread"][[best, other]] ** 2).sum(axis=1))
    return ((printed - ours).abs() > 2 * errors).sum()


def exchanged(rows, first, second):
    """Mean absolute difference from the print when two measures are exchanged there."""
    ours, print_ = (
        rows.pivot(index="dataset", columns="measure", values=name)[[first, second]]
        for name in ("reproduced", "published")
    )
    return (ours - print_[[second, first]].to_numpy()).abs().to_numpy().mean()


def above_random(rows, method):
    """Datasets on which a method of one ranking has a higher score than the random ranking."""
    table = rows.pivot(index="dataset", columns="method", values="score")
    return (table[method] > table["random_ranking"]).sum()


def best_beyond(rows, name):
    """By dataset, the most that a method, or one whose name begins so, has beyond a random ranking."""
    return rows[rows.method.str.startswith(name)].groupby("dataset").beyond.max()


def improvements(rows, column):
    """Whether each classifier is better with selected features than with all."""
    table = rows.pivot(index=["dataset", "classifier"], columns="selection", values=column)
    return table["after"] > table["before"]


def fastest(rows, column, by=("dataset",), name="method"):
    """The name with the least value in each group."""
    return rows.pivot(index=list(by), columns=name, values=column).idxmin(axis=1)


def nearest(rows, name):
    """The name that is nearest to the print on each dataset."""
    return rows.assign(off=rows.difference.abs()).pivot(index="dataset", columns=name, values="off").idxmin(axis=1)


def same_order(rows, by, name):
    """Whether names are in the order of the print, by group."""
    ours, print_ = (rows.pivot(index=by, columns=name, values=key).rank(axis=1) for key in ("reproduced", "published"))
    return (ours == print_).all(axis=1)


def with_distance(rows, weighting, column):
    """Correlation of ECA under a weighting with the distance of the rankings, over strengths of noise."""
    table = rows.pivot(index="theta", columns="weighting", values=column)
    return table["dist"].corr(table[weighting])


FUNCTIONS = {
    function.__name__: function
    for function in (
        spearman,
        by_ranking,
        better,
        average_ranks,
        printed,
        control,
        wilcoxon_p,
        with_distance,
        friedman_p,
        significantly_better,
        claimed_again,
        exchanged,
        leads_beyond_two_errors,
        above_random,
        best_beyond,
        improvements,
        fastest,
        nearest,
        same_order,
    )
}


def checks(comment):
    """Number as written, and what the tables say, line by line."""
    table = rows = None
    for line in comment.strip().splitlines():
        if line.startswith("table: "):
            table = rows = pd.read_csv(RESULTS / line.removeprefix("table: "))
            if {"published", "reproduced"} <= set(table):
                table = rows = table.dropna(subset=["published", "reproduced"])
        elif line.startswith("rows: "):
            rows = table.query(line.removeprefix("rows: "), engine="python")
            assert len(rows), line
        else:
            number, _, expression = line.partition(" = ")
            names = {column: rows[column] for column in rows} | FUNCTIONS
            yield number, eval(expression, {"rows": rows, "sign": np.sign, "len": len, **names})


def says(number, value):
    """Whether a number is what one writes for a value with these digits."""
    if number in WORDS:
        return value == WORDS[number]
    digits = number.split()[0]
    mantissa, _, exponent = digits.partition("e")
    unit = 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
    return abs(float(digits) - value) <= unit * 0.5000001


def as_written(number, value):
    """A value with the digits of a number as it is written."""
    mantissa, _, exponent = number.split()[0].partition("e")
    unit = number.partition(" ")[1:]
    digits = len(mantissa.partition(".")[2])
    return (f"{value:.{digits}e}".replace("e-0", "e-") if exponent else f"{value:.{digits}f}") + "".join(unit)


def corrected(finding):
    """A finding with the numbers of its tables, and what of it needs a person."""
    prose, mark, comment = finding.partition("<!-- check\n")
    left = []
    try:
        found = list(checks(comment.partition("-->")[0]))
    except Exception as error:  # rows that a check is about may be gone
        return finding, [f"its check cannot be computed: {type(error).__name__}: {error}"]
    for number, value in found:
        if says(number, value):
            continue
        place = rf"(?<![\w.-]){re.escape(number)}(?![\d])"
        lines = rf"^{re.escape(number)} = "
        if number in WORDS or len(re.findall(place, prose)) != 1 or len(re.findall(lines, comment, re.MULTILINE)) != 1:
            left.append(f"{number} is written, the table has {value}")
            continue
        new = as_written(number, value)
        prose = re.sub(place, new, prose)
        comment = re.sub(lines, f"{new} = ", comment, flags=re.MULTILINE)
    return prose + mark + comment, left


def unfounded(prose, comment):
    """What a text says and its check does not, or not so."""
    found, written = [], []
    for number, value in checks(comment):
        if not says(number, value):
            found.append(f"{number} is written, the table has {value}")
        if not re.search(rf"(?<![\w.-]){re.escape(number)}(?![\d])", prose):
            found.append(f"{number} is not in the text")
        written.append(number.split()[0])
    # Whatever looks measured in the text is checked: decimals and percentages.
    bare = re.sub(r"`[^`]*`|\]\([^)]*\)|p < 0\.02|10 % of the labels", "", prose)
    measured = re.findall(r"(?<![\w.-])-?\d+\.\d+(?:e-\d+)?|(?<![\w.-])\d+(?= %)", bare)
    return found + [f"{number} has no check" for number in sorted(set(measured) - set(written))]


@pytest.mark.parametrize("title", FINDINGS)
def test_numbers_follow_from_the_tables(title):
    prose, _, comment = FINDINGS[title].partition("<!-- check\n")
    assert comment, "a finding without a check"
    assert unfounded(prose, comment.partition("-->")[0]) == []


def verdicts():
    """Verdict and check of every table that is compared with a publication, by study and name, each text once."""
    found = {}
    for name, study in STUDIES.items():
        for key, table in study.tables.items():
            if table.published or table.verdict:
                found.setdefault((table.verdict, table.check), f"{name}.{key}")
    return {name: said for said, name in found.items()}


VERDICTS = verdicts()


@pytest.mark.parametrize("name", VERDICTS)
def test_verdicts_follow_from_the_tables(name):
    verdict, check = VERDICTS[name]
    assert "table: summaries/" in check
    assert unfounded(verdict, check) == []


def test_summaries_without_the_controls_of_their_study_are_named():
    said = re.search(r"Without controls are (.*?)\.\s", TEXT, re.DOTALL)
    told = {path.parent.name for path in RESULTS.glob("summaries/*/README.md") if "\n- controls: " in path.read_text()}
    found = {path.name for path in RESULTS.glob("summaries/*") if path.name not in told and STUDIES[path.name].controls}
    assert set(re.findall(r"`([\w-]+)`", said[1])) == found


@pytest.mark.parametrize("title", FINDINGS)
def test_a_finding_is_short_and_shows_its_table_and_command(title):
    prose = FINDINGS[title].partition("<!--")[0].strip()
    first, *rest = prose.split("\n\n")
    assert len(re.findall(r"(?<!Eq)\.(?=\s|$)", first)) <= 3
    assert "](summaries/" in "\n".join(rest)
    assert "`snakemake " in prose or "command" in rest[-1]


def test_wrong_numbers_are_seen():
    table = f"table: {next((RESULTS / 'summaries').glob('*/datasets.csv')).relative_to(RESULTS)}\n"
    assert unfounded("Same: 0.25, 0.31 and 7 %.", f"{table}0.25 = 0.254\nSame = True\n31 = 31\n") == [
        *("31 is not in the text", "0.31 has no check", "7 has no check"),
    ]
    assert unfounded("Same: 0.25.", f"{table}0.25 = 0.262\nSame = False") == [
        *("0.25 is written, the table has 0.262", "Same is written, the table has False"),
    ]
    assert says("0.076", 0.0763)
    assert not says("0.076", 0.0767)
    assert says("89 %", 89.13)
    assert says("1.4e-6", 1.446e-6)
    assert not says("1.4e-6", 1.46e-6)


def test_numbers_are_corrected_and_words_are_not():
    name = next((RESULTS / "summaries").glob("*/datasets.csv"))
    said = "Of all {} datasets {} are none, {} %.\n\n<!-- check\ntable: {}\n{}\n{}\n{}\n-->\n"
    table, lines = name.relative_to(RESULTS), ("{} = 7 + 0 * len(rows)", "{} = 0.123", "{} % = 45.6")
    wrong = said.format("nine", "0.99", "12", table, *map(str.format, lines, ("nine", "0.99", "12")))
    right = said.format("nine", "0.12", "46", table, *map(str.format, lines, ("nine", "0.12", "46")))
    assert corrected(wrong) == (right, ["nine is written, the table has 7"])
    assert as_written("1.4e-6", 1.23e-5) == "1.2e-5"


if __name__ == "__main__":
    text = TEXT
    for title, finding in FINDINGS.items():
        found, left = corrected(finding)
        text = text.replace(finding, found)
        for problem in left:
            print(f"{title}: {problem}")
    for name, said in VERDICTS.items():
        for problem in unfounded(*said):
            print(f"the verdict of {name}: {problem}")
    (RESULTS / "FINDINGS.md").write_text(text, encoding="utf-8")
