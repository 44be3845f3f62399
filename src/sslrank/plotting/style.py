"""One style for all figures, and files that are the same bytes for the same data."""

from contextlib import contextmanager
from io import BytesIO
from itertools import count
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from sslrank.core.messages import quoted

#: Okabe and Ito's colours, which can be distinguished with every form of colour blindness; the pale yellow comes last.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
#: Rankings that occur in many pictures keep one colour in all of them.
FIXED = {"genie3": 0, "random_forest": 1, "symbolic": 2, "relief": 3, "ssl_laplacian": 4}
GREY = "#5a5a5a"
GRID = "#e3e3e3"
#: Controls are grey in all pictures.
CONTROLS = {
    "expected (random)": (GREY, ""),
    "random": (GREY, ""),
    "equal_weights": ("#8c8c8c", "P"),
    "random_ranking": ("#b0b0b0", "X"),
    "oracle": ("#3c3c3c", "*"),
}

_RC = {
    "axes.axisbelow": True,
    "axes.edgecolor": GREY,
    "axes.grid": True,
    "axes.labelsize": 10,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "figure.dpi": 100,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9.5,
    "grid.color": GRID,
    "grid.linewidth": 0.7,
    "legend.frameon": False,
    "lines.linewidth": 1.7,
    "lines.markersize": 5,
    "savefig.dpi": 150,
    "svg.fonttype": "path",
    "text.parse_math": False,  # a dollar in a name is a dollar
    "svg.hashsalt": "sslrank",
}


class Picture(Figure):
    """A figure that a notebook shows without ``%matplotlib inline``."""

    def _repr_png_(self):
        return figure_bytes(self, "png")


@contextmanager
def figure_style(**settings):
    """Draw and save figures in the package's style, whatever the user's matplotlibrc says.

    Parameters
    ----------
    **settings
        Further rcParams.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> with figure_style():
    ...     axes = Figure().subplots()
    """
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(_RC | settings)
        yield


def new_axes(ax, width, height):
    """Return the figure and the axes to draw on.

    Parameters
    ----------
    ax : matplotlib Axes or None
        None makes a new figure.
    width, height : float
        Of a new figure, in inches.

    Returns
    -------
    matplotlib.figure.Figure, matplotlib Axes

    Raises
    ------
    TypeError
        If `ax` is no Axes.

    Examples
    --------
    >>> figure, ax = new_axes(None, 6.4, 3.6)
    >>> figure.get_size_inches()
    array([6.4, 3.6])
    """
    if ax is not None:
        if not isinstance(ax, Axes):
            raise TypeError(f"ax must be a matplotlib Axes, such as from plt.subplots(), got {quoted(ax)}")
        return ax.figure, ax
    figure = Picture(figsize=(width, height), layout="constrained")
    return figure, figure.add_subplot()


def measure_label(name, higher_is_better):
    """Label the axis of a measure; add which direction is better, in a second line if the name is long.

    Parameters
    ----------
    name : str
    higher_is_better : bool

    Returns
    -------
    str

    Examples
    --------
    >>> measure_label("rrmse", higher_is_better=False)
    'rrmse (lower is better)'
    """
    separator = " " if len(name) < 20 else "\n"
    return f"{name}{separator}({'higher' if higher_is_better else 'lower'} is better)"


def styles_for(names):
    """Assign a colour and a marker to each name.

    Names of :data:`FIXED` and :data:`CONTROLS` have theirs; the others take the remaining ones, in alphabetical order.
    Beyond eight names colours repeat with another marker. The same names have the same styles and the same order in
    every picture, whatever the order of its table.

    Parameters
    ----------
    names : iterable of str

    Returns
    -------
    dict of str to (str, str)
        Colour and marker: the names of `FIXED`, the others, the controls.

    Examples
    --------
    >>> styles_for(["relief", "genie3", "oracle"])
    {'genie3': ('#0072B2', 'o'), 'relief': ('#CC79A7', 'D'), 'oracle': ('#3c3c3c', '*')}
    """
    names = sorted(set(names), key=lambda name: (name in CONTROLS, FIXED.get(name, len(FIXED)), str(name)))
    used_colours = {FIXED[name] for name in names if name in FIXED}
    free, styles = (number for number in count() if number not in used_colours), {}
    for name in names:
        if name in CONTROLS:
            styles[name] = CONTROLS[name]
        else:
            lap, index = divmod(FIXED[name] if name in FIXED else next(free), len(PALETTE))
            styles[name] = (PALETTE[index], MARKERS[(index + 3 * lap) % len(MARKERS)])
    return styles


def save_figure(figure, path, formats=("svg", "png")):
    """Write a figure; the same figure gives the same bytes.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    path : str or Path
        Its suffix, if it is one of `formats`, is replaced by each format's.
    formats : sequence of str, default=("svg", "png")

    Returns
    -------
    list of Path

    Examples
    --------
    >>> import tempfile
    >>> from matplotlib.figure import Figure
    >>> figure = Figure()
    >>> axes = figure.subplots()
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [path.name for path in save_figure(figure, f"{folder}/empty")]
    ['empty.svg', 'empty.png']
    """
    path = Path(path)
    stem = path.with_suffix("") if path.suffix.lstrip(".") in formats else path
    stem.parent.mkdir(parents=True, exist_ok=True)
    written = []
    for kind in formats:
        written.append(stem.with_name(f"{stem.name}.{kind}"))
        written[-1].write_bytes(figure_bytes(figure, kind))
    return written


def figure_bytes(figure, kind, dpi=None):
    """Make a file of a figure, such as "svg" or "png", with no label cut; the same figure gives the same bytes."""
    # Dates and versions in the metadata would change the bytes from run to run.
    metadata = {"svg": {"Date": None, "Creator": None}, "png": {"Software": None}}.get(kind)
    buffer = BytesIO()
    with figure_style():
        figure.savefig(buffer, format=kind, metadata=metadata, bbox_inches="tight", dpi=dpi)
    return buffer.getvalue()
