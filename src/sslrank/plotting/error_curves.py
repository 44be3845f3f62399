"""FFA and RFA curves: paper eca, Figs. 1 and 2."""

from matplotlib.figure import Figure

from sslrank.plotting.style import GREY, look, styles_for

_TITLES = {"FFA": "forward feature addition (best first)", "RFA": "reverse feature addition (worst first)"}


def error_curve_panels(curves, *, expected=None, title=None, names=None, log_sizes=None):
    """Draw forward and reverse curves side by side, one colour per ranking, with the expected curve in grey.

    Parameters
    ----------
    curves : DataFrame
        As from :func:`sslrank.evaluation.error_curves`: columns `curve` ("FFA" or "RFA"), `size`, `value`,
        `measure`, and optionally `ranking`.
    expected : DataFrame, optional
        As from :func:`sslrank.evaluation.expected_curve`: columns `size`, `value` and `standard_error`, drawn
        with a band of two standard errors.
    title : str, optional
    names : dict of str to str, optional
        The legend's text of a ranking, if it is not the ranking's name.
    log_sizes : bool, optional
        Logarithmic axis of sizes; by default when there are more than 200 features.

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sslrank import evaluation, plotting
    >>> curves = evaluation.error_curves("knn", *load_iris(return_X_y=True), [0.1, 0.0, 0.9, 1.0], cv=3)
    >>> figure = plotting.error_curve_panels(curves)
    """
    curves = curves if "ranking" in curves else curves.assign(ranking="ranking")
    names = names or {}
    styles = styles_for(curves["ranking"])
    if log_sizes is None:
        log_sizes = curves["size"].max() > 200
    with look():
        figure = Figure(figsize=(9.0, 3.7), layout="constrained")
        axes = figure.subplots(1, 2, sharey=True)
        for ax, (curve, heading) in zip(axes, _TITLES.items(), strict=True):
            if expected is not None:
                band = 2 * expected["standard_error"].fillna(0.0)
                low, high = expected["value"] - band, expected["value"] + band
                ax.fill_between(expected["size"], low, high, color=GREY, alpha=0.2, linewidth=0)
                ax.plot(expected["size"], expected["value"], color=GREY, linestyle=":", label="expected (random)")
            for ranking, (color, marker) in styles.items():
                part = curves[(curves["ranking"] == ranking) & (curves["curve"] == curve)]
                part = part.groupby("size", as_index=False)["value"].mean()
                every = 0.09 if len(part) > 12 else None  # of the diagonal of the picture
                label = names.get(ranking, ranking)
                ax.plot(part["size"], part["value"], color=color, marker=marker, markevery=every, label=label)
            ax.set_title(heading)
            ax.set_xlabel("number of features")
            if log_sizes:
                ax.set_xscale("log")
        measures = list(dict.fromkeys(curves["measure"])) if "measure" in curves else ["performance"]
        axes[0].set_ylabel(measures[0])
        figure.legend(*axes[0].get_legend_handles_labels(), loc="outside right center")
        if title:
            figure.suptitle(title, x=0.01, ha="left", fontsize=11)
    return figure
