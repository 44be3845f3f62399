"""The answer of a ranking: caveats first, then features and their number, equal in all outputs."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import sslrank
from sslrank.tabular.output.answer import MAX_WORDS
from sslrank.tabular.output.html import document
from sslrank.tabular.output.terminal import error_rate, findings, screen
from sslrank.tabular.trust.check import Check
from sslrank.tabular.trust.stability.feature_curve import suggest_number

QUICK = {"methods": ["f_score"], "effort": "quick", "repeats": 0}
ORDER = {"methods": ["f_score"], "effort": "order"}


def table(names, n=80, seed=0, noise=0.5):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(n, len(names))), columns=names)
    return X, X.iloc[:, 0] + 0.7 * X.iloc[:, 1] + noise * rng.normal(size=n)


@pytest.mark.parametrize("targets", [1, 3])
def test_answer_is_short_with_long_names(targets):
    X, y = table([f"{j} a b c d e f g h i j k l m" for j in range(6)])
    Y = pd.DataFrame({f"t u v w x y z {t} " * 4: y * (t + 1) + np.sin(X.iloc[:, t]) for t in range(targets)})
    answer = sslrank.rank(X, Y if targets > 1 else Y.iloc[:, 0], effort="full", methods=["f_score"]).answer
    said = " ".join(answer.sentences(name=lambda text: "name"))
    assert len(said.split()) <= MAX_WORDS == 60
    assert " related to name" in said
    assert "): name" in said
    assert "enough" in said or "No number of features" in said or "One feature" in said


def test_answer_states_features_count_and_use_in_order():
    X, y = table(["age", "dose", *"abcdef"])
    found = sslrank.rank(X, y.rename("pain"), methods=["f_score"], repeats=0)
    answer = found.answer
    assert suggest_number(replace(found.curve, best=1), 8, 4) == (found.n_enough, "enough by the curve")
    assert found.n_enough == answer.enough == 2
    related, adding, enough = answer.sentences()
    assert related.startswith("From all 80 rows, 2 of 8 features are related to pain (false discovery rate 10%): ")
    assert set(related.split("10%): ")[1].strip(".").split(" and ")) == set(answer.related) == {"age", "dose"}
    assert adding == "Both add information beyond the others."
    assert enough.startswith(f"{answer.enough} features are enough to predict it by ")
    assert answer.use == (
        "For a report, take the related features; to explain the target, those that add information; "
        f"for a small model, the best {answer.enough}."
    )
    assert replace(answer, enough=None).use.endswith("to explain the target, those that add information.")
    assert answer.caveats == ()
    assert sslrank.rank(X[["age", "dose"]], y, **ORDER).answer.next_step == "Keep all features."


def with_conditional(found, q, blocks):
    return replace(found, conditional=replace(found.conditional, q_values=q, blocks=np.array(blocks)))


def test_adding_features_are_a_subset_of_related():
    X, y = table(["age", "dose", *"abcdef"])
    found = sslrank.rank(X, y.rename("pain"), **QUICK)
    assert (found.adding.tolist(), found.n_adding_blocks) == ([0, 1], 2)
    q = found.conditional.q_values.copy()
    q[:4] = [0.5, 0.01, 0.01, 0.5]  # age is related alone, a adds information alone
    some = with_conditional(found, q, [0, 1, 1, *range(3, 8)])
    assert some.answer.adding == ("dose",)
    assert [some.to_dict()[key] for key in ("adding", "n_adding_blocks")] == [["dose"], 1]
    block = with_conditional(found, np.where(np.arange(8) < 2, 0.01, 1.0), [0, 0, *range(2, 8)])
    assert block.answer.adding[0] in ("age (with dose)", "dose (with age)")
    assert "<td>as 1</td>" in document(block)


def horses():
    """Features and target are those of a horse, 20 horses with 12 rows each, without any relation."""
    rng = np.random.default_rng(3)
    horse = np.repeat(np.arange(20), 12)
    X = pd.DataFrame(rng.normal(size=(20, 3))[horse] + 0.3 * rng.normal(size=(240, 3))).add_prefix("f")
    return X.assign(**{"Horse ID": horse}), (rng.random(20) > 0.5)[horse].astype(int)


def test_answer_does_not_begin_with_a_negation():
    X, y = horses()
    found = sslrank.rank(X, y, **ORDER)
    sentences = found.answer.sentences()
    assert sentences[0].startswith("From all 240 rows, 2 of 3 features are related to y")
    last = "If rows of one Horse ID depend on each other, no feature is shown to be related (p = 0."
    assert sentences[-1].startswith(last)
    assert found.answer.next_step == "If rows of one Horse ID depend on each other:"
    assert found.answer.command == "rank(X, y, groups='Horse ID')"
    check = next(check for check in found.checks if check.code == "C07")
    assert check.finding == "240 labelled rows have 20 values of Horse ID"
    command = replace(found, command="sslrank rank d.csv --target y").answer.command
    assert command == "sslrank rank d.csv --target y --groups 'Horse ID'"
    given = sslrank.rank(X, y, groups="Horse ID", **ORDER).answer
    assert given.caveats == ()
    assert given.n_related == 0


def test_leakage_makes_the_answer_conditional():
    X, y = table([*"abcde"], n=60)
    X["late, too"] = 5.0 * (y > 0) + X["a"] / 9
    found = sslrank.rank(X, np.where(y > 0, "ill", "well"), **ORDER)
    first = found.answer.sentences()[0]
    assert first == "If late, too is known only after the target, this answer is wrong: rank again without it."
    assert replace(found, command="sslrank rank d.csv").answer.command == "sslrank rank d.csv --drop '\"late, too\"'"
    far = Check("C16", False, "", "x", condition="rows 3, 70 are errors or not comparable")
    last = "If rows 3, 70 are errors or not comparable, rank again without them."
    assert replace(found, checks=[replace(far, leads=False)]).answer.sentences()[-1] == last
    assert replace(found, checks=[far]).answer.caveats[0].leads
    assert not replace(found, checks=[far], tests=replace(found.tests, global_p=1.0)).answer.caveats[0].leads


def test_minor_caveat_comes_last():
    X, y = table(["age", "dose", *"abc"], n=120)
    found = sslrank.rank(X.assign(patient=np.arange(120) // 4), y, **ORDER).answer
    assert found.sentences()[-1] == (
        "If rows of one patient depend on each other, q-values, scores and intervals look better than they are."
    )
    assert found.next_step.startswith("Take the best")


def test_answer_without_related_features():
    X, _ = table([*"abcde"], seed=5)
    y = np.random.default_rng(6).normal(size=80)
    y[40:] = np.nan
    answer = sslrank.rank(X, y, **QUICK).answer
    assert answer.sentences()[0].startswith(
        "From 40 labelled of 80 rows, none of 5 features is shown to be related to y (p = "
    )
    assert "information" not in str(answer)
    assert (answer.use, answer.related, answer.adding) == ("", (), ())


def test_first_screen_has_at_most_25_lines():
    X, y = table([f"f{j}" for j in range(30)])
    X["copy"] = X["f0"] * 2.5 + 1
    found = sslrank.rank(X, y, methods=["f_score"], repeats=5)
    lines = [*found.table.describe(), "methods: f_score", *screen(found), "wrote found"]
    assert len(lines) <= 25
    text = "\n".join(lines)
    assert "(+ 1)" in text
    assert "     31 features in all; (+ n): with n near-duplicates" in lines
    assert "80% interval" in text
    assert "C04 near-duplicate features: " in text
    assert any(line.startswith("stability of the best 7 ") for line in findings(found))
    for kind in ("ranks", "curve"):
        assert found.plot(kind, count=5)._repr_png_().startswith(b"\x89PNG"), kind  # which a notebook shows


@pytest.mark.parametrize(
    ("q", "said"),
    [(0.001, "<0.01"), (0.01, "0.01"), (0.07, "0.07"), (0.1, "0.10"), (0.1001, "0.11"), (1.0, "1.00")],
)
def test_q_just_above_fdr_is_rounded_up(q, said):
    assert error_rate(q) == said
