"""Critical-distance diagram: Demsar 2006, Fig. 1; paper eca, Fig. 3."""

import numpy as np
import pandas as pd

from sslrank.plotting.style import figure_style, new_axes


def critical_distance_diagram(average_ranks, critical_distance, *, title=None, ax=None):
    """Draw methods on an axis of average ranks by scikit-posthocs; a bar joins those closer than the critical distance.

    Parameters
    ----------
    average_ranks : Series or dict
        Average rank by method, 1 the best, which stands on the left.
    critical_distance : float
    title : str, optional
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> from sslrank.plotting import critical_distance_diagram
    >>> figure = critical_distance_diagram({"relief": 1.4, "genie3": 2.1, "random": 3.0}, critical_distance=0.9)
    """
    from scikit_posthocs import critical_difference_diagram  # takes seconds to load

    ranks = pd.Series(average_ranks, dtype=np.float64)
    same = np.abs(ranks.to_numpy()[:, None] - ranks.to_numpy()) < critical_distance
    p_values = pd.DataFrame(same.astype(float), index=ranks.index, columns=ranks.index)
    with figure_style():
        figure, ax = new_axes(ax, 7.0, 1.2 + 0.2 * len(ranks))
        critical_difference_diagram(ranks, p_values, ax=ax, label_props={"fontsize": 9})
        ax.set_title(f"{title or 'Average ranks'}; critical distance {critical_distance:.4g}")
    return figure
