"""Small charts of single features against the target."""

import math

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from sslrank.core.messages import shortened
from sslrank.plotting.style import GREY, MARKERS, PALETTE, look
from sslrank.stats.smoothing import local_lines

#: Categories and classes that are drawn; the rest are one "(other)".
MOST_LEVELS = 6
#: Points of a scatter; of more rows, this many are drawn, spread evenly over the feature's values.
MOST_POINTS = 300
_OTHER = "(other)"


def target_panels(features, target, *, columns=4, title=None):
    """Draw one small chart per feature: how the target depends on it.

    A numeric feature is drawn as boxes per class, or as points with a smooth curve for a numeric target; a nominal
    feature as shares of the classes per category, or as boxes per category.

    Parameters
    ----------
    features : DataFrame
        Of the labelled rows; numeric columns, and nominal ones of any other type. Missing values are left out.
    target : Series
        Of the same rows: numbers (float or int), or classes of any other type.
    columns : int, default=4
        Number of panels in a row.
    title : str, optional

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ValueError
        If there is no feature, or features and target have different numbers of rows.

    Examples
    --------
    >>> import pandas as pd
    >>> from sslrank.plotting import target_panels
    >>> features = pd.DataFrame({"age": [20.0, 30.0, 40.0, 50.0], "plan": ["a", "b", "a", "b"]})
    >>> figure = target_panels(features, pd.Series(["yes", "no", "yes", "no"]))
    """
    if not features.shape[1] or len(features) != len(target):
        raise ValueError(f"{features.shape[1]} features of {len(features)} rows, and a target of {len(target)} rows")
    features, target = features.reset_index(drop=True), target.reset_index(drop=True)
    is_numeric_target = pd.api.types.is_numeric_dtype(target) and not pd.api.types.is_bool_dtype(target)
    classes = None if is_numeric_target else _levels(target)
    columns = min(columns, features.shape[1])
    rows = math.ceil(features.shape[1] / columns)
    with look(**{"font.size": 8.5, "axes.titlesize": 9.5, "lines.linewidth": 1.3}):
        figure = Figure(figsize=(0.7 + 2.1 * columns, 0.7 + 1.75 * rows), layout="constrained")
        axes = list(figure.subplots(rows, columns, squeeze=False).flat)
        for name, ax in zip(features.columns, axes, strict=False):
            known = features[name].notna() & target.notna()
            x, y = features.loc[known, name], target[known]
            is_numeric = pd.api.types.is_numeric_dtype(x) and not pd.api.types.is_bool_dtype(x)
            if is_numeric and is_numeric_target:
                _points(ax, x.to_numpy(dtype=np.float64), y.to_numpy(dtype=np.float64))
            elif is_numeric:
                _boxes(ax, x, _grouped(y, classes), classes)
            elif is_numeric_target:
                levels = _levels(x)
                _boxes(ax, y, _grouped(x, levels), levels, colors=[PALETTE[0]] * len(levels))
            else:
                _shares(ax, x, _grouped(y, classes), classes)
            ax.set_title(shortened(str(name), 22))
        for ax in axes[features.shape[1] :]:
            ax.axis("off")
        if classes and any(not pd.api.types.is_numeric_dtype(features[name]) for name in features):
            marks = [
                axes[0].plot([], [], "s", color=color, label=shortened(str(level), 20))[0]
                for level, color in zip(classes, _colors(classes), strict=True)
            ]
            figure.legend(handles=marks, loc="outside lower center", ncols=min(len(classes), 5))
        if title:
            figure.suptitle(title, x=0.01, ha="left", fontsize=11)
    return figure


def _levels(values):
    """Return the most frequent levels in their order of value, then "(other)" if there are more."""
    counts = values.dropna().astype(str).value_counts()
    if len(counts) > MOST_LEVELS:
        return [*sorted(counts.index[: MOST_LEVELS - 1]), _OTHER]
    return sorted(counts.index)


def _grouped(values, levels):
    values = values.astype(str)
    return values.where(values.isin(levels), _OTHER)


def _colors(levels):
    return [GREY if level == _OTHER else PALETTE[i % len(PALETTE)] for i, level in enumerate(levels)]


def _points(ax, x, y):
    order = np.argsort(x, kind="stable")
    if len(x) > MOST_POINTS:
        order = order[np.linspace(0, len(x) - 1, MOST_POINTS).round().astype(int)]
    ax.plot(x[order], y[order], MARKERS[0], color=PALETTE[0], markersize=2.6, alpha=0.45, markeredgewidth=0)
    if len(np.unique(x)) > 3:
        places = np.linspace(x.min(), x.max(), 40)
        ax.plot(places, local_lines(x, y, places), color=PALETTE[1])


def _boxes(ax, values, groups, levels, colors=None):
    """Draw quartiles, median and the 5 % to 95 % range of each group."""
    for place, (level, color) in enumerate(zip(levels, colors or _colors(levels), strict=True)):
        part = values[groups == level].to_numpy(dtype=np.float64)
        if not part.size:
            continue
        low, first, middle, third, high = np.quantile(part, [0.05, 0.25, 0.5, 0.75, 0.95])
        ax.plot([low, high], [place, place], color=color, linewidth=1)
        ax.barh([place], [third - first], 0.6, left=first, color=color, alpha=0.35, edgecolor=color)
        (line,) = ax.plot([middle, middle], [place - 0.3, place + 0.3], color=color, linewidth=2)
        line.set_solid_capstyle("butt")
    ax.set_yticks(range(len(levels)), [shortened(str(level), 12) for level in levels])
    ax.set_ylim(len(levels) - 0.5, -0.5)
    ax.grid(axis="y", visible=False)
    ax.locator_params(axis="x", nbins=4)


def _shares(ax, values, groups, classes):
    """Draw shares of the classes in each category, the number of rows next to the category."""
    levels = _levels(values)
    counts = pd.crosstab(_grouped(values, levels), groups).reindex(index=levels, columns=classes, fill_value=0)
    totals = counts.sum(axis=1)
    shares = counts.div(totals.where(totals > 0, 1), axis=0)
    start = np.zeros(len(levels))
    for level, color in zip(classes, _colors(classes), strict=True):
        ax.barh(range(len(levels)), shares[level], 0.72, left=start, color=color, alpha=0.75)
        start = start + shares[level].to_numpy()
    ax.set_yticks(range(len(levels)), [f"{shortened(str(level), 10)} ({totals[level]})" for level in levels])
    ax.set_ylim(len(levels) - 0.5, -0.5)
    ax.set_xlim(0, 1)
    ax.set_xticks([0, 0.5, 1], ["0 %", "50 %", "100 %"])
    ax.grid(visible=False)
