"""``sslrank rank --target none``: rank the features of a table without a target."""

from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from sslrank.core.errors import DataError
from sslrank.core.messages import counted, listed, shortened, suggestion
from sslrank.rankers.registry import available_rankers, get_ranker
from sslrank.tabular.command.options import say, split_names
from sslrank.tabular.show.files import as_json, write, write_table

#: Default methods: features that predict the others, and features that vary smoothly between similar rows.
AUTO = ("genie3", "laplacian_score")
#: Suffixes of the output files.
_RESULTS = (".csv", ".parquet", ".json")
SHOWN = 20


def run(table, arguments):
    """Rank the features of a table that has been read, print the ranking and write it."""
    methods = _check(arguments)
    say(f"methods: {listed(methods)}; without a target there are no tests: the order alone proves nothing")
    frame = rank_features(table, methods, arguments.seed, arguments.jobs)
    columns = ["rank", "feature", "mean_rank", *(name for name in frame if name.startswith("rank:"))]
    best = frame[columns].head(SHOWN).assign(feature=lambda rows: [shortened(name, 30) for name in rows["feature"]])
    say(f"\n{best.to_string(index=False)}")
    say(f"{counted(len(frame), 'feature')} in all\n")
    if arguments.out:
        for path in write_ranking(frame, arguments.out):
            say(f"wrote {path}")


def _check(arguments):
    """Names of the methods; raises DataError if an option or a method needs a target."""
    needing = ("external", "blocks", "measure", "budget", "unlabeled", "groups", "time", "weights")
    given = [f"--{name}" for name in needing if getattr(arguments, name)]
    if given := given + ["--effort"] * (arguments.effort != "full"):
        raise DataError(f"{', '.join(given)} needs a target, and --target is none")
    if str(arguments.out).endswith(".html"):
        raise DataError(
            "a ranking without a target has no page",
            file=arguments.out,
            advice=f"Name a folder, or a file that ends in one of {', '.join(_RESULTS)}",
        )
    names = split_names([arguments.methods])
    if names == ["auto"]:
        return list(AUTO)
    known = available_rankers("none")
    for name in names:
        if name not in known:
            hint = suggestion(name, known)
            raise DataError(f"method {name!r} needs a target; {hint}", advice="See 'sslrank methods'")
    return list(dict.fromkeys(names))


def rank_features(table, methods, seed=0, n_jobs=None):
    """Rank features without a target.

    Returns a DataFrame, best feature first: feature, rank, mean_rank, kind, then rank:METHOD and importance:METHOD.
    """
    columns = {"feature": list(table.X.columns), "kind": np.where(table.nominal, "nominal", "numeric")}
    ranks = {}
    for name in methods:
        ranker = get_ranker(name)
        known = ranker.get_params(deep=False)
        ranker.set_params(**{key: value for key, value in (("random_state", seed), ("n_jobs", n_jobs)) if key in known})
        try:
            importances = ranker.fit(table.X).feature_importances_
        except ValueError as error:
            raise DataError(f"{name} cannot rank these rows: {error}", file=table.path) from None
        ranks[name] = rankdata(-importances)
        columns |= {f"rank:{name}": ranks[name], f"importance:{name}": importances}
    mean = np.mean(list(ranks.values()), axis=0)
    frame = pd.DataFrame(columns).assign(mean_rank=mean)
    frame = frame.sort_values("mean_rank", kind="stable").reset_index(drop=True).assign(rank=range(1, len(mean) + 1))
    first = ["feature", "rank", "mean_rank", "kind"]
    return frame[[*first, *(name for name in frame if name not in first)]]


def write_ranking(frame, out):
    """Write the ranking to a file, or in every format into a folder; returns the paths."""
    out = Path(out)
    paths = [out] if out.suffix in _RESULTS and not out.is_dir() else [out / f"ranking{kind}" for kind in _RESULTS]
    for path in paths:
        if path.suffix == ".json":
            noted = {"task": "none", "target_columns": [], "n_enough": None, "why_enough": ""}
            write(path, as_json(noted | {"ranking": frame.to_dict("records")}))
        else:
            write_table(path, frame)
    return paths
