"""Build the results page of a study: one HTML file that works from disk, without network."""

import re
import shlex
from html import escape
from pathlib import Path

from sslrank.benchmark.archive.store import MISSING
from sslrank.benchmark.report.context import Context
from sslrank.benchmark.report.dataset_views import datasets_view
from sslrank.benchmark.report.findings import render
from sslrank.benchmark.report.other_views import methods_view, published_view, tables_view
from sslrank.benchmark.report.overview import overview
from sslrank.benchmark.report.runs import failed_words, runs_view
from sslrank.benchmark.results.explanations import UNTRIED
from sslrank.core.messages import counted
from sslrank.plotting import pages


def write_page(folder, output, *, config):
    """Write the results page of a folder; `config` is the study's complete block."""
    context = Context(Path(folder), config)
    failed = failed_words(context.folder)
    verdicts = {
        name: _verdict(block, context.folder.parent / "summaries")
        for name, block in config["tables"].items()
        if block["published"]
    }
    views = [
        ("overview", "Overview", overview(context)),
        ("datasets", "Datasets", datasets_view(context)),
        ("methods", "Methods", methods_view(context)),
        ("published", "Published and reproduced", published_view(context, verdicts)),
        ("tables", "Tables", tables_view(context)),
        ("runs", "Runs", runs_view(context, page_command(context.manifest))),
    ]
    views = pages.tabs("view", "", [view for view in views if view[2]])
    text = pages.document(config["title"] or config["name"], _header(context, failed) + views)
    Path(output).write_text(text, encoding="utf-8")


def _header(context, failed):
    """Build the header: title, differences from the full protocol, failures, and facts of the study."""
    config, manifest = context.config, context.manifest
    total = sum(item["results"] for item in manifest["sources"])
    missing = sum(item["results"] for item in manifest["sources"] if item["source"] == MISSING)
    marks = [f"scale: {config['scale']}"]
    marks += ["a part of the study: datasets or methods were chosen on the command line"] * bool(config["filtered"])
    marks += config.get("marks", [])
    if missing:
        marks.append(
            f"from the archive only: {missing} of {total} results (one method on one dataset) are missing, see Runs"
        )
    marks += [item["reason"] for item in manifest["experiments"] if item["source"] == MISSING]
    html = "".join(f'<span class="badge">{escape(mark)}</span>' for mark in marks)
    html += f"<h1>{escape(config['title'] or config['name'])}</h1>"
    if failed:
        failures = f"<strong>{escape(failed['title'])}</strong> {escape(failed['text'])}"
        html += f'<p class="alarm">{failures} <a href="#view=runs">See why</a></p>'
    html += f"<p>{_with_links(config['description'])}</p>" if config["description"] else ""
    html += f'<p class="soft">{escape(" · ".join(_facts(context)))}</p>'
    links = " · ".join(f'<a href="{url}">{title}</a>' for url, title in _findings(context))
    html += f"<p>{links}</p>" if links else ""
    if config["changes"]:
        heading = "Differences from the full protocol"
        html += f"<details><summary>{heading}</summary><p>{escape(config['changes'])}</p></details>"
    return f"<header>{html}</header>"


def _with_links(text):
    """Convert a text to HTML, with ``[words](file)`` as a link if it leads to a file or a website."""
    return re.sub(r"\[([^]]+)\]\(((?:https?://|(?![^)/]*:))[^)]+)\)", r'<a href="\2">\1</a>', escape(text))


def _findings(context):
    """List link and title of findings next to a folder of results, those of the study's publication first."""
    candidates = {f"findings/{context.config.get('published')}.md": "Findings about this publication"}
    candidates |= {"FINDINGS.md": "What we found in all studies"}
    return [(f"../{path}", title) for path, title in candidates.items() if (context.folder.parent / path).is_file()]


def _facts(context):
    config, manifest, datasets = context.config, context.manifest, context.study.datasets
    available = datasets["available"].astype(bool)
    n_datasets = config.get("out_of", len(datasets))
    bad = sum(count for status, count in manifest["fits"].items() if status in ("failed", "timeout"))
    n_fits = sum(count for status, count in manifest["fits"].items() if status not in UNTRIED)
    scheme, folds = config["splits"]["scheme"], config["splits"]["folds"]
    several = {"holdout": "", "whole-dataset": ": ranked and evaluated on all rows"}.get(scheme, f", {folds} folds")
    controls = f" and {counted(len(config['controls']), 'control')}" if config["controls"] else ""
    return [
        counted(int(available.sum()), "dataset") + (f" of {n_datasets}" if n_datasets > available.sum() else ""),
        counted(datasets.loc[available, "task"].nunique(), "kind") + " of target",
        counted(len(config["methods"]), "method") + controls,
        f"L = {', '.join(config['splits']['L'])}",
        f"{scheme}{several}",
        counted(n_fits, "fit") + (f", {bad} failed" if bad else ", none failed"),
        f"commit {(manifest['commit'] or 'unknown')[:12]}",
        f"finished {manifest['finished'][:10]}",
        *["results from the archive"] * any(item["source"] == "archive" for item in manifest.get("sources", [])),
    ]


def _verdict(block, summaries):
    """Return the verdict on a published table, with its summaries, which may be those of the study named by `like`."""
    studies = dict.fromkeys(re.findall(r"""cells\(["']([^/"']+)/""", block["verdict"]))
    missing = [name for name in studies if not (summaries / name).is_dir()]
    if missing:
        return f"The verdict needs {', '.join(f'{summaries / name}' for name in missing)}, which is not there."
    text = " ".join(render(block["verdict"], summaries, f"the verdict of {block['title']}").split())
    return f"{text} (From {', '.join(f'results/summaries/{name}' for name in studies)}.)" if studies else text


def page_command(manifest, *, archive=True):
    """Return the command that rebuilds a study's page, with the configuration files and filters of its run.

    It runs in the folder that contains `results`. `archive` keeps ``archive=use`` or ``archive=only`` of the run.
    """
    if (manifest.get("command") or "").startswith("sslrank "):
        return manifest["command"]
    config, words = manifest["config"], ["snakemake", "--cores", "all", manifest["config"]["name"]]
    if manifest.get("snakefile"):
        words[1:1] = ["--snakefile", manifest["snakefile"]]
    if manifest.get("configfiles"):
        words += ["--configfile", *manifest["configfiles"]]
    filters = {"datasets": config["datasets"], "methods": [*config["methods"], *config["controls"]]}
    settings = [f"{key}={','.join(names)}" for key, names in filters.items()] if config["filtered"] else []
    settings += [f"archive={manifest['archive']}"] if archive and manifest.get("archive") else []
    return shlex.join([*words, *(["--config", *settings] if settings else [])])
