"""Write the pages of the documentation that are generated from the code and the results.

``conf.py`` calls :func:`write_all` before Sphinx reads its sources. Everything lands in folders called ``generated``,
which git ignores.
"""

import ast
import inspect
import os
import re
from pathlib import Path

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt
import pandas as pd

import sslrank
from sslrank.benchmark.plan.fingerprints import source_root
from sslrank.benchmark.results.tables.arena import DEFAULT_RANKING
from sslrank.benchmark.results.tables.leaderboard import first_contest
from sslrank.hypothesis_tests.conditional import ConditionalTests
from sslrank.hypothesis_tests.pairs import Pairs
from sslrank.hypothesis_tests.related import Related
from sslrank.tabular.output.answer import Answer, Caveat
from sslrank.tabular.output.glossary import GLOSSARY
from sslrank.tabular.output.json_fields import FIELDS, SCHEMA
from sslrank.tabular.result import Ranking
from sslrank.tabular.schema.table import OwnTable
from sslrank.tabular.schema.target import Target
from sslrank.tabular.trust.check import Check
from sslrank.tabular.trust.joint import Joint
from sslrank.tabular.trust.redundancy import Redundancy
from sslrank.tabular.trust.stability.feature_curve import Curve
from sslrank.tabular.trust.stability.unlabeled import Unlabeled

ROOT = Path(__file__).parents[2]
#: Packages from the bottom up, with what is in them.
PACKAGES = {
    "core": "encoding of tables, the contract of rankers, seeds",
    "stats": "rank tests, pairs, stability",
    "metrics": "measures of predictive performance",
    "model_selection": "splits and folds",
    "datasets": "catalogue, download, readers",
    "models": "kNN, trees, multi-label classifiers",
    "rankers": "everything that ranks",
    "evaluation": "error curves, evaluators, generated data",
    "plotting": "pages and charts",
    "hypothesis_tests": "which features are related",
    "tabular": "a table of your own",
    "benchmark": "the workflow",
}
#: Position of each package in the picture: column and floor.
POSITIONS = {
    "core": (0, 0),
    "metrics": (-1.5, 1),
    "model_selection": (-0.5, 1),
    "stats": (0.5, 1),
    "datasets": (1.5, 1),
    "models": (-1.5, 2),
    "plotting": (0.5, 2),
    "hypothesis_tests": (0.5, 3),
    "rankers": (-1, 3),
    "evaluation": (-1, 4),
    "tabular": (-0.5, 5),
    "benchmark": (1, 5),
}
PUBLICATIONS = ("ssl-ranking", "ssfi", "eca", "scls")


def write_all(docs):
    """Write every generated page.

    Parameters
    ----------
    docs : path-like
        The folder with ``conf.py``.
    """
    docs = Path(docs)
    pages = {f"api/generated/{name}": text for name, text in api_pages().items()}
    pages |= {f"reproductions/generated/{name}": text for name, text in reproduction_pages().items()}
    pages["guide/generated/arena.md"] = arena_page()
    pages["guide/generated/rankers.md"] = rankers_page()
    pages["start/generated/words.md"] = words_page()
    pages["start/generated/fields.md"] = fields_page()
    for folder in ("api", "reproductions", "guide", "developers", "start"):
        keep = {Path(name).name for name in pages if name.startswith(folder)}
        for old in (docs / folder / "generated").glob("*"):
            if old.name not in keep and not old.is_dir() and old.suffix != ".svg":
                old.unlink()
    for name, text in pages.items():
        _write(docs / name, text)
    draw_packages(docs / "developers" / "generated" / "package-map.svg")


def _write(path, text):
    """Write a file unless it has this text already, so that Sphinx reads only what changed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


# --- API --------------------------------------------------------------------------------------------------


def public_names(path):
    """Find the functions and classes of a module whose docstrings have an example, in its order.

    The example marks names for users of the library; the others are helpers of other modules.

    Parameters
    ----------
    path : path-like
        A Python file.

    Returns
    -------
    list of (str, str)
        Kind ("function" or "class") and name.
    """
    kinds = {ast.FunctionDef: "function", ast.ClassDef: "class"}
    body = ast.parse(Path(path).read_text(encoding="utf-8")).body
    return [
        (kinds[type(node)], node.name)
        for node in body
        if type(node) in kinds and not node.name.startswith("_") and ">>> " in (ast.get_docstring(node) or "")
    ]


def modules(package):
    """(dotted name, file) of the public modules of a package, in order of their names."""
    root = source_root()
    for path in sorted((root / package).rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        if not any(part.startswith("_") and part != "__init__" for part in parts):
            yield ".".join(("sslrank", *(part for part in parts if part != "__init__"))), path


def api_pages():
    """File name -> text: a page for each public module, and one for each package.

    Returns
    -------
    dict of str to str
    """
    pages = {"sslrank.rst": _front()}
    for package in PACKAGES:
        listed = {}
        for name, path in modules(package):
            found = public_names(path)
            if found and name != f"sslrank.{package}":
                listed[name] = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))).splitlines()[0]
                pages[f"{name}.rst"] = _module_page(name, found)
        about = PACKAGES[package]
        pages[f"{package}.rst"] = (
            _title(f"{package}: {about}")
            + f".. automodule:: sslrank.{package}\n   :no-members:\n   :no-index:\n\n"
            + ".. toctree::\n   :hidden:\n\n"
            + "".join(f"   {name}\n" for name in listed)
        )
        # A list, as the second column of a table is too narrow on a phone.
        pages[f"{package}.rst"] += "\n" + "".join(f"- :doc:`{name}`: {line}\n" for name, line in listed.items())
        own = dict(modules(package))[f"sslrank.{package}"]
        if public_names(own):
            pages[f"{package}.rst"] += "\n" + _members(f"sslrank.{package}", public_names(own))
    return pages


def _title(text):
    return f"{text}\n{'=' * len(text)}\n\n"


def _members(module, found):
    return "".join(f".. auto{kind}:: {module}.{name}\n\n" for kind, name in found)


def _module_page(module, found):
    text = _title(module.removeprefix("sslrank."))
    text += f".. automodule:: {module}\n   :no-members:\n\n"
    if len(found) > 1:
        text += ".. autosummary::\n   :nosignatures:\n\n"
        text += "".join(f"   {name}\n" for _, name in found) + "\n"
    return text + _members(module, found)


def _front():
    functions = ("rank", "get_ranker", "available_rankers")
    classes = [name for name in sslrank.__all__ if name[0].isupper()]
    text = _title("sslrank: the names to import")
    text += ".. automodule:: sslrank\n   :no-members:\n\n"
    text += "Functions\n---------\n\n" + "".join(f".. autofunction:: sslrank.{name}\n\n" for name in functions)
    text += "Classes\n-------\n\nEach can be imported from ``sslrank``; the link leads to its page.\n\n"
    text += ".. list-table::\n\n"
    for name in classes:
        home = getattr(sslrank, name)
        link = f":py:class:`{name} <{home.__module__}.{name}>`"
        text += f"   * - {link}\n     - {inspect.getdoc(home).splitlines()[0]}\n"
    return text


# --- reproductions ----------------------------------------------------------------------------------------


def reproduction_pages():
    """File name -> text: what we found, the report, and a page for each publication.

    Each joins the claims, the findings and the deviations, which are kept in
    ``results/FINDINGS.md``, ``results/findings/`` and ``workflow/published/``.

    Returns
    -------
    dict of str to str
    """
    findings = ROOT / "results" / "findings"
    claims = _read(findings / "claims.md")
    pages = {"index.md": _moved(_read(ROOT / "results" / "FINDINGS.md"), ROOT / "results")}
    pages["report.md"] = _moved(_read(ROOT / "results" / "REPORT.md"), ROOT / "results")
    toc = ["report", *PUBLICATIONS, "arena", "survival", "ties", "claims"]
    pages["index.md"] += "\n```{toctree}\n:hidden:\n\n" + "".join(f"{name}\n" for name in toc) + "```\n"
    for name in PUBLICATIONS:
        published = ROOT / "workflow" / "published" / name
        head, _, deviations = _read(published / "README.md").partition("\n## ")
        citation, _, tables = head.partition("\n")[2].strip().partition("\n\n")
        text = f"# {name}\n\n{_moved(citation, published)}\n\n## Claims\n\n"
        text += "Outcome of every claim of the abstract and the conclusions.\n\n"
        text += _moved(_section(claims, name), findings) + "\n\n## Findings\n\n"
        body = _read(findings / f"{name}.md")
        intro, _, found = body.partition("\n## ")
        text += _moved(intro.partition("\n")[2].strip(), findings) + "\n\n"
        text += _with_pictures(_moved(_demoted("## " + found), findings))
        text += "\n\n## Deviations from the publication\n\n" + _moved(_demoted("## " + deviations), published)
        text += f"\n\n## Published tables\n\nIn `workflow/published/{name}/`:\n\n" + _moved(tables, published)
        pages[f"{name}.md"] = text.rstrip() + "\n"
    for name in ("arena", "survival", "ties"):
        pages[f"{name}.md"] = _with_pictures(_moved(_read(findings / f"{name}.md"), findings))
    pages["claims.md"] = (
        _moved(claims.partition("\n## ")[0].strip(), findings)
        + "\n\n"
        + "\n".join(f"- [{name}]({name}.md#claims)" for name in PUBLICATIONS)
        + "\n"
    )
    return pages


def _read(path):
    return path.read_text(encoding="utf-8")


def _section(text, heading):
    """The text under a heading of the second level."""
    return re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)[1].strip()


def _demoted(text):
    return re.sub(r"^(#+) ", r"#\1 ", text, flags=re.MULTILINE)


def _moved(text, folder):
    """The text with its links relative to ``reproductions/generated`` instead of to its folder."""
    here = ROOT / "src" / "docs" / "reproductions" / "generated"

    def replace(match):
        target, _, anchor = match[1].partition("#")
        anchor = f"#{anchor}" if anchor else ""
        if target.startswith("https://") or not target:
            return match[0]
        path = (folder / target).resolve()
        if path.name in ("FINDINGS.md", "REPORT.md"):
            return f"]({'index.md' if path.name == 'FINDINGS.md' else 'report.md'}{anchor})"
        if path.parent.name == "findings" and path.suffix == ".md":
            return f"]({path.name}{anchor})"
        if path.name == "README.md" and path.parent.parent.name == "published":
            return f"]({path.parent.name}.md{anchor or '#deviations-from-the-publication'})"
        return f"]({os.path.relpath(path, here)})"

    return re.sub(r"\]\(([^)\s]+)\)", replace, text)


def _with_pictures(text):
    """The text with each linked figure shown below the paragraph that names it."""

    def show(match):
        pictures = re.findall(r"\]\((\S+\.svg)\)", match[0])
        return match[0] + "".join(f"\n\n![figure]({picture})" for picture in dict.fromkeys(pictures))

    return re.sub(r"(?:^(?!\||#|!).+\n?)+(?<!\n)", show, text, flags=re.MULTILINE)


# --- the arena --------------------------------------------------------------------------------------------


def words_page():
    """The terms that a ranking's page explains, as a Markdown table.

    Returns
    -------
    str
    """
    return "\n".join(
        ["| term | meaning |", "|---|---|", *(f"| {term} | {text} |" for term, text in GLOSSARY.items()), ""]
    )


#: Classes of the parts of a result, in the order of the page.
PARTS = (
    *(Ranking, OwnTable, Target, Answer, Caveat, Related, Pairs, Joint),
    *(ConditionalTests, Curve, Unlabeled, Redundancy, Check),
)


def fields_page():
    """The fields of ``ranking.json`` by the class of the result that has them, as Markdown tables.

    Returns
    -------
    str
    """
    lines = [f"These are the fields of version {SCHEMA}, the value of `schema`.", ""]
    for part in PARTS:
        lines += [
            f"`{part.__name__}`: {inspect.getdoc(part).partition('.')[0]}",
            "",
            "| field | meaning |",
            "|---|---|",
        ]
        described = _attributes(part)
        for field in FIELDS[part.__name__]:
            text = described.get(field) or inspect.getdoc(getattr(part, field)).partition("\n\n")[0]
            text = re.sub(r":\w+:`~?(?:[\w.]+\.)?(\w+)`", r"`\1`", " ".join(text.split()))
            lines.append(f"| `{field}` | {text} |")
        lines.append("")
    return "\n".join(lines)


def _attributes(part):
    """Attribute -> its type and description in the docstring of a class."""
    block = re.split(r"\n\n\w+\n-+\n", inspect.getdoc(part).partition("Attributes\n----------\n")[2])[0]
    found = re.findall(r"^(\S[^:\n]*?) : (.*)((?:\n    .*)*)", block, re.MULTILINE)
    return {name.strip(): f"{text or kind}" for names, kind, text in found for name in names.split(",")}


def rankers_page():
    """The registered rankers: name, class, paper, kinds of target, use."""
    lines = ["| name | class | paper | kinds of target | good for |", "|---|---|---|---|---|"]
    for name, info in sorted(sslrank.RANKERS.items()):
        paper = f"[{info.paper}]({info.url})" if info.url else info.paper
        lines.append(f"| `{name}` | `{info.path.partition(':')[2]}` | {paper} | {info.kinds} | {info.use} |")
    return "\n".join(lines) + "\n"


def arena_page(folder=ROOT / "results" / "summaries" / "arena" / "tables"):
    """The arena's leaderboard, as on its page, and the findings' table of useless columns; nothing without results.

    Parameters
    ----------
    folder : path-like
        The tables of the arena's summary.

    Returns
    -------
    str
    """
    folder = Path(folder)
    if not (folder / "leaderboard.csv").exists():
        return ""
    board = first_contest(pd.read_csv(folder / "leaderboard.csv")).dropna(subset="average_rank")
    names = pd.read_csv(folder / "names.csv").set_index("name")["title"].to_dict()
    pairs = pd.read_csv(folder / "pairs.csv")
    pairs = pairs[(pairs["task"] == board["task"].iloc[0]) & (pairs["first"] == board["entry"].iloc[0])]
    behind = pairs.set_index("second")[["mean_difference", "low", "high"]] * 100
    lines = [
        f"The leaderboard on the {board['n_datasets'].iloc[0]} datasets that all of these have, over all numbers of "
        f"labels, as on its page. `{DEFAULT_RANKING}` is the mean rank of the methods of `sslrank rank`. Points behind "
        "the first are 100 times the difference of the mean areas, with a 95 % interval over the datasets; the scale "
        "has a random ranking at 0 and the oracle at 1; seconds are those of one thread.",
        "",
        "| ranking | | average rank | points behind the first | 0 random, 1 oracle | seconds |",
        "|---|---|---|---|---|---|",
    ]
    for row in board.itertuples():
        gap = ""
        if row.entry in behind.index:
            gap = "{mean_difference:z.1f} ({low:z.1f} to {high:z.1f})".format(**behind.loc[row.entry])
        rank = f"{row.average_rank:.1f} ({row.lower:.1f} to {row.upper:.1f})"
        share = f"{row.relative:.2f}" if row.relative == row.relative else ""
        lines.append(f"| `{row.entry}` | {names[row.entry]} | {rank} | {gap} | {share} | {row.seconds:.2g} |")
    useless = re.search(r"^\| looks at \|(.+\n)+", _read(ROOT / "results" / "findings" / "arena.md"), re.MULTILINE)[0]
    text = (
        "As many useless columns as a table has were added to twelve tables. This share of them is among the first "
        "half of a ranking ([the finding](../reproductions/generated/arena.md)):"
    )
    return "\n".join([*lines, "", text, "", useless])


# --- the map of the packages --------------------------------------------------------------------------------


def package_imports():
    """Package -> packages that its modules import.

    Returns
    -------
    dict of str to set of str
    """
    root = source_root()
    found = {}
    for package in PACKAGES:
        others = set()
        for path in sorted((root / package).rglob("*.py*")):
            if path.suffix in (".py", ".pyx", ".pxd"):
                others |= set(re.findall(r"^ *from sslrank\.(\w+)[\w.]* c?import ", _read(path), re.MULTILINE))
        found[package] = (others & set(PACKAGES)) - {package}
    return found


def lines_of_code(package):
    """Number of lines of a package's Python, Cython and C files."""
    files = (path for path in (source_root() / package).rglob("*") if path.suffix in (".py", ".pyx", ".pxd", ".h"))
    return sum(path.read_text(encoding="utf-8").count("\n") for path in files)


def draw_packages(path):
    """Draw the packages and who imports whom, leaving out arrows that follow from others.

    Parameters
    ----------
    path : path-like
        The SVG file.
    """
    imports = package_imports()

    def reached(package, seen=()):
        return {other for one in imports[package] - set(seen) for other in {one, *reached(one, (*seen, one))}}

    direct = {
        package: {other for other in others if not any(other in reached(between) for between in others - {other})}
        for package, others in imports.items()
    }
    width, height = 2.3, 0.62
    at = {package: (column * 2.6, floor * 1.25) for package, (column, floor) in POSITIONS.items()}
    with plt.rc_context({"svg.hashsalt": "packages", "svg.fonttype": "none", "font.family": "sans-serif"}):
        figure, axes = plt.subplots(figsize=(9, 6.2))
        for package, others in direct.items():
            for other in others:
                (x, y), (to_x, to_y) = at[package], at[other]
                axes.annotate(
                    "",
                    (to_x + 0.12 * (x - to_x), to_y + height / 2),
                    (x + 0.12 * (to_x - x), y - height / 2),
                    arrowprops={"arrowstyle": "-|>", "color": "#7a8594", "lw": 1.1, "shrinkA": 0, "shrinkB": 0},
                )
        for package, (x, y) in at.items():
            axes.add_patch(
                plt.Rectangle((x - width / 2, y - height / 2), width, height, fc="#eef3f8", ec="#3b6ea5", lw=1.2)
            )
            axes.text(x, y + 0.06, package, ha="center", va="center", fontsize=11, fontweight="bold", color="#1b2a3a")
            size = f"{lines_of_code(package):,} lines"
            axes.text(x, y - 0.17, size, ha="center", va="center", fontsize=7.5, color="#50606f")
        axes.set_xlim(-5.3, 5.3)
        axes.set_ylim(-0.5, 5 * 1.25 + 0.5)
        axes.axis("off")
        path = Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, bbox_inches="tight", metadata={"Date": None})
        plt.close(figure)
