"""Every path, command, option and link that the documentation names exists, and its snippets run."""

import contextlib
import html
import io
import re
import shlex
from functools import cache
from itertools import takewhile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from snakemake.cli import get_argument_parser

from repository import CONFIG, ROOT
from sslrank.benchmark.plan.plan import Plan
from sslrank.cli import main

# The summaries' READMEs are written by the workflow and name what was run then.
FOLDERS = (
    ".", "results", "tests/measurements", "tests/fuzz", "tests/oracles/*", "workflow", "workflow/published/*",
    "workflow/rules/methods/*",
)  # fmt: skip
FOUND = [path for folder in FOLDERS for path in ROOT.glob(f"{folder}/README.md")]
PAGES = sorted(ROOT.glob("results/findings/*.md"))
SITE = [path for path in sorted(ROOT.glob("src/docs/*/*.md")) if path.parent.name != "gallery"]
SITE += [ROOT / "src/docs/index.md"]  # the changelog names what is gone
FRONT = [ROOT / "results" / name for name in ("FINDINGS.md", "REPORT.md")]
DOCUMENTS = [str(path.relative_to(ROOT)) for path in [*sorted(FOUND), *FRONT, *PAGES, *SITE]]
#: What is made by whoever follows the text.
EXAMPLES = (
    ".cache/datasets", ".snakemake/fits", "build/wheels", "entries/", "results/entries/",
    "results/entries/places.csv", "results/entries/Agreement/", "results/demo/automobile.html", "results/docs",
    "tumours/curve.csv", "tumours/ranking.csv", "workflow/rules/methods/mymethod", "data.csv", "ranking.csv",
    "mine.yaml",
)  # fmt: skip
TOUR = "src/docs/start/rank-a-table.md"


def text(document):
    return (ROOT / document).read_text(encoding="utf-8")


@cache
def plan(*settings):
    """The plan of all studies, or with what follows `--config`; an unknown name or value raises a DataError."""
    given = yaml.safe_load("\n".join(setting.replace("=", ": ") for setting in settings)) or {}
    return Plan(CONFIG | given, ROOT)


def without_comments(document):
    """The text without comments and without Sphinx's directives."""
    return re.sub(r"<!--.*?-->|^```{.*?^```$", "", text(document), flags=re.DOTALL | re.MULTILINE)


def headings(file):
    """Anchors of a document and of what it includes; None if the documentation's build makes it."""
    if "generated" in file.parts or file.parent.name == "gallery":
        return None
    found = file.read_text(encoding="utf-8")
    for included in re.findall(r"^```{include} (.+)$", found, re.MULTILINE):
        found += (file.parent / included).read_text(encoding="utf-8") if "generated" not in included else ""
    lines = re.findall(r"^#+ (.+)$", found, re.MULTILINE)
    return [re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in lines]


def blocks(document):
    """Lines of indented and fenced blocks."""
    inside = False
    for line in without_comments(document).splitlines():
        if line.startswith("```"):
            inside = not inside
        elif inside or line.startswith("    "):
            yield line.strip()


def spans(document):
    """Code spans of the prose, with line breaks as spaces."""
    prose = re.sub(r"^```.*?^```|^    .*?$", "", without_comments(document), flags=re.DOTALL | re.MULTILINE)
    return [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", prose)]


def commands(document):
    """Words of all that is typed in a shell."""
    for line in [*blocks(document), *spans(document)]:
        line = re.sub(r"\$\(ls [^)]*\)", "FILES", line).partition("  #")[0]
        if line.split(" ")[0] in PROBLEMS and " " in line and " <- " not in line:  # R assigns so
            yield shlex.split(line)


def paths(document):
    """Code spans and words of commands that look like a path."""
    kinds = "py|md|yaml|csv|json|smk|html|svg|toml|lock|cff|j2|parquet"
    listed = [] if document == "results/README.md" else blocks(document)  # compared with a run in tests/workflow
    words = [*spans(document), *(word for line in listed for word in line.split())]
    words += re.findall(r"\$\(ls ([^)]*)\)", text(document))
    for word in dict.fromkeys(words):
        if re.fullmatch(rf"(\.?[\w<>*-]+/)+[\w.<>*-]*|[\w<>*.-]+\.({kinds})|Snakefile|Makefile", word):
            yield word


@cache
def outputs():
    """Regular expressions of what a run writes, as results/README.md lists it."""
    listed = [line.partition("  ")[0] for line in blocks("results/README.md")]
    listed = [part for line in listed for part in re.split(r", ", line)]
    return [re.sub(r"<\w+>", "[^/]+", f"results/{part}") + (".*" if part.endswith("/") else "") for part in listed]


def path_exists(document, path):
    pattern = re.sub(r"<\w+>", "*", path)
    folder = (ROOT / document).parent
    folders = [ROOT, ROOT / "src/sslrank", folder, folder.parent]
    exists = any(list(each.glob(pattern.rstrip("/"))) for each in folders)
    example = pattern.replace("*.", "L50.").replace("*", "x")
    made = any(re.fullmatch(output, example) for output in outputs())
    # Files that a run writes, or one's own
    own = document.startswith(("results/README.md", "src/docs/")) or "_template" in document
    return exists or made or (own and "/" not in path) or path in EXAMPLES or document == TOUR


@pytest.mark.parametrize("document", DOCUMENTS)
def test_mentioned_paths_exist(document):
    assert [path for path in paths(document) if not path_exists(document, path)] == []


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_resolve(document):
    for target in re.findall(r"\]\(([^)]+)\)", without_comments(document)):
        if re.match(r"https://", target):
            continue
        name, _, anchor = target.partition("#")
        file = (ROOT / document).parent / name if name else ROOT / document
        anchors = headings(file) if file.suffix in (".md", ".rst") else []
        if anchors is None or "generated" in file.parts:  # `make docs` makes and checks these
            script = ROOT / "src/docs/examples" / f"{file.stem}.py"
            assert file.stem == "index" or "generated" in file.parts or script.exists(), target
            continue
        assert file.exists(), target
        assert not anchor or anchor in anchors, target


@pytest.mark.parametrize("page", sorted((ROOT / "src/docs").rglob("*.md")), ids=lambda page: page.stem)
def test_included_links_stay_in_the_site(page):
    """Links of an included file lead to pages of the site, which are those of src/docs."""
    for name, prefix in re.findall(r"```{include} (\S+)\n:relative-docs: (\S+)", page.read_text(encoding="utf-8")):
        included = (page.parent / name).read_text(encoding="utf-8")
        targets = re.findall(r"\]\(([^)#:]+\.md)[^)]*\)", included)
        assert [target for target in targets if not target.startswith(prefix)] == []


@cache
def snakemake_parser():
    parser = get_argument_parser()
    parser.exit_on_error = False
    return parser


def snakemake_problem(words):
    # Options of plugins that need not be installed here
    plugin = [i for i, word in enumerate(words) if re.match(r"--(slurm|cluster-generic)-", word)]
    words = [w for i, w in enumerate(words) if i not in plugin and i - 1 not in plugin]
    if "--executor" in words:
        at = words.index("--executor")
        words = words[:at] + words[at + 2 :]
    arguments, unknown = snakemake_parser().parse_known_args(words[1:])
    if unknown:
        return f"unknown options {unknown}"
    own = plan()
    targets = {"all", "summary", "archive", "check_archive", "findings", "mine", *own.studies}
    targets |= {"everything", "knn_scores", "eca_scores", "friedman_nemenyi", "STUDY"}
    if missing := {target for target in arguments.targets if not target.startswith("results/")} - targets:
        return f"unknown targets {missing}"
    plan(*(setting for setting in arguments.config or () if not setting.endswith("=...")))
    return None


def python_problem(words):
    script, *arguments = words[1:]
    if script == "-m":
        return None
    source = text(script)
    if "from saved_rows import" in source:  # which reads the arguments
        source += text("tests/measurements/saved_rows.py")
    for argument in arguments:
        quoted = f'"{argument}"' in source
        if argument.startswith("--") and not quoted:
            return f"{script} has no option {argument}"
        if re.fullmatch(r"[a-z]+", argument) and not quoted:
            return f"{script} does not know {argument}"
    return None


def sslrank_problem(words):
    explained = io.StringIO()
    with contextlib.redirect_stdout(explained), pytest.raises(SystemExit) as end:
        main([*takewhile(lambda word: not word.startswith("--"), words[1:]), "--help"])
    missing = [word for word in words if word.startswith("--") and word not in explained.getvalue()]
    return end.value.code or (f"unknown options {missing}" if missing else None)


def pip_problem(words):
    project = text("pyproject.toml")
    extras = re.findall(r"\[(\w+)\]", " ".join(words))
    return next((f"no extra {extra}" for extra in extras if f"\n{extra} = [" not in project), None)


def make_problem(words):
    goals = [word for word in words[1:] if "=" not in word]
    missing = [goal for goal in goals if not re.search(rf"^{goal}:", text("Makefile"), re.MULTILINE)]
    return f"unknown targets {missing}" if missing else None


PROBLEMS = {
    "make": make_problem,
    "snakemake": snakemake_problem,
    "python": python_problem,
    "sslrank": sslrank_problem,
    "pip": pip_problem,
    "cp": lambda words: None,  # its paths are tested above
}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_shown_commands_are_valid(document):
    found = {" ".join(words): PROBLEMS[words[0]](words) for words in commands(document)}
    assert {command: problem for command, problem in found.items() if problem} == {}


def snippets():
    """Document -> its Python blocks as one program; the first page of the site has the program of the README."""
    found = {}
    for document in DOCUMENTS:
        program = "\n".join(re.findall(r"^```python\n(.*?)^```", text(document), re.DOTALL | re.MULTILINE))
        if program and document != TOUR and program not in found.values():
            found[document] = program
    return found


@pytest.mark.parametrize("program", snippets().values(), ids=snippets())
def test_snippets_run(program, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(program, {"__name__": "__main__"})


def quoted(document):
    """Lines of output that a document quotes; `...` stands for the rest of a line."""
    return [
        line
        for block in re.findall(r"^```text\n(.*?)^```", text(document), re.DOTALL | re.MULTILINE)
        for line in block.replace(" ...", "").splitlines()
    ]


def follow(document, capsys):
    """Run a document's Python blocks and its commands of `sslrank`; return what was printed."""
    printed = ""
    for code, command in re.findall(
        r"^```python\n(.*?)^```|^    (sslrank .*?)$", text(document), re.DOTALL | re.MULTILINE
    ):
        if code:
            exec(code, {})
        else:
            assert main(shlex.split(command)[1:]) == 0, command
            printed += capsys.readouterr().out
    return printed


def test_quoted_output_is_what_commands_print(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    printed = follow(TOUR, capsys)
    curves = [float(value) for value in re.findall(r"ECA ([+-]\S+)", printed)]
    assert curves[0] > 0.05  # deceived by rows that made the ranking
    assert curves[1] > 0
    few, rest = pd.read_csv("few.csv"), pd.read_csv("few-rest.csv")
    assert list(few.columns) == list(rest.columns)
    assert len(rest) == 509

    rng = np.random.default_rng(0)
    width, height = rng.normal(size=(2, 200))
    steps, sums = np.cumsum(rng.normal(size=(2, 200)), axis=1), width + height + rng.normal(size=200)
    days = pd.date_range("2024-01-01", periods=200).strftime("%Y-%m-%d")
    pd.DataFrame({"width": width, "height": height, "age": steps[0], "y": sums}).to_csv("data.csv", index=False)
    Path("blocks.csv").write_text("feature,block\nwidth,size\nheight,size\n", encoding="utf-8")
    june = pd.DataFrame({"age": width, "fee": height, "churn": np.where(sums > 0, "yes", "no")})
    june.to_csv("june.csv", index=False)
    june.drop(columns="age").assign(fee=np.where(height > 0, "high", "low")).to_csv("july.csv", index=False)
    pd.DataFrame({"day": days, "x": steps[0], "y": steps[1]}).to_csv("steps.csv", index=False)
    for command in (
        "rank data.csv --target y --blocks blocks.csv --effort quick --out blocks",
        "rank steps.csv --target y --effort quick --out steps",
        "rank june.csv --target churn --effort quick --out june",
        "rank july.csv --like june --out july",
    ):
        main(command.split())
        printed += "".join(capsys.readouterr())
    pages = "".join(re.sub(r"<[^>]+>", "", html.unescape(page.read_text())) for page in tmp_path.glob("*/ranking.html"))
    printed = " ".join(f"{printed} {pages}".split())
    missing = {document: [line for line in quoted(document) if line not in printed] for document in DOCUMENTS}
    assert {document: lines for document, lines in missing.items() if lines} == {}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_lines_are_short_and_tables_in_one_piece(document):
    unfenced = re.sub(r"^```.*?^```", "", without_comments(document), flags=re.DOTALL | re.MULTILINE)
    prose = [line for line in unfenced.splitlines() if not re.match(r"\||#|.*\]\(|`snakemake ", line)]
    assert not [line for line in prose if len(line) > 120 and " " in line]
    blank_lines_in_tables = re.findall(r"^\n(\|.*)\n(?!\|[-:| ]+\|$)", unfenced, flags=re.MULTILINE)
    assert not blank_lines_in_tables
