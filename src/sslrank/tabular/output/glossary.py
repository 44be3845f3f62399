"""Terms on the page of a ranking, with their definitions; the documentation has the same ones."""

from markupsafe import Markup

from sslrank.hypothesis_tests.conditional import CONDITIONAL_FDR
from sslrank.hypothesis_tests.feature_columns import NEAR_DUPLICATE
from sslrank.hypothesis_tests.half_samples import RANK_COVERAGE
from sslrank.hypothesis_tests.pairs import PAIR_LEVEL
from sslrank.hypothesis_tests.related import ALPHA, FDR
from sslrank.tabular.trust.effects import EFFECT_COVERAGE

#: Term -> definition, in one or two sentences.
GLOSSARY = {
    "related": f"The relation with the target is stronger than chance explains: q is at most {FDR:g}, and the table "
    "as a whole shows more than chance. The relation may be indirect, through another feature, and need not be causal.",
    "only together": "The product of two features predicts what a sum of effects of single features does not. The "
    f"probability that any such pair is claimed although there is none is at most {PAIR_LEVEL:.0%}.",
    "false discovery rate": "Bound on the expected share of unrelated features among those called related.",
    "q": "The smallest false discovery rate at which the feature is called related. It combines the tests of the "
    "feature alone and against the residuals of a model of the most related ones.",
    "q alone": "The same from the tests of the feature alone. It misses features that a stronger one hides.",
    "conditional q": "The smallest false discovery rate at which the feature is said to add information beyond the "
    f"others; at most {CONDITIONAL_FDR:g} counts.",
    "adds information": "The feature (or its block) helps to predict the target given all other features. If a related "
    "feature does not, others can replace it, or there are too few rows to show it.",
    "more than chance": f"The strongest relation of a feature is stronger than in all but {ALPHA:.0%} of the "
    f"permutations of the target. Of tables without any relation about {ALPHA:.0%} pass this test.",
    "rank": "1 is the best. Features that a test shows come first; in both parts the order is by the harmonic mean of "
    "the ranks by each method and by p-value. The order of the others may be chance.",
    "interval": f"{RANK_COVERAGE:.0%} confidence interval of the expected rank in tables of the same size from the "
    "same source, from disjoint halves of the rows; of barely related features it is too narrow. The order of features "
    "with overlapping intervals is uncertain.",
    "effect size": "Strength of the relation of the feature alone with the target, in the labelled rows, by their "
    f"weights; with its {EFFECT_COVERAGE:.0%} interval if all weigh the same. The best of many features look stronger "
    "than they are.",
    "AUC": "The probability that a row of the class has a higher value than a row of the other classes: 0.5 is no "
    "relation, 1 is perfect. With more than two classes, of the class that the feature separates best.",
    "C": "Harrell's C: of two rows whose order of events is known, the probability that the row with the higher value "
    "has the event first (or last): 0.5 is no relation, 1 is perfect.",
    "r": "Spearman's rank correlation of two numbers: 0 is no increase or decrease overall, 1 always increasing, "
    "-1 always decreasing. If the target is adjusted for columns, it is the partial correlation: that of the residuals "
    "of feature and target after regression on these columns.",
    "hazard ratio": "How many times as high the rate of the event is if the feature is higher by one standard "
    "deviation: above 1 it comes earlier, below 1 later. By Cox's model of the feature and the columns that are "
    f"adjusted for, with its {EFFECT_COVERAGE:.0%} interval.",
    "V": "Cramér's V, the association of two categorical variables: 0 is none, 1 is perfect.",
    "η²": "Eta squared, the share of the target's variance between categories: 0 is none, 1 is all.",
    "block": "Features that the conditional tests take together: numeric ones connected by correlations of "
    f"{NEAR_DUPLICATE:g} or more, or blocks that you named.",
    "near-duplicate": f"A feature with nearly the same information as a better one (association of {NEAR_DUPLICATE:g} "
    "or more, check C04). One of them is enough for most uses.",
    "enough": "The smallest number of features whose score is within one standard error of the best, on rows that the "
    "ranking has not seen.",
    "selected": "Share of the half-samples in which the feature is among the best.",
    "labelled": "A row with a known target. Relations with the target are estimated from these rows only.",
}


class Terms:
    """Marks glossary terms in HTML, with the definition as a tooltip for pointer, keyboard and touch."""

    def __init__(self, prefix):
        self.prefix, self.count = prefix, 0

    def __call__(self, words, key):
        """Mark words of a text as a term of the glossary."""
        return Markup('<span class="term">{}</span>').format(self.button(words, key))

    def button(self, words, key):
        """Write a button whose tooltip is the definition of a term."""
        self.count += 1
        name = f"{self.prefix}{self.count}"
        button = Markup('<button type="button" aria-describedby="{}">{}</button>').format(name, words)
        return button + Markup('<span class="tip" role="tooltip" id="{}">{}</span>').format(name, GLOSSARY[key])
