"""Charts of all pages as HTML and SVG; texts keep their size on small screens, and colours are those of the page.

They are drawn without a library, which would be larger than the page (Vega-Lite with what it needs has 832 kB,
Observable Plot with D3 490 kB; uPlot has 51 kB and draws lines only) and would need scripts, which mails and notebooks
do not run.
"""

from html import escape

import numpy as np
import pandas as pd

from sslrank.core.messages import shortened
from sslrank.plotting.pages import text_of

#: Classes, and categories of a feature, that are drawn; the rest are one "(other)".
LEVELS = 6
#: Maximum number of points of a scatter and of its line, spread evenly over the rows in the order of the feature.
POINTS, _ON_LINE = 200, 40
_OTHER = "(other)"
_BINS = 20
#: Size of a small chart, and of the text to its left.
_WIDTH, _LABEL_WIDTH, _LINE, _PLOT = 320, 92, 34, 150


def strip(position, low, high, kind="", *, bar=False):
    """Draw a point or a bar, and its interval, on a line from 0 to 1; unknown parts are left out."""
    parts = []
    if bar and np.isfinite(position):
        parts.append(f'<i class="bar" style="width:{_percent(position)}"></i>')
    if np.isfinite([low, high]).all():
        parts.append(f'<i class="range" style="left:{_percent(low)};width:{_percent(max(high - low, 0.0))}"></i>')
    if not bar and np.isfinite(position):
        parts.append(f'<i class="dot" style="left:{_percent(position)}"></i>')
    return f'<span class="strip {kind}" aria-hidden="true">{"".join(parts)}</span>'


def _percent(share):
    return f"{100 * min(max(share, 0.0), 1.0):.1f}%"


def line_chart(series, label, xlabel, ylabel, *, bands=(), marked=None, reference=np.nan, ticks=None):
    """Draw a line chart in a box that stretches, labels next to it; logarithmic over more than two decades.

    Parameters
    ----------
    series : list of (str, str, ndarray, ndarray)
        Name, class of style, x and values of each line.
    label, xlabel, ylabel : str
    bands : list of (str, ndarray, ndarray, ndarray)
        Class of style, x, low and high ends.
    marked : (float, float) or None
        Range of x that is marked as enough.
    reference : float
        Height of a horizontal line; NaN for none.
    ticks : list of (float, str), optional
        Positions on the axis and their texts.

    Returns
    -------
    str
    """
    xs = np.concatenate([x for *_, x, _ in series]).astype(float)
    values = np.concatenate([*(y for *_, y in series), *(end for _, _, *ends in bands for end in ends), [reference]])
    low, high = np.nanmin(values), np.nanmax(values)
    low, high = (low, high) if high > low else (low - 0.5, high + 0.5)
    left, right = xs.min(), xs.max()
    is_log = left > 0 and right > 100 * left
    scale = np.log if is_log else np.asarray
    first, last = scale(left), max(scale(right), scale(left) + 1e-9)

    def x(at):
        return 1000 * (scale(np.asarray(at, dtype=float)) - first) / (last - first)

    def y(value):
        return 300 * (high - np.asarray(value)) / (high - low)

    parts = []
    if marked is not None:
        start, end = x(marked[0]), x(marked[1])
        parts.append(f'<rect class="enough" x="{start:.1f}" y="0" width="{max(end - start, 3):.1f}" height="300"/>')
    for kind, at, below, above in bands:
        around = [np.concatenate([x(at), x(at)[::-1]]), np.concatenate([y(below), y(above)[::-1]])]
        parts.append(f'<polygon class="band {kind}" points="{_points(*around)}"/>')
    if np.isfinite(reference):
        parts.append(f'<path class="reference" d="M0 {y(reference):.1f}H1000"/>')
    for _, kind, at, values_of_line in series:
        known = ~np.isnan(values_of_line)
        points = _points(x(at[known]), y(values_of_line[known]))
        parts.append(f'<polyline class="line {kind}" points="{points if known.sum() > 1 else f"{points} {points}"}"/>')
    below = "".join(
        f'<span style="left:{_percent(x(tick) / 1000)}">{escape(text)}</span>'
        for tick, text in ticks or [(tick, f"{tick:g}") for tick in _ticks(left, right, is_log)]
    )
    keys = "".join(f'<span class="key {kind}">{escape(name)}</span>' for name, kind, *_ in series)
    keys += '<span class="key reference">no features</span>' if np.isfinite(reference) else ""
    keys += '<span class="key enough">enough</span>' if marked is not None else ""
    label, xlabel, ylabel = map(escape, (label, xlabel, ylabel))
    return (
        f'<div class="curve"><p class="keys">{keys}</p><p class="soft">{ylabel}</p>'
        f'<div class="box"><span class="top">{text_of(high)}</span><span class="bottom">{text_of(low)}</span>'
        f'<svg viewBox="0 0 1000 300" preserveAspectRatio="none" role="img" aria-label="{label}">{"".join(parts)}</svg>'
        f'<div class="ticks">{below}</div></div><p class="soft axis">{xlabel}</p></div>'
    )


def _ticks(low, high, is_log):
    """Choose about five ticks, including the first and the last value."""
    if is_log:
        inner = [size for size in (3, 10, 30, 100, 300, 1000, 3000, 10_000) if low * 2 < size < high / 2]
    else:
        step = next(step * 10.0**power for power in range(-3, 7) for step in (1, 2, 5) if high / step / 10**power <= 7)
        inner = [size for size in np.arange(step, high, step) if low < size < high - step / 2]
    return [low, *inner, high] if high > low else [low]


def _points(x, y):
    return " ".join(f"{a:.0f},{b:.1f}" for a, b in zip(np.ravel(x), np.ravel(y), strict=True))


def feature_chart(x, y, name, target):
    """Draw one feature against the target as a small chart.

    Parameters
    ----------
    x : Series
        Numbers, or categories of any other type; without missing values.
    y : Series
        Target of the same rows: float64 numbers, or classes as texts.
    name, target : str
    """
    is_number = pd.api.types.is_numeric_dtype(x) and not pd.api.types.is_bool_dtype(x)
    is_number_target = pd.api.types.is_numeric_dtype(y)
    if not len(x):
        return ""
    if is_number and is_number_target:
        body, height = _scatter(x.to_numpy(dtype=float), y.to_numpy(dtype=float)), _PLOT
        label = f"{target} over {name}: points and a moving mean"
        caption = f"Upwards: {target}; to the right: {name}."
    elif is_number_target:
        levels, groups = _group_rare_levels(x.astype(str))
        body, height = _boxes(y.to_numpy(dtype=float), groups, levels)
        label = f"{target} in each category of {name}: middle half and median"
        caption = f"{target} by {name}: median, middle half, and 5 % to 95 %."
    else:
        classes, groups = _group_rare_levels(y)
        body, height = _histograms(x, groups, classes, is_number)
        label = f"distribution of {name} in each class of {target}"
        caption = f"{name} in each class of {target}; areas are equal."
    return _small(body, height, label, escape(caption))


def _small(body, height, label, caption):
    return (
        f'<figure class="panel"><svg viewBox="0 0 {_WIDTH} {height + 22}" width="{_WIDTH}" height="{height + 22}" '
        f'role="img" aria-label="{escape(label)}">{body}</svg><figcaption class="soft">{caption}</figcaption></figure>'
    )


def survival(x, time, event, name, target):
    """Draw Kaplan-Meier curves for thirds or categories of a feature.

    Parameters
    ----------
    x : Series
        As for :func:`feature_chart`.
    time, event : ndarray of shape (n,)
        Follow-up times, and 1 where the event happened.
    name, target : str
    """
    if not len(x):
        return ""
    if pd.api.types.is_numeric_dtype(x) and x.nunique() > LEVELS // 2:
        ends = np.quantile(x, [1 / 3, 2 / 3])
        levels = [f"low (to {text_of(ends[0])})", "middle", f"high (above {text_of(ends[1])})"]
        groups = np.array(levels)[np.searchsorted(ends, x)]
    else:
        levels, groups = _group_rare_levels(x.map(text_of) if pd.api.types.is_numeric_dtype(x) else x.astype(str))
    left, top, bottom, parts, keys = 44, 6, _PLOT - 4, [], ""
    for k, level in enumerate(levels):
        ends, at = np.unique(time[groups == level], return_inverse=True)
        at_risk = np.cumsum(np.bincount(at)[::-1])[::-1]
        share = np.cumprod(1 - np.bincount(at, event[groups == level]) / at_risk)
        across = left + (_WIDTH - left - 5) * np.append(0.0, ends) / max(time.max(), 1e-300)
        down = bottom - (bottom - top) * np.append(1.0, share)
        steps = "".join(f"H{a:.1f}V{b:.1f}" for a, b in zip(across[1:], down[1:], strict=True))
        parts.append(f'<path class="line" style="--mark:var(--s{k % LEVELS})" d="M{left} {top}{steps}"/>')
        keys += f'<span class="key" style="--mark:var(--s{k % LEVELS})">{escape(shortened(level, 24))}</span> '
    ends = "".join(_text(left - 4, y, end, "end", "soft") for end, y in (("100 %", top + 8), ("0 %", bottom)))
    body = "".join(parts) + ends + _axis(0.0, time.max(), _PLOT, left)
    title = f"Kaplan-Meier curves of {target} by {name}"
    caption = f'<span class="keys">{keys}</span>{escape(title)}: the share of rows without the event.'
    return _small(body, _PLOT, title, caption)


def _group_rare_levels(values):
    """Return the most frequent levels, then "(other)" if there are more; and the level of each row."""
    counts = values.value_counts()
    if len(counts) <= LEVELS:
        return sorted(counts.index), values.to_numpy()
    frequent = sorted(counts.sort_index().sort_values(ascending=False, kind="stable").index[: LEVELS - 1])
    return [*frequent, _OTHER], values.where(values.isin(frequent), _OTHER).to_numpy()


def _text(x, y, words, anchor="start", kind=""):
    kind = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}"{kind}>{escape(words)}</text>'


def _axis(low, high, y, left=_LABEL_WIDTH):
    ends = _text(left, y + 16, text_of(low), kind="soft") + _text(_WIDTH - 1, y + 16, text_of(high), "end", "soft")
    return f'<path class="axis" d="M{left} {y + 2:.0f}H{_WIDTH}"/>{ends}'


def _histograms(x, groups, classes, is_number):
    """Draw a histogram of each class, with equal areas."""
    if is_number:
        values = x.to_numpy(dtype=float)
        low, high = values.min(), values.max()
        bins = min(_BINS, max(len(np.unique(values)), 1))
        codes = np.clip(((values - low) / max(high - low, 1e-300) * bins).astype(int), 0, bins - 1)
        axis = _axis(low, high, _LINE * len(classes))
    else:
        levels, level_of_row = _group_rare_levels(x.astype(str))
        bins, codes = len(levels), np.array([levels.index(level) for level in level_of_row])
        axis = f'<path class="axis" d="M{_LABEL_WIDTH} {_LINE * len(classes) + 2}H{_WIDTH}"/>'
    width = (_WIDTH - _LABEL_WIDTH) / bins
    if not is_number:
        below, letters = _LINE * len(classes) + 16, max(int(width / 7), 2)
        for i, level in enumerate(levels):
            axis += _text(_LABEL_WIDTH + (i + 0.5) * width, below, shortened(level, letters), "middle", "soft")
    shares = [np.bincount(codes[groups == level], minlength=bins) for level in classes]
    top = max((count / max(count.sum(), 1)).max() for count in shares)
    parts = []
    for row, (level, counts) in enumerate(zip(classes, shares, strict=True)):
        bottom = _LINE * (row + 1)
        heights = (_LINE - 5) * counts / max(counts.sum(), 1) / top
        gap = 0 if is_number and bins > 8 else 1.5
        path = "".join(
            f"M{_LABEL_WIDTH + i * width + gap:.1f} {bottom}v{-height:.1f}h{width - 2 * gap:.1f}V{bottom}z"
            for i, height in enumerate(heights)
            if height
        )
        parts.append(f'<path class="fill c{row % LEVELS}" d="{path}"/>')
        parts.append(_text(0, bottom - 14, shortened(str(level), 14)))
        parts.append(_text(0, bottom - 1, f"{int(counts.sum())} rows" if counts.sum() != 1 else "1 row", kind="soft"))
    return "".join(parts) + axis, _LINE * len(classes)


def _scatter(x, y):
    """Draw points of some rows, and the moving mean of a quarter of the rows as a line."""
    order = np.argsort(x, kind="stable")
    shown, on_line = (np.linspace(0, len(x) - 1, min(len(x), most)).round().astype(int) for most in (POINTS, _ON_LINE))
    left, top, bottom = 44, 6, _PLOT - 4
    (x_low, x_high), (y_low, y_high) = (x.min(), x.max()), (y.min(), y.max())

    def coordinates(a, b):
        across = left + 5 + (_WIDTH - left - 10) * (a - x_low) / max(x_high - x_low, 1e-300)
        return across, bottom - (bottom - top) * (b - y_low) / max(y_high - y_low, 1e-300)

    points = "".join(f"M{a:.0f} {b:.0f}h0" for a, b in zip(*coordinates(x[order[shown]], y[order[shown]]), strict=True))
    line = ""
    if len(np.unique(x)) > 3:
        width = max(5, len(x) // 4)
        rows = pd.DataFrame({"x": x[order], "y": y[order]}).rolling(width, center=True, min_periods=(width + 1) // 2)
        means = rows.mean().iloc[on_line].dropna()
        line = f'<polyline class="line best" points="{_points(*coordinates(means["x"], means["y"]))}"/>'
    ends = "".join(_text(left - 4, y, text_of(end), "end", "soft") for end, y in ((y_high, top + 8), (y_low, bottom)))
    return f'<path class="points" d="{points}"/>{line}{ends}{_axis(x_low, x_high, _PLOT, left)}'


def _boxes(values, groups, levels):
    """Draw quartiles, median and 5 % to 95 % range of each category."""
    low, high = values.min(), values.max()

    def at(value):
        return _LABEL_WIDTH + (_WIDTH - _LABEL_WIDTH) * (value - low) / max(high - low, 1e-300)

    parts, height = [], _LINE * len(levels)
    for row, level in enumerate(levels):
        part = values[groups == level]
        first, quarter, middle, third, last = (at(value) for value in np.quantile(part, [0.05, 0.25, 0.5, 0.75, 0.95]))
        y = _LINE * row + 16
        parts.append(f'<path class="whisker" d="M{first:.1f} {y}H{last:.1f}"/>')
        parts.append(
            f'<rect class="fill c0" x="{quarter:.1f}" y="{y - 8}" width="{max(third - quarter, 1):.1f}" height="16"/>'
        )
        parts.append(f'<path class="median" d="M{middle:.1f} {y - 10}v20"/>')
        parts.append(_text(0, y - 2, shortened(str(level), 14)) + _text(0, y + 11, f"{len(part)} rows", kind="soft"))
    return "".join(parts) + _axis(low, high, height), height
