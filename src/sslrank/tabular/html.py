"""One page about a ranking: a single file without scripts, for bright and dark screens, wide and narrow."""

import math
from html import escape

import numpy as np

#: Features that the charts and the table show.
CHART = 20
TABLE = 200
#: Classes are unequal if the largest is so many times an equal share.
UNEQUAL = 1.1
_STYLE = """
.sslrank{--fg:#1b1b1b;--soft:#666;--line:#ddd;--one:#0072b2;--two:#d55e00;--bg:#fff;color:var(--fg);background:var(--bg);
 font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1rem}
.sslrank svg{width:100%;min-width:600px;height:auto;display:block}.sslrank text{fill:var(--fg);font-size:12px}
.sslrank .soft{color:var(--soft)}.sslrank text.soft{fill:var(--soft)}.sslrank .scroll{overflow-x:auto}
.sslrank table{border-collapse:collapse;font-size:14px}.sslrank th,.sslrank td{padding:.15rem .6rem;text-align:right;
 border-bottom:1px solid var(--line);white-space:nowrap}.sslrank th:nth-child(2),.sslrank td:nth-child(2){
 text-align:left}
.sslrank td:nth-child(2){min-width:8rem;max-width:20rem;white-space:normal;overflow-wrap:break-word}
.sslrank h1{font-size:1.4rem}.sslrank h2{font-size:1.1rem;margin-top:2rem}.sslrank :is(h1,p,li){overflow-wrap:anywhere}
@media(prefers-color-scheme:dark){.sslrank{--fg:#e8e8e8;--soft:#a0a0a0;--line:#444;--one:#56b4e9;--two:#e69f00;
 --bg:#16181b}}
"""
_WIDE, _LABEL, _ROW = 640, 190, 22


def document(result):
    """The page of a :class:`sslrank.tabular.ranking.Ranking`, as HTML."""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Feature ranking</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        "<style>html{background:#fff}@media(prefers-color-scheme:dark){html{background:#16181b}}body{margin:0}</style>"
        f"</head><body>\n{fragment(result)}\n</body></html>\n"
    )


def fragment(result):
    """The same inside of one element, for a notebook."""
    frame = result.to_frame()
    table = result.table
    methods = list(result.ranks)
    lines = [*table.describe(), *(f"note: {note}" for note in result.notes)]
    lines += [f"{name} failed: {message}" for name, message in result.failures.items()]
    parts = [f"<h1>Feature ranking of {escape(str(table.path or 'a table'))}</h1>", _listing(lines)]
    has_samples = result.n_samples > 1
    shown = "the least and the largest; so few are no interval" if result.has_few_samples else "the middle 80 %"
    of_samples = f", over {result.n_samples} samples of the rows: mean, and {shown}" if has_samples else ""
    parts += [
        "<h2>The best features</h2>",
        f"<p>Rank of the mean over {escape(', '.join(methods))}{of_samples or ', from all rows'}. "
        f"{_stability(result)}</p>",
        _intervals(frame.head(CHART)),
        "<h2>Ranks by method</h2><p>From all rows; the stronger the colour, the better.</p>",
        _heat_map(frame.head(CHART), methods, len(frame)),
        "<h2>How many features are enough</h2>",
    ]
    if result.curve:
        parts += [
            f"<p>{escape(result.curve.describe())}. Each fold's ranking was made without its test rows."
            f"{_caution(table)}</p>",
            _curve(result.curve),
        ]
    else:
        parts.append("<p>Not judged; the notes say why where that was not asked for.</p>")
    parts += ["<h2>The ranking</h2><p>Under the methods' names: importances from all rows.</p>"]
    parts.append(_table(frame, methods, result.spread if has_samples else None))
    return f'<div class="sslrank"><style>{_STYLE}</style>\n' + "\n".join(parts) + "\n</div>"


def _stability(result):
    value = result.stability()
    if value is None:
        return ""
    return f"Stability of the best {result.top}: {value:z.2f} (1: always the same, 0: as random; Nogueira et al. 2018)."


def _caution(table):
    """What an error curve average above 0 need not mean."""
    if table.task != "classification":
        return ""
    shares = np.unique(table.y[table.labeled].astype(str), return_counts=True)[1]
    if shares.max() < UNEQUAL * shares.sum() / len(shares):
        return ""
    return (
        " The classes are unequal: ECA can be above 0 without any relevant feature, as a method may favour "
        "features with which the predictor says the larger class more often."
    )


def _listing(lines):
    return "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ul>"


def _svg(height, label, content):
    drawn = f'<svg viewBox="0 0 {_WIDE} {height}" role="img" aria-label="{escape(label)}">{content}</svg>'
    return _scrolled(drawn, label)


def _scrolled(content, label):
    """What may be wider than the window, and can be moved by keyboard."""
    return f'<div class="scroll" role="region" tabindex="0" aria-label="{escape(label)}">{content}</div>'


def shortened(text, length):
    """A text of at most so many characters: begin and end of a longer one, as names often differ in their ends."""
    end = (length - 1) // 2
    return text if len(text) <= length else f"{text[: length - 1 - end]}…{text[-end:]}"


def _name(text, x, y):
    text = str(text)
    return f'<text x="{x}" y="{y}" text-anchor="end">{escape(shortened(text, 24))}<title>{escape(text)}</title></text>'


def _intervals(frame):
    frame = frame.fillna({"low": frame["mean_rank"], "high": frame["mean_rank"]})
    limit = max(float(frame["high"].max()), 2.0)

    def place(rank):
        return _LABEL + 10 + (rank - 1) / (limit - 1) * (_WIDE - _LABEL - 30)

    marks = []
    for i, row in enumerate(frame.itertuples()):
        y = 14 + i * _ROW
        marks.append(_name(row.feature, _LABEL, y + 4))
        low, high, mean = place(row.low), place(row.high), place(row.mean_rank)
        marks.append(
            f'<line x1="{low:.1f}" x2="{high:.1f}" y1="{y}" y2="{y}" stroke="var(--one)" stroke-width="6" '
            f'stroke-opacity=".35" stroke-linecap="round"/><circle cx="{mean:.1f}" cy="{y}" r="4" fill="var(--one)">'
            f"<title>{row.mean_rank:.1f} ({row.low:.1f} to {row.high:.1f})</title></circle>"
        )
    y = 14 + len(frame) * _ROW
    for rank in _ticks(1, limit):
        marks.append(f'<text class="soft" x="{place(rank):.1f}" y="{y + 8}" text-anchor="middle">{rank:g}</text>')
    return _svg(y + 14, "mean ranks of the best features with their intervals", "".join(marks))


def _heat_map(frame, methods, n_features):
    width = min(140, (_WIDE - _LABEL - 10) / len(methods))
    marks = []
    for j, method in enumerate(methods):
        x = _LABEL + 10 + (j + 0.5) * width
        shown = method if len(method) * 7 < width else method[: max(3, int(width / 7) - 1)] + "…"
        marks.append(
            f'<text x="{x:.1f}" y="12" text-anchor="middle">{escape(shown)}<title>{escape(method)}</title></text>'
        )
    for i, row in enumerate(frame.to_dict("records")):
        y = 20 + i * _ROW
        marks.append(_name(row["feature"], _LABEL, y + 15))
        for j, method in enumerate(methods):
            rank = row[f"rank:{method}"]
            shade = 0.6 * (1 - math.log(rank) / math.log(max(n_features, 2)))
            x = _LABEL + 10 + j * width
            marks.append(
                f'<rect x="{x:.1f}" y="{y}" width="{width - 2:.1f}" height="{_ROW - 2}" fill="var(--one)" '
                f'fill-opacity="{shade:.3f}"/><text x="{x + width / 2 - 1:.1f}" y="{y + 15}" '
                f'text-anchor="middle">{rank:g}</text>'
            )
    return _svg(24 + len(frame) * _ROW, "rank of each feature by each method", "".join(marks))


def _curve(curve):
    table, height, left, bottom = curve.table, 300, 50, 260
    sizes = table["size"].to_numpy(dtype=float)
    is_log = sizes[-1] > 100
    drawn = {
        "best first": ("best", "--one", ""),
        "worst first": ("worst", "--two", ""),
        "random": ("random", "--soft", "4 4"),
    }
    low = min(table["best"].min(), table["worst"].min(), (table["best"] - table["error"]).min())
    high = max(table["best"].max(), table["worst"].max(), (table["best"] + table["error"]).max())
    spread = (high - low) or 1.0

    def x_of(size):
        share = math.log(size) / math.log(sizes[-1]) if is_log else (size - 1) / max(sizes[-1] - 1, 1)
        return left + share * (_WIDE - left - 110)

    def y_of(value):
        return bottom - (value - low) / spread * (bottom - 20)

    def points(values):
        return " ".join(f"{x_of(size):.1f},{y_of(value):.1f}" for size, value in zip(sizes, values, strict=True))

    marks = []
    for value in _ticks(low, high):
        y = y_of(value)
        marks.append(f'<line x1="{left}" x2="{_WIDE - 110}" y1="{y:.1f}" y2="{y:.1f}" stroke="var(--line)"/>')
        marks.append(f'<text class="soft" x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>')
    ticks = [10**i for i in range(8) if 10**i <= sizes[-1]] if is_log else _ticks(1, sizes[-1])
    for size in ticks:
        marks.append(f'<text class="soft" x="{x_of(size):.1f}" y="{bottom + 18}" text-anchor="middle">{size:g}</text>')
    upper, lower = (table["best"] + table["error"]).to_numpy(), (table["best"] - table["error"]).to_numpy()
    band = points(upper) + " " + " ".join(reversed(points(lower).split(" ")))
    marks.append(f'<polygon points="{band}" fill="var(--one)" fill-opacity=".15"/>')
    ends = sorted(range(3), key=lambda i: y_of(table[list(drawn.values())[i][0]].iloc[len(sizes) // 2]))
    for i, (label, (column, color, dashes)) in enumerate(drawn.items()):
        marks.append(
            f'<polyline points="{points(table[column])}" fill="none" stroke="var({color})" stroke-width="2" '
            f'stroke-dasharray="{dashes}"/>'
        )
        y = 40 + 20 * ends.index(i)
        marks.append(
            f'<line x1="{_WIDE - 100}" x2="{_WIDE - 80}" y1="{y}" y2="{y}" stroke="var({color})" stroke-width="2" '
            f'stroke-dasharray="{dashes}"/><text x="{_WIDE - 75}" y="{y + 4}">{label}</text>'
        )
    x = x_of(curve.enough)
    marks.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="14" y2="{bottom}" stroke="var(--fg)" stroke-dasharray="2 3"/>')
    marks.append(f'<text x="{x + 4:.1f}" y="12">{curve.enough} are enough</text>')
    better = "higher" if curve.higher_is_better else "lower"
    marks.append(
        f'<text class="soft" x="{left}" y="{height - 6}">number of features; {curve.measure}, {better} is better</text>'
    )
    return _svg(height, f"{curve.measure} against the number of features", "".join(marks))


def _ticks(low, high):
    """At most six round numbers between two."""
    step = 10 ** math.floor(math.log10(max(high - low, 1e-12)))
    step = next(step * factor for factor in (0.2, 0.5, 1, 2) if (high - low) / (step * factor) <= 6)
    first = math.ceil(low / step)
    found = [round((first + i) * step, 12) for i in range(8)]
    return [value for value in found if value <= high]


def _table(frame, methods, spread):
    of_samples = [spread, "selected"] if spread else []
    head = ["rank", "feature", "kind", "mean rank", *of_samples, *methods]
    rows = []
    for row in frame.head(TABLE).to_dict("records"):
        cells = [
            f"{row['rank']}",
            escape(str(row["feature"])),
            row["kind"],
            f"{row['mean_rank']:.1f}",
            *([f"{row['low']:.1f} to {row['high']:.1f}", f"{row['selected']:.0%}"] if spread else []),
            *(f"{row[f'importance:{method}']:.3g}" for method in methods),
        ]
        rows.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    titles = "".join(f"<th>{escape(title)}</th>" for title in head)
    rest = f'<p class="soft">The first {TABLE} of {len(frame)}.</p>' if len(frame) > TABLE else ""
    return _scrolled(f"<table><tr>{titles}</tr>{''.join(rows)}</table>", "the ranking") + rest
