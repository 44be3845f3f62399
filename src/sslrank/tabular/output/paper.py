"""A methods section, a table and figures of a ranking for a publication, from the fields of ``ranking.json``."""

import re
import unicodedata
from importlib.resources import files

import numpy as np
import pandas as pd
from jinja2 import Environment, PackageLoader, StrictUndefined

from sslrank.core.extras import require
from sslrank.hypothesis_tests.adjusted_effects import COVERAGE, HAZARD_RATIO, ODDS_RATIO, SLOPE
from sslrank.hypothesis_tests.conditional import RETEST_Q
from sslrank.hypothesis_tests.half_samples import RANK_COVERAGE
from sslrank.hypothesis_tests.pairs import N_PERMUTATIONS, PAIR_LEVEL
from sslrank.hypothesis_tests.related import FDR, MAX_Q_IN_MODEL
from sslrank.rankers.registry import RANKERS
from sslrank.tabular.output.terminal import error_rate
from sslrank.tabular.schema.null_target import ADJUSTED, UNLABELED
from sslrank.tabular.schema.row_columns import ROW_COLUMNS
from sslrank.tabular.schema.target import TASK_WORDS
from sslrank.tabular.trust.effects import DEVIATION_COLUMNS, SHORT_LONG
from sslrank.tabular.trust.stability.measures import MEASURE_NAMES

#: Features in the table in LaTeX: at least, and at most if more are related; in the forest plot.
MIN_TABLE, MAX_TABLE, MAX_FOREST = 10, 60, 20
#: Measures of effects: their reference value, how they are defined, and references of their intervals.
_EFFECTS = {
    "AUC": (0.5, "area under the ROC curve of the feature alone", "[@newcombe2006]"),
    "Spearman": (0.0, "Spearman's correlation", "[@bonett2000]"),
    "partial r": (0.0, "partial correlation given the columns that are adjusted for", "(Fisher)"),
    "C index": (0.5, "Harrell's C index", "of a U statistic"),
    "Cramér's V": (0.0, "of categories with classes, corrected for their number", ""),
    "eta²": (
        0.0,
        "share of the variance that categories explain (for a number, of its ranks), corrected for their number",
        "",
    ),
}
#: Coverage of the intervals of effects.
_CI = f"{100 * COVERAGE:g} %"
#: Measures with a direction, in the order in which one is chosen for the volcano plot.
_DIRECTED = ("AUC", "Spearman", "partial r", "C index")
_MODELS = {
    HAZARD_RATIO: "hazard ratio (Cox's model [@cox1972], Breslow's likelihood)",
    ODDS_RATIO: "odds ratio (logistic regression)",
    SLOPE: "slope (least squares, in the unit of the target)",
}
_ROLES = {"adjust": "Adjusted for", "strata": "Strata", "groups": "Groups of rows", "time": "Time of rows",
          "sample_weight": "Weights of rows", "entry": "Time of entry"}  # fmt: skip

#: Reasons for leaving out columns that have a role.
_BY_ROLE = {ADJUSTED, *(reason for _, reason in ROW_COLUMNS.values())}


def paper_files(fields):
    """Make the files of a publication.

    Parameters
    ----------
    fields : dict
        The fields of a saved ranking, see :func:`sslrank.tabular.output.recipe.read_fields`.

    Returns
    -------
    dict of str to str or bytes
        The content of methods.md, references.bib, table.csv, table.tex, volcano.svg and forest.svg.
    """
    require("plots", "figures", "matplotlib")
    from sslrank.plotting.style import figure_bytes

    frame = pd.DataFrame(fields["features"])
    measures = [
        name for name, columns in DEVIATION_COLUMNS.items() if columns[0] in frame and frame[columns[0]].notna().any()
    ]
    measure = measures[0] if measures else None
    methods = _methods(fields, frame, measure)
    table = _table(frame, measure)
    return {
        "methods.md": methods,
        "references.bib": _references(methods, fields["methods"]),
        "table.csv": table.to_csv(index=False),
        "table.tex": _latex(table, frame, measure, _of_ratio(fields)),
        "volcano.svg": figure_bytes(_volcano(fields, frame), "svg", dpi=200),
        "forest.svg": figure_bytes(_forest(frame, measure, _of_ratio(fields)), "svg", dpi=200),
    }


def _methods(fields, frame, measure):
    target, options = fields["table"]["target"], fields["recipe"]["options"]
    has_intervals = _has_intervals(frame)
    measures = dict.fromkeys(frame["effect_measure"].replace("", np.nan).dropna())
    effects = [(name, *_EFFECTS[name][1:]) for name in measures]
    lines = [
        f"{name}: {words}{f'; {_CI} intervals {of}' * (has_intervals and of != '')}." for name, words, of in effects
    ]
    if measure:
        n = int(frame[DEVIATION_COLUMNS[measure][0]].notna().sum())
        of = _of_ratio(fields) if measure == ODDS_RATIO else ""
        strata = [f"strata of {options['strata']}"] if "strata" in options else []
        given = f", given {' and '.join([*target['adjust'], *strata])}" if target["adjust"] or strata else ""
        interval = f", with Wald's {_CI} interval" * has_intervals
        lines.append(
            f"For one standard deviation of each of the best {n} features that are numbers: "
            f"{_MODELS[measure]}{of}{given}{interval}. Effects are not adjusted for the choice of the best."
        )
    if not has_intervals and any(of for *_, of in effects):
        why = "are weighted" if "sample_weight" in options else "depend on each other"
        lines.append(f"There are no intervals, as rows {why}.")
    names = [f"{name} [@{_key(RANKERS[name].paper)}]" if name in RANKERS else name for name in fields["methods"]]
    kind = TASK_WORDS.get(target["stated_task"], target["stated_task"])
    values = fields | {
        "kind": f"time until {target['event']}: {target['reason'].split('; adjusted')[0]}" if target["event"] else kind,
        "roles": {words: ", ".join(np.atleast_1d(options[role])) for role, words in _ROLES.items() if role in options},
        "left_out": {n: why for n, why in fields["table"]["dropped"].items() if why not in _BY_ROLE},
        "of_classes": target["stated_task"] in ("classification", "multilabel", "hierarchical"),
        "effects": lines,
        "methods": ", ".join(names),
        "fdr": round(100 * FDR),
        "measure_names": MEASURE_NAMES,
        "max_q_in_model": MAX_Q_IN_MODEL,
        "pair_level": PAIR_LEVEL,
        "pair_permutations": N_PERMUTATIONS,
        "retest_q": RETEST_Q,
        "rank_coverage": RANK_COVERAGE,
    }
    loader = PackageLoader("sslrank.tabular.output")
    template = Environment(loader=loader, undefined=StrictUndefined, trim_blocks=False, autoescape=False)
    return template.get_template("methods.md.j2").render(values).rstrip() + "\n"


def _has_intervals(frame):
    return bool(frame["effect_low"].notna().any())


def _of_ratio(fields):
    """Name the class that an odds ratio is of."""
    target, levels = fields["table"]["target"], fields["recipe"]["levels"]
    column, name = target["columns"][0], target["names"][0]  # an adjusted target has the name column=class
    label = name.removeprefix(f"{column}=")
    if name == column:
        label = [level for level in levels.get(column, [""]) if level != UNLABELED][-1]
    return f" of {label}" if label and not target["event"] else ""


def _key(paper):
    """Make the key of a reference: the first author's name and the year."""
    name, year = re.search(r"\w+", paper), re.search(r"\d{4}", paper)
    plain = unicodedata.normalize("NFKD", name[0] if name else "sslrank").encode("ascii", "ignore").decode().lower()
    return f"{plain}{year[0] if year else ''}"


def _references(methods, names):
    """Select the references of BibTeX that the text cites; those of rankers that lack get their authors and year."""
    text = files("sslrank.tabular.output").joinpath("references.bib").read_text(encoding="utf-8")
    references = {key: reference for reference, key in re.findall(r"(@\w+\{(\w+),.*?\n\}\n)", text, re.DOTALL)}
    for paper, url in [(RANKERS[name].paper, RANKERS[name].url) for name in names if name in RANKERS]:
        authors, year = re.sub(r"\s*\d{4}.*", "", paper).replace(", ", " and "), re.search(r"\d{4}", paper)
        start = f"@misc{{{_key(paper)},\n  author = {{{authors}}},\n  year = {{{year[0] if year else ''}}},\n"
        references.setdefault(_key(paper), f"{start}  url = {{{url}}}\n}}\n")
    cited = dict.fromkeys(re.findall(r"@(\w+)", methods))
    return "\n".join(references[key] for key in sorted(cited) if key in references)


def _table(frame, measure):
    """Select the columns of a table for a publication."""
    columns = ["rank", "feature", "effect_measure", "effect", "effect_low", "effect_high", "effect_of", "direction"]
    return frame[[*columns, *DEVIATION_COLUMNS.get(measure, ()), "q", "conditional_q", "copy_of"]]


def _latex(table, frame, measure, of):
    """Write the related features, or the best ones, as a table of LaTeX (package booktabs)."""
    rows = table[: int(np.clip((frame["q"].astype(float) <= FDR).sum(), MIN_TABLE, MAX_TABLE))]
    name = rows["effect_measure"].where(
        rows["direction"].isin(["", "+", "-"]), rows["effect_measure"] + " " + rows["effect_of"]
    )
    cells = {"Rank": rows["rank"].astype(str), "Feature": rows["feature"].map(_escape), "Effect": name.map(_escape)}
    interval = f" ({_CI.replace(' %', '')}\\% CI)" * _has_intervals(frame)
    cells[f"Size{interval}"] = _with_intervals(rows, ["effect", "effect_low", "effect_high"])
    if measure:
        title = f"{measure.capitalize()}{of if measure == ODDS_RATIO else ''} per SD"
        cells[_escape(title)] = _with_intervals(rows, DEVIATION_COLUMNS[measure])
    for title, column in (("$q$", "q"), ("Conditional $q$", "conditional_q")):
        if rows[column].notna().any():
            cells[title] = ["" if pd.isna(q) else error_rate(q).replace("<", "$<$") for q in rows[column].astype(float)]
    return pd.DataFrame(cells).to_latex(index=False, escape=False, column_format=f"rll{'r' * (len(cells) - 3)}")


def _with_intervals(rows, columns):
    texts = []
    for values in rows[columns].astype(float).to_numpy():
        value, low, high = (f"{number:.{2 * (abs(number) < 100)}f}".replace("-", "$-$") for number in values)
        texts.append("" if value == "nan" else value if "nan" in (low, high) else f"{value} ({low} to {high})")
    return texts


def _escape(text):
    marks = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    return re.sub(r"[\\~^&%$#_{}]", lambda mark: marks.get(mark[0], f"\\{mark[0]}"), str(text))


def _volcano(fields, frame):
    """Plot the p-value of each feature against its effect; categories have no direction and are left out."""
    from sslrank.plotting.points import volcano

    classes = fields["recipe"]["levels"].get(fields["table"]["target"]["columns"][0], ())
    measure = next((name for name in _DIRECTED if name in set(frame["effect_measure"])), "Spearman")
    points = frame[frame["effect_measure"] == measure]
    effect, p = (points[name].astype(float) for name in ("effect", "p"))
    words = {"AUC": "AUC of a class", "C index": "C index (above 0.5: shorter time if high)"}
    if len(classes) == 2:
        words["AUC"] = f"AUC (above 0.5: high in {classes[-1]})"
    above = points.loc[effect > 0, "direction"].replace("+", f"rises with {fields['table']['target']['columns'][0]}")
    if measure in ("Spearman", "partial r") and above.nunique() == 1:
        words[measure] = f"{measure} (above 0: {above.iloc[0]})".removesuffix(" (above 0: )")
    is_turned = (points["effect_of"] == f"high in {classes[0]}") if len(classes) == 2 else False
    is_turned |= (measure == "C index") & (points["direction"] == SHORT_LONG[1])
    points = points.assign(x=effect.mask(is_turned, 1 - effect), y=-np.log10(p.clip(lower=1e-300)))
    points["related"] = points["q"].astype(float) <= FDR
    return volcano(
        points, reference=_EFFECTS[measure][0], xlabel=words.get(measure, measure), highlighted=f"q of at most {FDR:g}"
    )


def _forest(frame, measure, of):
    """Plot the effects of the best features with intervals, for one standard deviation if the target has these."""
    from matplotlib.ticker import FixedLocator, NullFormatter

    from sslrank.plotting import intervals

    columns = DEVIATION_COLUMNS[measure] if measure else ["effect", "effect_low", "effect_high"]
    rows = frame[(frame["copy_of"] == "") & frame[columns[0]].notna()]
    name = measure or rows["effect_measure"].head(1).squeeze()
    rows = rows if measure else rows[rows["effect_measure"] == name]
    rows = rows.head(MAX_FOREST).assign(related=lambda rows: rows["q"].astype(float) <= FDR)
    rows[["value", "low", "high"]] = rows[columns].astype(float)
    is_ratio = measure in (HAZARD_RATIO, ODDS_RATIO)
    reference = 1.0 if is_ratio else 0.0 if measure else _EFFECTS.get(name, (0.0,))[0]
    label = f"{name}{of if measure == ODDS_RATIO else ''}{' for one standard deviation' if measure else ''}"
    figure = intervals(
        rows, reference=reference, highlight="related", xlabel=label + f", {_CI} interval" * _has_intervals(frame)
    )
    if is_ratio:
        axis, ends = figure.axes[0], rows[["value", "low", "high"]].to_numpy()
        axis.set_xscale("log")
        steps = (1.0, 2.0, 5.0) if np.nanmax(ends) / np.nanmin(ends) < 100 else (1.0,)
        ticks = [step * 10.0**power for power in range(-12, 13) for step in steps]
        low, high = max([x for x in ticks if x <= np.nanmin(ends)]), min([x for x in ticks if x >= np.nanmax(ends)])
        axis.xaxis.set_major_locator(FixedLocator([x for x in ticks if low <= x <= high]))
        axis.xaxis.set_major_formatter("{x:g}")
        axis.xaxis.set_minor_formatter(NullFormatter())
        axis.set_xlim(low, high)
    return figure
