"""A ranking as lines on the terminal."""

from sslrank.core.messages import listed
from sslrank.tabular.advice import find_alike, unlabeled_sentence
from sslrank.tabular.intervals import FEWEST_PAIRS

#: Features in the table on the terminal.
SHOWN = 20


def headlines(result):
    """Summarize a ranking in few lines: checks, chance, number of features, unlabelled rows.

    Parameters
    ----------
    result : sslrank.tabular.result.Ranking

    Returns
    -------
    list of str
    """
    lines = [checks_line(result.checks)]
    lines += [] if result.chance is None else [result.chance.describe()]
    lines += [] if result.curve is None else [result.curve.describe()]
    lines += [] if result.unlabeled is None else [result.unlabeled.describe()]
    return lines + arena_lines(result)


def arena_lines(result):
    """Say what the arena knows about unlabelled rows in tables like this one, if there are any."""
    table, n_labeled = result.table, int(result.table.labeled.sum())
    if n_labeled in (0, table.X.shape[0]):
        return []
    return list(filter(None, [unlabeled_sentence(find_alike(table.task, n_labeled, *table.X.shape))]))


def checks_line(checks):
    """Number of checks passed, and findings of the others, in one line."""
    found = [f"{check.code} {check.finding}" for check in checks if check.passed is False]
    open_ = [check.code for check in checks if check.passed is None]
    line = f"checks: {sum(check.passed is True for check in checks)} passed"
    line += f"; not looked at: {', '.join(open_)}" if open_ else ""
    return "; ".join([line, *found])


def advice_lines(checks):
    """Advice on the findings, a line each."""
    return [f"{check.code}: {check.advice}" for check in checks if check.passed is False and check.advice]


def ranking_lines(result, shown=SHOWN):
    """The best features as lines of a table; copies stand under their best member."""
    frame = result.to_frame()
    copies = frame[frame["copy_of"] != ""].groupby("copy_of")["feature"].apply(list)
    frame = frame[frame["copy_of"] == ""].head(shown)
    names = [shortened(str(name), 30) for name in frame["feature"]]
    width = max([len("feature"), *map(len, names)])
    methods = list(result.ranks)
    has_intervals = result.n_pairs >= FEWEST_PAIRS
    has_selected = result.n_pairs > 0
    has_chance = result.chance is not None
    head = f"{'rank':>5}  {'feature':{width}}  {'mean rank':>9}"
    head += f"  {'between halves':>14}" if has_intervals else ""
    head += f"  {'selected':>8}" if has_selected else ""
    head += f"  {'q':>5}" if has_chance else ""
    lines = [head + "".join(f"  {name:>{max(len(name), 6)}}" for name in methods)]
    for name, row in zip(names, frame.to_dict("records"), strict=True):
        line = f"{row['rank']:>5}  {name:{width}}  {row['mean_rank']:>9.1f}"
        if has_intervals:
            line += f"  {row['low']:>5.1f} to {row['high']:>5.1f}"
        line += f"  {row['selected']:>8.0%}" if has_selected else ""
        line += f"  {row['q']:>5.2f}" if has_chance else ""
        lines.append(line + "".join(f"  {row[f'rank:{method}']:>{max(len(method), 6)}g}" for method in methods))
        if row["feature"] in copies:
            lines.append(f"{'':>5}  {'':{width}}  {said_of_copies(copies[row['feature']])}")
    return lines


def said_of_copies(names):
    """Name the copies of a feature."""
    return f"and its {'copy' if len(names) == 1 else 'copies'} {listed(names)}"


def stability_line(result):
    """Stability of the selected features, and how many of them may be selected by chance; empty if not known."""
    value = result.stability()
    if value is None:
        return ""
    bound = result.false_selections
    said = f"; of those selected in 90 % of {2 * result.n_pairs} half-samples at most {bound:.1f} by chance"
    return f"stability of the best {result.top}: {value:z.2f} (1: always the same, 0: as random){said if bound else ''}"


def shortened(text, length):
    """A text of at most so many characters: begin and end of a longer one, as names often differ in their ends."""
    end = (length - 1) // 2
    return text if len(text) <= length else f"{text[: length - 1 - end]}…{text[-end:]}"
