"""Further views of the results page: methods, published values, tables and figures."""

import base64
import json
from html import escape

import pandas as pd

from sslrank.benchmark.report.context import plain_table, read_or_empty
from sslrank.benchmark.report.overview import wide
from sslrank.benchmark.results.tables import table_info
from sslrank.plotting import pages
from sslrank.rankers.registry import ranker_info

#: Tables shown in other views.
IN_OTHER_VIEWS = ("contest_scores", "leaderboard", "names")


def methods_view(context):
    """Build the view of methods: ranker, paper and parameters of each method, and of the members of a vote."""
    rows, links, controls = [], [], context.config["controls"]
    for name, method in _methods(context.config):
        title = context.method_title(name) if name in context.config["methods_used"] else context.title(name)
        info = ranker_info(method["ranker"]) if method.get("ranker") else None
        params = [
            f"{key}: {value if isinstance(value, str) else json.dumps(value)}"
            for key, value in method["params"].items()
        ]
        rows.append({
            "method": title + " (control)" * (name in controls),
            "ranker": method.get("ranker") or method.get("rule"),
            "use": info.use if info else None,
            "parameters in this study": "; ".join(params),
        })  # fmt: skip
        words = escape(info.paper if info else "")
        links.append(f'<a href="{escape(method["url"])}">{words or "address"}</a>' if method.get("url") else words)
    if not rows:
        return None
    table = pd.DataFrame(rows).assign(paper=links).dropna(axis=1, how="all")
    return f"<h2>Methods</h2>{pages.table(table, 'Methods', html={'paper': links})}"


def _methods(config):
    """Yield name and facts of each method, and of rankings from the same method."""
    for name, spec in config["methods_used"].items():
        yield name, spec
    for spec in config["methods_used"].values():
        members = spec["params"].get("members")
        for name, block in members.items() if isinstance(members, dict) else ():
            params = dict(block) if isinstance(block, dict) else {"ranker": block}
            ranker = params.pop("ranker")
            yield name, {"ranker": ranker, "params": params, "url": ranker_info(ranker).url}
        for name, members in (spec["params"].get("votes") or {}).items():
            yield name, {"rule": "mean of ranks", "params": {"members": ", ".join(members)}}


def published_view(context, verdicts):
    """Build the view of published and reproduced values of each table; `verdicts` are rendered."""
    tables = {name: block for name, block in context.config["tables"].items() if block["published"]}
    parts = [(name, block["title"], _published(context, name, block, verdicts[name])) for name, block in tables.items()]
    return f"<h2>Published and reproduced</h2>{pages.tabs('table', 'Table', parts)}" if parts else None


def _published(context, name, block, verdict):
    html = f"<h3>{escape(block['title'])}</h3>"
    for head, text in (("Verdict", verdict), ("Note", block["note"])):
        html += f"<p><strong>{head}.</strong> {escape(text)}</p>" if text else ""
    cells = read_or_empty(context.folder / "compared" / f"{name}.csv")
    if not len(cells):
        return html + "<p>None of its published values has a counterpart here.</p>"
    if context.config["filtered"] and cells["quantity"].isin(["average_rank", "share_delta_positive"]).any():
        return html + "<p>Ranks and shares of a part of the study are not comparable with the published ones.</p>"
    reproduced_cells = cells.dropna(subset=["published", "reproduced"])
    html += f"<p>{len(reproduced_cells)} of {len(cells)} published values have a counterpart here.</p>"
    picture = context.folder / "published_figures" / f"{name}.svg"
    html += _figure(picture, block["title"]) if picture.is_file() else ""
    agreement = read_or_empty(context.folder / "compared" / f"{name}.agreement.csv").dropna(axis=1, how="all")
    if len(agreement) and len(reproduced_cells):
        html += f"<h4>Agreement</h4>{plain_table(context, agreement, 'Agreement with the published table')}"
    cells = cells.sort_values("reproduced", key=lambda values: values.isna(), kind="stable")
    cells = cells.dropna(axis=1, how="all")
    table = plain_table(context, cells, "Published and reproduced, value by value", file=f"compared/{name}.csv")
    return f"{html}<h4>Value by value</h4>{table}"


def _figure(path, words):
    """Put a picture into the page, which stays one file."""
    content = base64.b64encode(path.read_bytes()).decode()
    return f'<figure class="file"><img src="data:image/svg+xml;base64,{content}" alt="{escape(words)}"></figure>'


def tables_view(context):
    """Build the view of other tables, with methods as columns if possible, and of figures of experiments."""
    parts = []
    for name, block in context.config["tables"].items():
        frame = context.table(name)
        if name in IN_OTHER_VIEWS or not len(frame):
            continue
        html = f'<h3>{escape(block["title"])}</h3><p class="soft">{escape(block["about"])}</p>'
        html += f"<p><strong>Note.</strong> {escape(block['note'])}</p>" if block["note"] else ""
        file = f"tables/{name}.csv"
        page = _wide(context, frame, table_info(block["function"]), block["title"], file)
        parts.append((name, block["title"], html + (page or plain_table(context, frame, block["title"], file=file))))
    pictures = sorted((context.folder / "figures" / "experiments").glob("*.svg"))
    if pictures:
        parts.append(("figures", "Figures of experiments", "".join(_figure(path, path.stem) for path in pictures)))
    return f"<h2>Tables</h2>{pages.tabs('of', 'Table', parts)}" if parts else None


def _wide(context, frame, info, title, file):
    """Reshape a tidy table to methods as columns; None if that is not possible."""
    values, keys = [name for name in info.values if name in frame], [name for name in info.keys if name in frame]
    if {"ranking", "method"} <= set(keys):
        parts = zip(frame["method"], frame["ranking"], strict=True)
        frame = frame.assign(entry=[method if method == name else f"{method} {name}" for method, name in parts])
        keys = ["entry", *(key for key in keys if key not in ("ranking", "method"))]
    across = next((name for name in ("entry", "ranking", "ensemble", "method") if name in keys), None)
    if len(values) != 1 or across is None or frame[across].nunique() < 2:
        return None
    keys = [name for name in ("variant", *keys) if name in frame and name != across]
    lead = sorted(
        (name for name in dict.fromkeys(keys) if name == "dataset" or frame[name].nunique() > 1),
        key=lambda name: name != "dataset",
    )
    return wide(context, frame, lead, across, values[0], list(frame[across].unique()), title, file) if lead else None
