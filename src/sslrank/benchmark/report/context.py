"""Tables, names and colours of a study, for the views of the results page."""

from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path

import pandas as pd

from sslrank.benchmark.files import read_json, read_table
from sslrank.benchmark.results.study import StudyData, is_higher_better
from sslrank.benchmark.results.titles import QUANTITIES, RANKING_TITLES, TASK_TITLES, entry_title
from sslrank.plotting import pages

#: Columns whose values are names of rankings or methods.
NAMED = ("ranking", "method", "entry", "ensemble", "first", "second")
#: Maximum number of rows of a table on the page; its file has all.
MAX_SHOWN_ROWS = 400
#: Words in table heads that differ from the names of columns.
HEADS = {"labeled": "labelled", "p_holm": "p, Holm", "p_value": "p", "cd": "CD", "n_datasets": "datasets"}


def read_or_empty(path):
    """Read a tidy CSV; return an empty table if it is missing or empty."""
    path = Path(path)
    return read_table(path) if path.is_file() and path.stat().st_size > 1 else pd.DataFrame()


@dataclass
class Context:
    """A finished study: its folder of results and its complete block of the configuration."""

    folder: Path
    config: dict

    def table(self, name):
        """Read a table of the study; empty if missing."""
        return read_or_empty(self.folder / "tables" / f"{name}.csv")

    def collected(self, name):
        """Read a collected table of the study's jobs."""
        return read_table(self.folder / "collected" / f"{name}.csv")

    @cached_property
    def manifest(self):
        """The manifest of the run."""
        return read_json(self.folder / "manifest.json")

    @cached_property
    def study(self):
        """Scores and statuses."""
        return StudyData.load(self.config, self.folder / "collected")

    @cached_property
    def board(self):
        """The leaderboards of all contests."""
        return self.table("leaderboard")

    @cached_property
    def pairs(self):
        """Every pair of entries of each contest."""
        return self.table("pairs")

    @cached_property
    def scores(self):
        """The score of every entry on every dataset."""
        return self.table("contest_scores")

    @cached_property
    def titles(self):
        """Titles by kind ("method", "ranking", "entry", "measure") and name."""
        table = self.table("names")
        kinds = table.groupby("kind") if len(table) else ()
        return {kind: dict(zip(part["name"], part["title"], strict=True)) for kind, part in kinds}

    @cached_property
    def names(self):
        """Titles of entries, rankings and methods by name."""
        titles = self.titles
        return RANKING_TITLES | titles.get("method", {}) | titles.get("ranking", {}) | titles.get("entry", {})

    @cached_property
    def css_classes(self):
        """CSS class of each entry and control, with the same colour in all charts."""
        entries = self.scores.loc[~self.scores["control"], "entry"].unique() if len(self.scores) else []
        classes = {name: f"s{i % 8}" + " dotted" * (i // 8 % 2) for i, name in enumerate(entries)}
        return classes | {name: f"control{i % 3}" for i, name in enumerate(self.config["controls"])}

    @property
    def several_modes(self):
        """True if the study also has the supervised mode."""
        return len(self.config["modes"]) > 1

    def title(self, entry):
        """Return the title of an entry, ranking or method."""
        return self.names.get(entry) or entry_title(str(entry), self.config["titles"])

    def method_title(self, name):
        """Return the title of a method."""
        return self.titles.get("method", {}).get(name, str(name))

    def measure_title(self, name):
        """Return the title of a measure, with the direction that is better."""
        title = self.titles.get("measure", {}).get(name, str(name))
        return f"{title} ({'higher' if is_higher_better(name) else 'lower'} is better)"

    def format_value(self, column, value):
        """Format a value of a column for people."""
        if pd.isna(value):
            return ""
        if column in NAMED:
            return self.method_title(value) if column == "method" else self.title(value)
        if column == "evaluator":
            return self.config["evaluators_used"].get(value, {}).get("title") or str(value)
        if column == "measure":
            return self.titles.get("measure", {}).get(value, str(value))
        words = {"task": TASK_TITLES, "quantity": QUANTITIES}.get(column, {})
        text = str(value).replace("_", " ") if column == "quantity" else str(value)
        return text.upper() if column == "mode" else words.get(value, text)

    def with_titles(self, frame):
        """Replace short names in a table by titles."""
        spoken = [name for name in frame if name in (*NAMED, "evaluator", "measure", "task", "quantity", "mode")]
        return frame.assign(**{name: [self.format_value(name, value) for value in frame[name]] for name in spoken})

    def contest(self, mode, task):
        """Return the title of a contest."""
        words = {"ssl": "ranked from all rows (SSL)", "sl": "ranked from labelled rows only (SL)"}
        return TASK_TITLES.get(task, task) + (f", {words[mode]}" if self.several_modes else "")

    def entry_with_colour(self, entry):
        """Format the title of an entry with its colour."""
        kind, title = self.css_classes.get(entry, ""), escape(self.title(entry))
        return f'<span class="key dots {kind}">{title}</span>' if kind else title


def plain_table(context, frame, caption, *, file=None, html=None):
    """Format the first rows of a table with titles instead of short names; `html` has HTML of cells by column."""
    note = (
        f'<p class="soft">The first {MAX_SHOWN_ROWS} of {len(frame)} rows.</p>' if len(frame) > MAX_SHOWN_ROWS else ""
    )
    html = {name: texts[:MAX_SHOWN_ROWS] for name, texts in (html or {}).items()}
    frame = context.with_titles(frame.head(MAX_SHOWN_ROWS).reset_index(drop=True))
    return note + pages.table(frame, caption, heads=HEADS, html=html, file=file)
