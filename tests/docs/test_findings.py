"""Pages of findings and verdicts of studies follow from the tables in results/summaries."""

import re
from pathlib import Path

import pandas as pd
import pytest
import yaml

from repository import CONFIG, ROOT
from sslrank.benchmark.config.load import read_definitions
from sslrank.benchmark.report.findings import find_findings, render, render_findings
from sslrank.core.errors import DataError

RESULTS = ROOT / "results"
SUMMARIES = RESULTS / "summaries"
STUDIES = read_definitions(CONFIG, ROOT, is_checked=True).studies
TEMPLATES = sorted([*RESULTS.glob("*.md.j2"), *RESULTS.glob("findings/*.md.j2")])
#: What the published claims say may have numbers, what we say about them not.
CLAIMS = [row for rows in yaml.safe_load((RESULTS / "findings/claims.yaml").read_text()).values() for row in rows]
PAGES = sorted(RESULTS.glob("findings/*.md"))
VERDICTS = {
    table.verdict: f"{name}.{key}"
    for name, study in reversed(STUDIES.items())
    for key, table in study.tables.items()
    if table.verdict
}


def literals(template):
    """Decimals and percentages of a template, outside of code, links, quotations and references.

    An expression has one if it begins with it.
    """
    words = re.sub(r"^#+ [\d.]+ ", "", template.partition("\n## References")[0], flags=re.MULTILINE)
    first = r"{{\s*[(\"']*(-?[\d.]+)(?! *[*/])\b.*?}}|{%\s*set \w+ = [\"']?(-?[\d.]+)(?! *[*/])\b.*?%}"
    typed = re.sub(first, r" \1\2", words, flags=re.DOTALL)
    bare = re.sub(r"{%.*?%}|{{.*?}}|`[^`]*`|\]\([^)]*\)|\"[^\"]*\"", "", typed, flags=re.DOTALL)
    return re.findall(r"(?<![\w.-])-?\d+\.\d+(?:e-\d+)?|(?<![\w.-])\d+(?= %)", bare)


def findings(page):
    """The text of each finding of a page."""
    return re.split(r"^(?=## \d+\. )", page.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]


def test_findings_pages_are_up_to_date():
    pages = render_findings(RESULTS)
    assert {path for path in pages if path.suffix == ".md"} == {path.with_suffix("") for path in TEMPLATES}
    differing = [path.name for path, text in pages.items() if path.read_text(encoding="utf-8") != text]
    assert differing == [], "run: snakemake --cores 1 findings"


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_numbers_in_templates_are_computed(template):
    """Those that are written are settings, published text and section numbers."""
    sections = {"2.3", "3.1", "4.1", "4.2", "4.3", "5.1", "5.3", "5.5", "7.1", "7.2", "7.3"}
    allowed = {"5", "10", "80", "95", "0.005", "0.01", "0.02", "0.05", "2.5", "0.1", "0.2", "1.0"} | sections
    assert set(literals(template.read_text(encoding="utf-8"))) <= allowed


def test_typed_numbers_are_found():
    typed = '{{ mean | d2 }} of 0.91, {{ 0.92 | d2 }}, {{ (93 - 1) | d0 }} %, {% set mean = 0.94 %}{{ "0.95" }}'
    assert literals(typed) == ["0.91", "0.92", "93", "0.94", "0.95"]
    assert literals('`0.93`, "0.94", {{ "0.95" | when(mean > 0.9) }}') == ["0.95"]
    assert literals("{{ (100 * mean) | d0 }} % of {{ n / 2 }}") == []


def test_numbers_of_claims_are_computed():
    assert set(literals("\n".join(row["evidence"] for row in CLAIMS))) <= {"0.05", "0.2", "5.1", "95"}
    named = [text for row in CLAIMS for text in row.get("let", {}).values()]
    assert [text for text in named if re.fullmatch(r"-?[\d.]+", str(text))] == []


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.stem not in ("claims", "ties")], ids=lambda path: path.stem
)
def test_findings_have_required_sections(page):
    """The page names the command of the findings that have none."""
    text = page.read_text(encoding="utf-8")
    found = find_findings(text)
    assert [finding["number"] for finding in found] == list(range(1, text.count("\n## ") + 1))
    outcomes = "reproduced, reproduced in part, explained in part, not reproduced, decided, undecided"
    assert {finding["outcome"].lower() for finding in found} <= set(outcomes.split(", "))
    for finding in findings(page):
        parts = re.findall(r"^\*\*(\w+)\.\*\*", finding, re.MULTILINE)
        assert [part for part in parts if part != "Command"] == ["Claim", "Evidence", "Limits"], finding[:80]
        assert "](../summaries/" in finding
        assert "`snakemake " in (finding if "Command" in parts else text.partition("\n## ")[0])
    assert text.count("@") == 0


def test_index_lists_every_finding():
    first = (RESULTS / "FINDINGS.md").read_text(encoding="utf-8")
    for page in PAGES:
        for finding in find_findings(page.read_text(encoding="utf-8")):
            assert f"](findings/{page.name}#{finding['anchor']})" in first


@pytest.mark.parametrize("verdict", VERDICTS, ids=VERDICTS.values())
def test_verdicts_follow_from_tables(verdict):
    said = render(verdict, SUMMARIES)
    assert re.match(r"\s*(Same|Reproduced|Not reproduced)", said)
    if "not reproduced" in said.lower():  # there is a cause, or the words that none was found
        assert re.search("because|so that|unknown after these experiments", said.lower())
    allowed = {"0.02", "4.3"}
    assert set(literals(verdict)) <= allowed


def test_missing_original_trees_have_estimated_hours():
    run, part = (set(pd.read_csv(SUMMARIES / f"ssl-ranking{name}/seconds.csv").dataset) for name in ("", "-original"))
    assert set(pd.read_csv(RESULTS / "findings/missing_hours.csv").dataset) == run - part


@pytest.fixture
def cells(tmp_path):
    """A folder of summaries with one table."""
    rows = [("a", 1.0, 2.0), ("a", -1.0, -0.5), ("b", 2.0, -1.0), ("b", 3.0, None)]
    table = pd.DataFrame(rows, columns=["dataset", "published", "reproduced"])
    table["difference"] = table["reproduced"] - table["published"]
    (tmp_path / "study").mkdir()
    table.to_csv(tmp_path / "study/cells.csv", index=False)
    return tmp_path


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\n{{ 'leads' | when(1 > 2) }}", "page, line 2: ValueError: the tables no longer say 'leads'"),
        ("{{ cells('study/none.csv') }}", "page, line 1: FileNotFoundError: .*none.csv"),
        ("{{ cells('study/cells.csv').query('published > 9').difference.mean() | d2 }}", "page, line 1: .*any rows"),
        ("a\n\n{{ unknown }}", "page, line 3: UndefinedError: 'unknown' is undefined"),
        ("{% if %}", "page, line 1: TemplateSyntaxError"),
    ],
)
def test_template_errors_name_their_line(cells, text, message):
    with pytest.raises(DataError, match=message):
        render(text, cells, "page")


def test_cited_tests_exist():
    text = (RESULTS / "findings/claims.md").read_text(encoding="utf-8")
    cited = re.findall(r'`pytest (tests/\S+?) -k (?:"([^"]*)"|(\w+))`', text)
    assert cited
    for path, *words in cited:
        files = [ROOT / path] if path.endswith(".py") else (ROOT / path).glob("**/test_*.py")
        names = "\n".join(re.findall(r"def (test_\w+)", "".join(map(Path.read_text, files))))
        assert all(word in names for word in "".join(words).split(" or ")), (path, words)
