"""Functions for the templates of findings and verdicts; see :mod:`sslrank.benchmark.report.findings`."""

import numpy as np
from scipy import stats

from sslrank.benchmark.results.tables.arena import by_family, datasets_needed  # noqa: F401 (of the templates)
from sslrank.datasets.arena import arena_part, family_of
from sslrank.stats import bootstrap, pairwise
from sslrank.stats.rank_tests import average_ranks, friedman_test, sign_p, signed_rank_p  # noqa: F401 (of the templates)


def total(table, row, column):
    """Return the number in a cell of a Markdown table, by row and column name."""
    lines = [[cell.strip() for cell in line.strip("| ").split("|")] for line in table.splitlines()]
    return int(next(line for line in lines if line[0] == row)[lines[0].index(column)])


def where(rows, **values):
    """Select rows with these values in these columns."""
    for column, value in values.items():
        rows = rows[rows[column] == value]
    return rows


def mean_difference(rows):
    """Compute the mean absolute difference of reproduced from published values."""
    return rows["difference"].abs().mean()


def mean_differences(rows):
    """Compute :func:`mean_difference` of each variant."""
    return rows["difference"].abs().groupby(rows["variant"]).mean()


def spearman(first, second=None):
    """Rank correlation of two columns, or of the published and reproduced values of a table."""
    if second is None:
        first, second = first["published"], first["reproduced"]
    return first.corr(second, method="spearman")


def same_signs(rows):
    """Share of the cells whose reproduced value has the published sign."""
    return (np.sign(rows["published"]) == np.sign(rows["reproduced"])).mean()


def majority_sign_share(rows):
    """Share of the cells that have the more frequent published sign: the agreement of one sign everywhere."""
    return np.sign(rows["published"]).value_counts(normalize=True).max()


def wrong_signs(rows):
    """Count the cells whose reproduced value does not have the published sign."""
    return int((np.sign(rows["published"]) != np.sign(rows["reproduced"])).sum())


def by_dataset(rows):
    """Average published and reproduced values over each dataset."""
    return rows.groupby("dataset")[["published", "reproduced"]].mean().reset_index()


def interval(rows):
    """Compute the 95 % bootstrap interval of :func:`same_signs` over datasets, from 10,000 samples: "75 to 97 %"."""
    agree = np.sign(rows["published"]) == np.sign(rows["reproduced"])
    return share_interval(agree.set_axis(rows["dataset"]))


def ranges_of(rows, column):
    """Compute the mean range of the ensembles' average ranks, worst minus best, by kind of target and mode."""
    groups = rows.groupby(["task", "mode", "score"])[column]
    return (groups.max() - groups.min()).groupby(["task", "mode"]).mean()


def best_of_family(tables, task):
    """List the ensembles with the best mean of average ranks in any variant of any table."""
    titles = [
        part.groupby("ensemble")["reproduced"].mean().idxmin()
        for table in tables
        for _, part in table[table["task"] == task].groupby("variant")
    ]
    return sorted(set(titles))


def leads_in_variant(rows, variant, task, ranking):
    """Check if a ranking has the lowest average rank of a kind of target, alone or tied, in a variant (None: any)."""
    rows = rows[rows["task"] == task]
    if variant is not None:
        rows = rows[rows["variant"] == variant]
    best = rows.groupby("variant")["reproduced"].transform("min")
    return bool((rows["ranking"].eq(ranking) & (rows["reproduced"] < best + 1e-6)).any())


def t_ends(values):
    """Compute the ends of the 95 % interval of the mean of one value for each dataset, by Student's t."""
    return pairwise.mean_interval(values)[1:]


def mean_interval(values, digits=4):
    """Compute the 95 % bootstrap interval of a mean over datasets, from 10,000 samples: "-0.0085 to 0.0004"."""
    values = np.asarray(values, dtype=np.float64)
    return _words(values[bootstrap.draw(len(values))].mean(axis=1), digits)


def _words(values, digits):
    """Write the ends of the central 95 % of values."""
    return " to ".join(f"{end:.{digits}f}" for end in bootstrap.ends(values))


def within(rows, column):
    """Subtract from published and reproduced values the mean of their group, such as dataset or kind of target."""
    columns = rows[["published", "reproduced"]]
    return columns - columns.groupby(rows[column]).transform("mean")


def two_seeds(first, second, keys=("dataset", "ranking"), *, shared=0.0):
    """Rank correlations within datasets: of two seeds, and of the first seed with the published values; datasets.

    Of the cells that both tables have. The first number bounds what the second can reach. `shared` is the share of the
    second's splits that are those of the first, whose part in its means is removed.
    """
    again = second[[*keys, "reproduced"]].rename(columns={"reproduced": "again"})
    cells = first.merge(again, on=list(keys)).dropna(subset=["published", "reproduced", "again"])
    others = (cells["again"] - shared * cells["reproduced"]) / (1 - shared)
    tables = cells.assign(published=others), cells
    return *(spearman(within(rows, "dataset")) for rows in tables), cells["dataset"].nunique()


def family_gain(points, first, second, *without):
    """Estimate the gain of one ranking over another by the families without any dataset of the tables `without`.

    Returns the estimate of Hodges and Lehmann, the ends of its 95 % interval, and the number of families.
    """
    families = {family_of(name) for table in without for name in table["dataset"]}
    points = points[~points["dataset"].map(family_of).isin(families)].set_index("dataset")
    gains = by_family((points[first] - points[second]).groupby(level=0).mean().dropna())
    return *pairwise.hodges_lehmann(gains), len(gains)


def room_means(rows, variant=None):
    """Average the columns of a table `room` over L, by dataset, and add the gain of SSL over SL."""
    rows = rows if variant is None else where(rows, variant=variant)
    means = rows.groupby(["task", "dataset"], sort=False).mean(numeric_only=True).reset_index().set_index("dataset")
    return means.assign(gain=means["semi_supervised"] - means["supervised"])


def select_half(means, part):
    """Select one half of the datasets, "choose" or the others, by a hash of their names."""
    is_for_choosing = means.index.map(arena_part) == "choose"
    return means[is_for_choosing if part == "choose" else ~is_for_choosing]


def counts_interval(rows, count, *args, **options):
    """Compute the 95 % bootstrap interval over the datasets of a count such as :func:`wins`: "3 to 16"."""
    counts = np.array([count(part, *args, **options) for _, part in rows.groupby("dataset")])
    return _words(counts[bootstrap.draw(len(counts))].sum(axis=1), 0)


def share_interval(shares):
    """Compute the 95 % bootstrap interval over datasets of the share of true cells, in the form of :func:`interval`."""
    counts = shares.astype(int).groupby("dataset").agg(["sum", "size"]).to_numpy()
    sums = counts[bootstrap.draw(len(counts))].sum(axis=1)
    return f"{_words(100 * (sums[:, 0] / sums[:, 1]), 0)} %"


def spearman_interval(first, second):
    """Compute the 95 % bootstrap interval over the datasets of the rank correlation of two values: "-0.56 to 0.16"."""
    rows = bootstrap.draw(len(first))
    return _words(bootstrap.rank_correlations(np.asarray(first)[rows], np.asarray(second)[rows]), 2)


def rank_interval(ranks, published, key_columns):
    """Compute the 95 % bootstrap interval of the rank correlation of published and our ranks: "-0.31 to 0.28".

    10,000 samples of the datasets of each kind of target. `ranks` has a rank for each dataset, task and method (columns
    `of`), `published` the average ranks.
    """
    rng = np.random.default_rng(0)
    sampled_ranks, published_ranks = [], []
    for task, part in ranks.groupby("task"):
        of_task = published[published["task"] == task].set_index(list(key_columns))["published"]
        if len(of_task):
            matrix = part.pivot(index="dataset", columns=list(key_columns), values="rank").dropna()
            sampled_ranks.append(matrix[of_task.index].to_numpy()[bootstrap.draw(len(matrix), rng)].mean(axis=1))
            published_ranks.append(of_task.to_numpy())
    return _words(bootstrap.rank_correlations(np.hstack(sampled_ranks), np.concatenate(published_ranks)), 2)


def mean_ranks(rows, column):
    """Average ranks of the rankings over the datasets, 1 for the largest value."""
    return rows.pivot(index="dataset", columns="ranking", values=column).rank(axis=1, ascending=False).mean()


def friedman_p(rows, column):
    """Compute p of Friedman's test of the rankings over the datasets, with Iman and Davenport's correction."""
    return friedman_test(rows.pivot(index="dataset", columns="ranking", values=column)).iman_davenport_p_value


def friedman_without_each(rows, column):
    """Compute the smallest and largest p of :func:`friedman_p` if one dataset is left out: "0.0031 to 0.039"."""
    p_values = [friedman_p(rows[rows["dataset"] != name], column) for name in rows["dataset"].unique()]
    return f"{min(p_values):.2g} to {max(p_values):.2g}"


def better_by_nemenyi(rows, column, ranking):
    """List the rankings that are better than a given one in Nemenyi's test."""
    from scikit_posthocs import posthoc_nemenyi_friedman  # takes seconds to load

    matrix = rows.pivot(index="dataset", columns="ranking", values=column)
    ranks, p_values = average_ranks(matrix), posthoc_nemenyi_friedman(matrix)[ranking]
    return [name for name in ranks.index if p_values[name] <= 0.05 and ranks[name] < ranks[ranking]]


def with_published(rows, table, keys=("dataset", "ranking")):
    """Select rows with a published value in another table, and add it as the column `published`."""
    return rows.merge(table[[*keys, "published"]], on=list(keys))


def wilcoxon_p(values):
    """Compute the two-sided p-value of Wilcoxon's signed-rank test of values against zero."""
    return signed_rank_p(values, "wilcox")


def claimed_again(rows, best, others, bound):
    """Share of repetitions with other splits in which one ranking beats each of the others with p below a bound."""
    leads = _drawn_leads(rows, best, others)
    return ((np.median(leads, axis=2) > 0) & (stats.wilcoxon(leads, axis=2).pvalue < bound)).all(axis=0).mean()


def leads_again(rows, best, others):
    """Share of repetitions with other splits in which one ranking is the best on as many datasets as published."""
    published = rows.pivot(index="dataset", columns="ranking", values="published").idxmax(axis=1)
    return ((_drawn_leads(rows, best, others) > 0).all(axis=0).sum(axis=1) >= (published == best).sum()).mean()


def _drawn_leads(rows, best, others):
    """Compute the leads of a ranking over others, 2,000 times with other splits, of shape (others, 2000, datasets).

    Draws are normal with twice the squared standard error (`spread`): that of the observed means plus that of the
    repeated ones.
    """
    means, errors = (rows.pivot(index="dataset", columns="ranking", values=name) for name in ("reproduced", "spread"))
    rng = np.random.default_rng(0)
    drawn = [
        means[name].to_numpy() + np.sqrt(2) * errors[name].to_numpy() * rng.standard_normal((2000, len(errors)))
        for name in (best, *others)
    ]
    return drawn[0] - np.array(drawn[1:])


def drawn_less_often(features, times):
    """Compute how probably a committee of ssfi's Eq. (1), sqrt(p) features per member, draws a feature fewer times."""
    share = np.sqrt(features)
    members = 10 * np.ceil(np.log(0.01) / np.log(1 - 1 / share))
    return stats.binom.cdf(times - 1, members, 1 / share)


def exchanged(rows, first, second):
    """Compute the mean absolute difference of two measures when their published values are exchanged."""
    by_dataset = rows.pivot(index="dataset", columns="measure", values=["reproduced", "published"])
    published = by_dataset["published"][[second, first]].to_numpy()
    return (by_dataset["reproduced"][[first, second]] - published).abs().to_numpy().mean()


def wins(rows, first, second, column, *, index="dataset", names="method", lower=()):
    """Count how often one name has a better value than another; `lower` are measures that are better when lower."""
    table = _better_higher(rows, column, index, names, lower)
    return int((table[first] > table[second]).sum())


def bests(rows, name, column, *, index="dataset", names="method", lower=(), tied=False):
    """Count how often a name has the best value alone, or with `tied` alone or together; see :func:`wins`."""
    table = _better_higher(rows, column, index, names, lower).dropna()
    best_other = table.drop(columns=name).max(axis=1)
    return int((table[name] >= best_other if tied else table[name] > best_other).sum())


def _better_higher(rows, column, index, names, lower):
    values = rows[column].where(~rows["measure"].isin(list(lower)), -rows[column]) if lower else rows[column]
    keys = [index] if isinstance(index, str) else list(index)
    return rows.assign(value=values).pivot(index=keys, columns=names, values="value")


def worse_than_both(rows, name, column, baseline, *, index, lower):
    """Mark cells in which a method is worse than both the best other one and the baseline."""
    table = _better_higher(rows, column, index, "method", lower).dropna()
    best_other = table.drop(columns=[name, baseline]).max(axis=1)
    return (table[name] < best_other) & (table[name] < table[baseline])


def gains_by_measure(rows, first, second, lower=()):
    """Count the datasets on which one method has a better value than another, by measure; see :func:`wins`."""
    table = _better_higher(rows, "reproduced", ["measure", "dataset"], "method", lower)
    return (table[first] > table[second]).groupby("measure").sum()


def improvements(rows, column):
    """Mark classifiers that are better with selected features than with all."""
    table = rows.pivot(index=["dataset", "classifier"], columns="selection", values=column)
    return table["after"] > table["before"]


def fastest(rows, column, by=("dataset",), name="method"):
    """Return the name with the smallest value in each group."""
    return rows.pivot(index=list(by), columns=name, values=column).idxmin(axis=1)


def same_order(rows, by, name):
    """Check if the names of each group are in the published order."""
    ours, theirs = (rows.pivot(index=by, columns=name, values=key).rank(axis=1) for key in ("reproduced", "published"))
    return (ours == theirs).all(axis=1)


def correlated_with_distance(rows, weighting, column):
    """Correlate ECA with a weighting with the distance of the rankings, over strengths of noise."""
    table = rows.pivot(index="theta", columns="weighting", values=column)
    return table["dist"].corr(table[weighting])
