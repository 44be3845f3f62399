"""The words of the page and what they mean: the one source for the page and the documentation."""

from html import escape

from sslrank.tabular.show.effects import COVERAGE as OF_EFFECTS
from sslrank.tabular.trust.redundancy import COPIES
from sslrank.tabular.trust.stability.intervals import COVERAGE
from sslrank.tabular.trust.tests.conditional import CONDITIONAL_FDR
from sslrank.tabular.trust.tests.related import FDR, LEVEL

#: Word -> one or two sentences.
GLOSSARY = {
    "related": f"The feature goes with the target more than chance would let it: its q is at most {FDR:g}. It may do "
    "so by way of another feature, and need not be a cause.",
    "false discovery rate": "The share of wrong ones to expect among the features that are named.",
    "q": "The smallest false discovery rate at which the feature is called related, by all tests together: alone, in "
    "models with the others, and beside what is found.",
    "q alone": "The same by the test of the feature alone, without the others. It misses what shows only together with "
    "other features.",
    "conditional q": "The smallest false discovery rate at which the feature is said to add information; at most "
    f"{CONDITIONAL_FDR:g} counts.",
    "adds information": "The feature (or its block) says something about the target that models of the other features "
    "do not. Without it, others may replace a related feature, or the rows are too few to tell.",
    "more than chance": f"Some feature is related: the smallest q is at most {LEVEL:g}. Of tables without any relation "
    f"{LEVEL:.0%} get a yes, too.",
    "rank": "1 is the best. Related features come first, by their mean rank over the methods, then the others by their "
    "p-value: their order is arbitrary.",
    "interval": f"In {COVERAGE:.0%} of tables such as this one the rank lies in it, judged by halves of the rows that "
    "share no row. Features whose intervals overlap may change places.",
    "effect size": "How strongly the feature alone goes with the target, in labelled rows, without weights of rows; "
    f"with its {OF_EFFECTS:.0%} interval. Of many features, the best look stronger than they are.",
    "AUC": "The chance that a row of the class has a higher value than a row of the others: 0.5 is no relation, 1 is "
    "perfect. With more than two classes it is that of the class that is told apart best.",
    "C": "Harrell's C: the chance that of two rows the one with the higher value has the event first (or last): 0.5 is "
    "no relation, 1 is perfect.",
    "r": "Spearman's correlation, of the ranks of two numbers: 0 is none, 1 a relation that always grows, -1 one that "
    "always falls.",
    "V": "Cramér's V, the relation of two sets of categories: 0 is none, 1 is perfect.",
    "η²": "Eta squared, the share of the target's variance that lies between categories: 0 is none, 1 is all.",
    "block": "Near-duplicates, or features that were given as one: the conditional tests take them together.",
    "near-duplicate": f"A feature that says the same as a better one (association of {COPIES:g} or more). One of each "
    "is enough.",
    "enough": "The fewest features whose score, on rows that the ranking has not seen, is within a standard error of "
    "the best.",
    "selected": "Share of the halves of the rows in which the feature is among the best.",
    "labelled": "A row is labelled if its target is known. Only these rows tell what goes with the target.",
}


class Terms:
    """Marks words of the glossary: each explains itself where it stands, by pointer, keyboard and touch."""

    def __init__(self, prefix):
        self.prefix, self.count = prefix, 0

    def __call__(self, words, key):
        """Words of a text with their explanation."""
        self.count += 1
        name = f"{self.prefix}{self.count}"
        return (
            f'<span class="term"><button type="button" aria-describedby="{name}">{escape(words)}</button>'
            f"{self.tip(key, name)}</span>"
        )

    def tip(self, key, name):
        """The explanation itself."""
        return f'<span class="tip" role="tooltip" id="{name}">{escape(GLOSSARY[key])}</span>'

    def head(self, words, key, kind=""):
        """A head of the table of features, which sorts it."""
        self.count += 1
        name = f"{self.prefix}{self.count}"
        return (
            f'<th scope="col" class="{kind}" aria-sort="none"><button type="button" aria-describedby="{name}">'
            f"{escape(words)}</button>{self.tip(key, name)}</th>"
        )
