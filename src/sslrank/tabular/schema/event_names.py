"""Columns with a time until an event, or with its status, by their names and values."""

import re

import numpy as np
import pandas as pd

from sslrank.core.messages import listed

#: Names of times until an event, of those that are nothing else, and of columns that say whether it happened.
_TIME = re.compile(
    r"(.*[ _.-])?(t|stop|os|pfs|tte|.*(time|days|weeks?|months|surv|survival|duration|dur|follow[ _.-]?up))\d*"
    r"([ _.-].*)?",
    re.IGNORECASE,
)
_FOLLOW_UP = re.compile(
    r"time|days|weeks|months|lenfol|(days|months|time)[ _.-]to[ _.-].*|"
    r"(os|pfs|rfs|dfs|tte|fu|surv(ival)?|follow[ _.-]?up)([ _.-]?(time|days|months|years))?",
    re.IGNORECASE,
)
_EVENT = re.compile(
    r"(.*[ _.-])?(e|c|events?|.*stat(us)?|.*cens\w*|death|dead|died|deceased|observed|delta|fail\w*|relapse\w*)"
    r"([ _.-].*)?",
    re.IGNORECASE,
)


def censoring_note(target, columns, is_file):
    """Write the note about a column that may mark censored times of the target; empty if there is none.

    Parameters
    ----------
    target : sslrank.tabular.schema.target.Target
    columns : dict of str to ndarray or Categorical
        The other columns.
    is_file : bool
        Whether the table is a file, for the advice.

    Returns
    -------
    str
    """
    if target.task not in ("regression", "multitarget") or target.event is not None:
        return ""
    values_of = target.values.reshape(len(target.values), -1).T
    targets = dict(zip(map(str, target.names), values_of, strict=True))
    times = [name for name, values in targets.items() if _TIME.fullmatch(name) and np.nanmin(values) >= 0]
    others = columns if len(targets) == 1 else {name: values for name, values in targets.items() if name not in times}
    events = [str(name) for name, values in others.items() if _EVENT.fullmatch(str(name)) and _is_event(values)]
    if not times or not events:
        return ""
    time, event = times[0], events[0]
    way = f"--target {time} --event {event}" if is_file else f"event={event!r}"
    return (
        f"{listed(events)}: may say whether {time} ended or was censored; a censored {time} is only a lower bound: "
        f"{way} ranks for both"
    )


def follow_up_times(target, columns):
    """List the follow-up times of an event that is the target; they reveal too much of it to be ranked.

    Parameters
    ----------
    target : sslrank.tabular.schema.target.Target
    columns : dict of str to ndarray or Categorical

    Returns
    -------
    set of str
    """
    is_event = target.task == "classification" and len({label for label in target.values if label is not None}) == 2
    if not is_event or len(target.names) > 1:
        return set()
    event = str(target.names[0])
    words = rf"(time|days|weeks|months|years)[ _.-]?(to|until)[ _.-]?{re.escape(event)}"  # such as time.to.relapse
    if _EVENT.fullmatch(event):
        of_name = re.sub("stat(us)?$", "time", event, flags=re.IGNORECASE)  # such as pgtime of pgstat
        words += rf"|{re.escape(of_name)}|{_FOLLOW_UP.pattern}"
    named = {name: values for name, values in columns.items() if re.fullmatch(words, name, re.IGNORECASE)}
    return {name for name, values in named.items() if not isinstance(values, pd.Categorical) and np.nanmin(values) >= 0}


def _is_event(values):
    if isinstance(values, pd.Categorical):
        return len(values.categories) == 2
    levels = np.unique(values[~np.isnan(values)])
    return len(levels) in (2, 3) and bool(np.isin(levels, (0, 1, 2)).all())
