"""The table of the features of a ranking: ranks, tests and effects, the best feature first."""

import numpy as np
import pandas as pd

from sslrank.core.messages import listed
from sslrank.hypothesis_tests.combining import q_values
from sslrank.hypothesis_tests.half_samples import MIN_PAIRS
from sslrank.hypothesis_tests.related import FDR
from sslrank.tabular.trust.effects import areas_by_class, effects_of_deviations, effects_of_ends


def feature_table(result):
    """Make the table that :meth:`sslrank.tabular.result.Ranking.to_frame` describes, with feature names as strings."""
    table, coded, tests, order, effects = result.table, result.coded, result.tests, result.order, result.effects
    names, features = [str(name) for name in table.X.columns], range(len(order))
    is_related, alone_q = np.isin(features, tests.related), q_values(tests.parts["alone"])
    low = high = selected = conditional_p = conditional_q = np.full(len(order), np.nan)
    if result.samples is not None:
        selected = result.samples.selected(result.top, result.seed).mean(axis=0)
        if result.n_pairs >= MIN_PAIRS:
            ends = result.samples.intervals(result.rank_of, tests.q_values)
            low, high = (np.where(is_related, end, np.nan) for end in ends)
    if result.conditional is not None:
        conditional_p, conditional_q = result.conditional.p_values, result.conditional.q_values
    leader = features if result.redundancy is None else result.redundancy.near_duplicates
    by_ends = [] if tests.by_ends is None else tests.related[tests.by_ends[tests.related]]
    texts_of_ends = effects_of_ends(coded, by_ends, table.target_names) if len(by_ends) else {}
    is_class = coded.task == "classification" and coded.targets.n_classes > 2
    columns = {
        "feature": names,
        "mean_rank": result.mean_rank,
        "low": low,
        "high": high,
        "selected": selected,
        "p": tests.p_values,
        "q": tests.q_values,
        "conditional_p": conditional_p,
        "conditional_q": conditional_q,
        "copy_of": ["" if leader[j] == j else names[leader[j]] for j in features],
        "together_with": [", ".join(names[k] for k in result.pairs.partners(j)) for j in features],
        "kind": ["nominal" if nominal else "numeric" for nominal in coded.nominal],
        **{name: effects[name].to_numpy() for name in ("direction", "effect")},
        **{f"effect_{name}": effects[name].to_numpy() for name in ("low", "high", "measure", "of")},
        **effects_of_deviations(coded, table, order, share=tests.independent).to_dict("series"),
        "alone_q": alone_q,
        "ends": [texts_of_ends.get(j, "") for j in features],
        "given": [
            listed(names[k] for k in tests.given[j]) if is_related[j] and alone_q[j] > FDR else "" for j in features
        ],
    }
    for name, parts in (("AUC", areas_by_class(coded) if is_class else None), ("target", result.by_target)):
        columns |= {} if parts is None else {f"{name}:{part}": parts[part].to_numpy() for part in parts}
    for method, importances in result.importances.items():
        columns[f"rank:{method}"] = result.ranks[method]
        columns[f"importance:{method}"] = importances
    frame = pd.DataFrame(columns).iloc[order].reset_index(drop=True)
    frame.insert(1, "rank", np.arange(1, len(frame) + 1))
    return frame


def as_given(frame, table):
    """Give a table of features the names of the user's data frame, and make it of polars if that was."""
    if (names := table.names) is not None:
        for column in ("feature", "copy_of"):
            given_names = [names.given(text) for text in frame[column]]
            if given_names != frame[column].tolist():
                frame[column] = pd.Series(given_names, dtype=object)
    if table.is_polars:
        import polars

        return polars.from_pandas(frame)
    return frame
