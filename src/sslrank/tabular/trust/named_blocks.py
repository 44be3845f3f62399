"""User-defined blocks of features, each ranked and tested as one."""

import numpy as np
import pandas as pd

from sslrank.hypothesis_tests.combining import cauchy, q_values


def tests_of_blocks(blocks, names, related, conditional):
    """Rank and test named blocks among each other and the features that are in none.

    P-values of relation of a block's features are combined by the Cauchy combination test, so that large blocks have no
    advantage. q is that of Benjamini and Hochberg over blocks and single features; the rank is by p. If no feature is
    related, q is 1.

    Parameters
    ----------
    blocks : dict of str to sequence of str
    names : list of str
        Features.
    related : sslrank.hypothesis_tests.related.Related
    conditional : sslrank.hypothesis_tests.conditional.ConditionalTests
        With the named blocks as its blocks.

    Returns
    -------
    DataFrame
        Columns block, rank, of (blocks and single features), p, q, conditional_p, conditional_q, features (a list, the
        best first); the best block first.
    """
    index_of = {name: j for j, name in enumerate(names)}
    blocks = {block: list(dict.fromkeys(map(str, group))) for block, group in blocks.items() if len(group)}
    members = [[index_of[name] for name in group] for group in blocks.values()]
    single_features = sorted(set(range(len(names))).difference(*members))
    p = np.array([cauchy(related.p_values[features]) for features in members + [[j] for j in single_features]])
    q = q_values(p) if related.any_related else np.ones_like(p)
    first, k = [features[0] for features in members], len(members)
    table = pd.DataFrame(
        {
            "block": list(map(str, blocks)),
            "rank": [1 + int((p < p[i]).sum()) for i in range(k)],
            "of": len(p),
            "p": p[:k],
            "q": q[:k],
            "conditional_p": conditional.p_values[first],
            "conditional_q": conditional.q_values[first],
            "features": [[names[j] for j in sorted(block, key=lambda j: related.p_values[j])] for block in members],
        }
    )
    return table.sort_values(["rank", "conditional_p"], kind="stable", ignore_index=True)
