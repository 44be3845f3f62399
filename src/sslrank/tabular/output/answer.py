"""The answer of a ranking: conditions that overturn it, which features, how many, and what to do next."""

import shlex
from dataclasses import dataclass

import numpy as np

from sslrank.core.messages import counted, joined, shortened
from sslrank.hypothesis_tests.pairs import PAIR_LEVEL
from sslrank.hypothesis_tests.related import ALPHA, FDR
from sslrank.tabular.trust.checks import NAME_TIME

#: Maximum number of names of each kind in the answer, and of words of its sentences (without caveats and advice), where
#: a name counts as one; one name of each kind is always shown.
_NAMED, MAX_WORDS = 3, 60
#: Maximum number of characters of a name.
_NAME = 40


@dataclass(frozen=True)
class Caveat:
    """A condition that only the user can check and that would change the answer.

    Attributes
    ----------
    code : str
        Code of the check that found it.
    condition : str
        The condition, such as "rows of one patient depend on each other".
    consequence : str
        The answer under that condition.
    reverses_answer : bool
        Whether the condition makes the answer wrong instead of less certain.
    leads : bool
        Whether the answer begins with it: it makes the answer wrong, there is evidence besides a p-value (a score, a
        name, a column of times), and the consequence is no negation.
    command : str
        The command that ranks under that condition.
    """

    code: str
    condition: str
    consequence: str
    reverses_answer: bool
    leads: bool
    command: str


@dataclass(frozen=True)
class Answer:
    """The main results of a ranking, as shown in the terminal, page, notebook, JSON and ``print``.

    Attributes
    ----------
    rows : tuple of int
        Number of rows of the table, and of labelled ones.
    targets : tuple of str
    given : str
        Text after their names: the event of a time, and adjusting columns.
    n_features, n_related : int
    p_value : float
        p-value that no feature is related.
    untested : str
        What was not tested, and why; empty if all features were.
    related : tuple of str
        Related features without near-duplicates, best first.
    together : tuple of tuple of str
        Pairs of features that are related only together; at least one of each is not related alone.
    given_others : tuple of str
        Features that add information beyond the others, but are not shown to be related alone or in a pair.
    joint : str
        What all features together predict, where no feature and no pair is shown to be related; else empty.
    adding : tuple of str or None
        The best feature of each block that adds information beyond the others; None if not tested.
    enough : int or None
        The smallest number of features that predict about as well as any number; None if there is none.
    prediction : str
        What the curve shows: how many features are enough, with scores; empty without a curve.
    caveats : tuple of Caveat
        Conditions on the answer, overturning ones first.
    next_step, command : str
        The next step, and its command, if any.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sslrank import rank
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> answer = rank(X, y, methods="f_score", effort="order").answer
    >>> answer.n_related, answer.related[0], answer.caveats
    (4, 'petal length (cm)', ())
    """

    rows: tuple
    targets: tuple
    given: str
    n_features: int
    n_related: int
    p_value: float
    untested: str
    related: tuple
    together: tuple
    given_others: tuple
    joint: str
    adding: tuple | None
    enough: int | None
    prediction: str
    caveats: tuple
    next_step: str
    command: str

    def sentences(self, term=lambda words, key: words, name=str, text=str):
        """Write the answer: overturning conditions, related features, those that add information, how many.

        Parameters
        ----------
        term : callable, optional
            Marks words, given with their glossary term.
        name, text : callable, optional
            Format a name, and escape other text from the table.

        Returns
        -------
        list of str
        """
        plain = [
            sum(len(sentence.split()) for sentence in self._findings(count, lambda words, key: words, lambda name: "x"))
            for count in range(1, _NAMED + 1)
        ]
        count = max((count for count, words in enumerate(plain, 1) if words <= MAX_WORDS), default=1)
        related = self._findings(count, term, name)
        conditions = [f"If {text(caveat.condition)}, {text(caveat.consequence)}." for caveat in self.caveats]
        first = [condition for condition, caveat in zip(conditions, self.caveats, strict=True) if caveat.leads]
        last = [condition for condition, caveat in zip(conditions, self.caveats, strict=True) if not caveat.leads]
        if first:
            related[0] = (
                f"{'If not' if len(first) == 1 else 'If none of this is so'}: {related[0][0].lower()}{related[0][1:]}"
            )
        return [*first, *related, *last]

    def _findings(self, count, term, name):
        """Write the findings, with at most `count` names of each kind."""
        n_rows, n_labeled = self.rows
        rows = f"all {n_rows} rows"
        if n_labeled < n_rows:
            rows = f"{n_labeled} {term('labelled', 'labelled')} of {n_rows} rows"
        target = list_names(self.targets, count, name) + name(self.given)
        related = term("related", "related")
        together = self._pairs(count, name)
        if not self.n_related and self.untested and not together:
            return [
                f"From {rows}, no feature is shown to be {related} to {target}: {self.untested}.",
                "The order below is not supported by a test.",
            ]
        if not self.n_related:
            alone = " alone" if together or self.joint else ""
            which = f"none of {self.n_features} features is" if self.n_features > 1 else "the feature is not"
            p = f"(p = {self.p_value:.3g}, above {ALPHA:g})"
            none = f"From {rows}, {which} shown to be {related} to {target}{alone} {p}."
            if together:
                return [none, *together, *self._predicted(term)]
            if self.joint:
                return [none, f"{self.joint}: which ones is not shown."]
            return [none, "The order below may be chance.", "More labelled rows may show a relation."]
        counts = counted(self.n_related, f"of {self.n_features} features is", f"of {self.n_features} features are")
        counts = counts if self.n_features > 1 else "the feature is"
        rate = f"({term('false discovery rate', 'false discovery rate')} {FDR:.0%})"
        shown = list_names(self.related, count, name, total=self.n_related)
        sentences = [f"From {rows}, {counts} {related} to {target} {rate}: {shown}."]
        if self.adding is not None:
            who = "It is not shown to" if self.n_related == 1 else "None of them is shown to"
            if self.adding:
                who = list_names(self.adding, count, name, 2 * _NAME + 10)
            if self.adding == self.related and len(self.related) == self.n_related:
                who = {1: "It", 2: "Both"}.get(len(self.adding), f"All {len(self.adding)}")
            adds = term("adds information" if len(self.adding) == 1 else "add information", "adds information")
            sentences.append(f"{who} {adds} beyond the others.")
        if self.given_others:
            who = list_names(self.given_others, count, name)
            adds, is_are = ("adds", "is") if len(self.given_others) == 1 else ("add", "are")
            sentences.append(f"{who} {adds} information, too, but {is_are} not shown to be {related} alone.")
        return [*sentences, *together, *self._predicted(term)]

    def _predicted(self, term):
        """Write how many features are enough, as a list of at most one sentence."""
        return [f"{self.prediction.replace('enough', term('enough', 'enough'), 1)}."] if self.prediction else []

    def _pairs(self, count, name):
        """Write which features are related only together, as a list of at most one sentence."""
        if not self.together:
            return []
        pairs = [" with ".join(name(shortened(text, _NAME)) for text in pair) for pair in self.together]
        more = f" and {counted(len(pairs) - count, 'other pair')}" if len(pairs) > count else ""
        return [f"Related to it only together (error rate {PAIR_LEVEL:.0%}): {'; '.join(pairs[:count])}{more}."]

    @property
    def use(self):
        """Write what to use each list for; empty if there is only one."""
        is_any = self.n_related or self.together
        uses = ["for a report, take the related features"] if self.n_related else []
        uses += ["to explain the target, those that add information"] if self.n_related and self.adding else []
        number = f" {self.enough}" if self.enough != 1 else ""
        uses += [f"for a small model, the best{number}"] if is_any and self.enough else []
        if len(uses) < 2:
            return ""
        text = "; ".join(uses)
        return f"{text[0].upper()}{text[1:]}."

    @property
    def text(self):
        """All sentences."""
        return " ".join([*self.sentences(), *filter(None, [self.use])])

    def __str__(self):
        return self.text


def make_answer(result):
    """Make the :class:`Answer` of a :class:`sslrank.tabular.result.Ranking`."""
    table, tests, frame, curve = result.table, result.tests, result.features, result.curve
    first = frame[frame["copy_of"] == ""]
    related = tuple(first["feature"][first["q"] <= FDR]) if tests.any_related else ()
    caveats = tuple(sorted(_caveats(result), key=lambda caveat: not caveat.reverses_answer))
    next_step, command = _next_step(result, caveats)
    is_tested = result.conditional is not None and not result.conditional.reason and len(frame) > 1
    return Answer(
        rows=(table.n_rows + table.n_unread, int(table.labeled.sum())),
        targets=tuple(map(str, table.target.columns)),
        given=table.target.given,
        n_features=len(frame),
        n_related=len(tests.related),
        p_value=tests.p_value,
        untested=tests.untested,
        related=related,
        together=_together(result),
        given_others=tuple(str(result.table.X.columns[j]) for j in result.given_others),
        joint=_joint(result.joint),
        adding=_adding(result, frame) if is_tested else None,
        enough=curve.enough if curve is not None and curve.is_conclusive else None,
        prediction="" if curve is None or len(frame) == 1 else curve.describe("it"),
        caveats=caveats,
        next_step=next_step,
        command=command,
    )


def _caveats(result):
    """List conditions that overturn the answer, or make it look better than it is."""
    tests, without, conditions = result.tests, set(), set()
    best = result.features["feature"][0]
    features = {str(result.table.X.columns[j]) for j in [*tests.related, *result.pairs.features]}
    for check in result.checks:
        dropped = {*check.options.get("drop", ())}
        if check.passed is not False or not check.condition or check.condition in conditions:
            continue
        if dropped and (dropped <= without or (features and not dropped & features)):
            continue  # the answer is the same without them
        conditions.add(check.condition)
        without |= dropped
        pronoun = "them" if len(dropped) > 1 or "are errors" in check.condition else "it"
        # gaps of a few rows overturn the answer only if they make the best feature, far values only if it is related
        reverses_answer = leads = check.leads and best in {"C15": dropped, "C16": features}.get(check.code, [best])
        consequence = f"{'this answer is wrong: ' * leads}rank again without {pronoun}"
        if check.options.keys() & {"groups", "time"}:
            guessed = tests.p_value if tests.guessed_p is None else tests.guessed_p
            reverses_answer = (guessed <= ALPHA) != tests.any_related
            consequence = "q-values, scores and intervals look better than they are"
            if reverses_answer:
                outcome = "no feature is shown to be related" if tests.any_related else "some feature is related"
                consequence = f"{outcome} (p = {guessed:.2g})"
            leads = reverses_answer and not tests.any_related
        yield Caveat(
            check.code, check.condition, consequence, reverses_answer, leads, command_of(result, check.options)
        )


def _adding(result, frame):
    """List the best feature of each block that adds information, with other distinct features of the block."""
    by_block = {}
    adding = frame[np.isin(result.order, result.adding) & (frame["copy_of"] == "")]
    for position, name in zip(adding.index, adding["feature"], strict=True):
        by_block.setdefault(result.conditional.blocks[result.order[position]], []).append(name)
    return tuple(
        f"{shortened(first, _NAME)} (with {list_names(others, 1)})" if others else first
        for first, *others in by_block.values()
    )


def _together(result):
    """List the pairs with a feature that is not related alone, the better feature first."""
    related, names = set(result.tests.related.tolist()), list(map(str, result.table.X.columns))
    pairs = [sorted(pair, key=lambda j: result.rank_of[j]) for pair in result.pairs.pairs]
    return tuple(tuple(names[j] for j in pair) for pair in pairs if not related.issuperset(map(int, pair)))


def _joint(joint):
    """Describe what all features together predict; empty if that is not shown."""
    if joint is None or not joint.is_shown:
        return ""
    return f"All features together predict it ({joint.measure} {joint.score:.2f}; p = {joint.p_value:.2g})"


def _next_step(result, caveats):
    """Return what to do next, and its command."""
    if caveats and caveats[0].reverses_answer:
        check = next(check for check in result.checks if check.code == caveats[0].code)
        advice = NAME_TIME if check.options else f"{check.advice[:1].lower()}{check.advice[1:]}"
        return f"If {caveats[0].condition}:", caveats[0].command or advice
    if not (result.tests.any_related or len(result.pairs.pairs)):
        if result.joint is not None and result.joint.is_shown:
            return "Label more rows: with these rows it is not shown which features are related.", ""
        return "Label more rows, or measure other features: with these rows no feature is shown to be related.", ""
    if len(result.short_list()) == len(result.order):
        return "Keep all features.", ""
    count = len(result.short_list())
    best = "best feature" if count == 1 else f"best {count} features"
    best += " without near-duplicates" if count < result.n_enough else ""
    if result.table.path is None or not result.command:
        return f"Take the {best}:", f"ranking.short_list({count})"
    if not result.saved:
        return "Save the ranking with a page to show to others:", f"{result.command} --out ranking"
    if result.saved.endswith(".html"):  # `sslrank reduce` cannot read a page
        command = result.command.replace(f" --out {shlex.quote(result.saved)}", "")
        return "Save the ranking also as a table:", f"{command} --out ranking"
    words = ["reduce", str(result.table.path), result.saved, "--n-features", str(count), "--out", "small.csv"]
    return f"Write a table with the {best}:", shlex.join(["sslrank", *words])


def command_of(result, options):
    """Return the command, or in Python the call, that ranks again with other options.

    Parameters
    ----------
    result : sslrank.tabular.result.Ranking
    options : dict of str to str or list of str

    Returns
    -------
    str
        Quoted for pasting; empty without options, or if the file has no column to name.
    """
    if not options or not all(options.values()):
        return ""
    if not result.command:
        return f"rank(X, y, {', '.join(f'{key}={value!r}' for key, value in options.items())})"
    values = {key: value if isinstance(value, str) else joined(value) for key, value in options.items()}
    return f"{result.command} {shlex.join(word for key, value in values.items() for word in (f'--{key}', value))}"


def list_names(names, count, name=str, length=_NAME, total=None):
    """List the first names and the number of the others.

    Parameters
    ----------
    names : sequence of str
    count : int
        Maximum number of names.
    name : callable, optional
        Formats a name.
    length : int
        Maximum number of characters of a name.
    total : int, optional
        Total number, if larger than that of `names`.

    Returns
    -------
    str
    """
    texts = [name(shortened(text, length)) for text in names[:count]]
    n_unnamed = (total or len(names)) - len(texts)
    if n_unnamed:
        return f"{', '.join(texts)} and {counted(n_unnamed, 'other')}"
    return " and ".join(filter(None, [", ".join(texts[:-1]), texts[-1]]))
