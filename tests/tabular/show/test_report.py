"""The answer in at most sixty words, and the texts that are made of it."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import sslrank
from sslrank.tabular.show.html import document
from sslrank.tabular.show.report import MOST_WORDS, answer, error_rate, headlines

QUICK = {"methods": ["f_score"], "effort": "quick", "repeats": 0}


def table(names, n=80, seed=0, noise=0.5):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(n, len(names))), columns=names)
    return X, X.iloc[:, 0] + 0.7 * X.iloc[:, 1] + noise * rng.normal(size=n)


@pytest.mark.parametrize("targets", [1, 3])
def test_the_answer_has_at_most_sixty_words_whatever_the_names(targets):
    X, y = table([f"{j} a b c d e f g h i j k l m" for j in range(6)])
    Y = pd.DataFrame({f"t u v w x y z {t} " * 4: y * (t + 1) + np.sin(X.iloc[:, t]) for t in range(targets)})
    found = sslrank.rank(X, Y if targets > 1 else Y.iloc[:, 0], effort="full", methods=["f_score"])
    said = answer(found)
    assert len(said.split()) <= MOST_WORDS == 60
    assert "related to" in said
    assert "enough" in said or "No number of features" in said


def test_the_answer_names_what_is_related_and_what_adds_information():
    X, y = table(["age", "dose", *"abcdef"])
    said = answer(sslrank.rank(X, y.rename("pain"), effort="quick", methods=["f_score"]))
    related, own, *more = said.split(". ")
    assert related.startswith(
        "From all 80 rows, 2 of 8 features are related to pain at a false discovery rate of 10%: "
    )
    assert set(related.split("10%: ")[1].split(" and ")) == {"age", "dose"}
    assert (own, more) == ("Both add information beyond the others.", [])


def test_the_answer_names_only_related_features_that_add_information():
    X, y = table(["age", "dose", *"abcdef"])
    found = sslrank.rank(X, y.rename("pain"), effort="quick", methods=["f_score"])
    q = found.conditional.q_values.copy()
    q[:4] = [0.5, 0.01, 0.01, 0.5]  # age is related alone, a adds information alone
    found.conditional = replace(found.conditional, q_values=q, blocks=np.array([0, 1, 1, 3, 4, 5, 6, 7]))
    assert answer(found).endswith(" dose adds information beyond the others.")
    assert "conditional tests: 1 feature adds" in "".join(headlines(found))
    assert found.to_dict()["conditional"] == {"features": ["dose"], "blocks": 1}
    found.conditional = replace(
        found.conditional, q_values=np.where(np.arange(8) < 2, 0.01, 1.0), blocks=np.array([0, 0, *range(2, 8)])
    )
    assert re.search(r"(age \(with dose\)|dose \(with age\)) adds information beyond the others.", answer(found))
    page = document(found)
    assert "<td>as 1</td>" in page


@pytest.mark.parametrize("count", ["x", 2.5, -1, True])
def test_a_count_that_is_none_is_one_message(count):
    found = sslrank.rank(*table([*"abc"]), effort="order", methods=["f_score"])
    for show in (found.summary, found.to_markdown, found.best, found.short_list, lambda n: found.plot(count=n)):
        with pytest.raises(ValueError, match=r"^count must be "):
            show(count)


def test_the_answer_says_that_nothing_is_found_and_what_casts_doubt():
    X, _ = table([*"abcde"], seed=5)
    y = np.random.default_rng(6).normal(size=80)
    y[40:] = np.nan
    found = sslrank.rank(X, y, **QUICK)
    assert not found.tests.any_related
    said = answer(found)
    assert "From 40 labelled of 80 rows, none of 5 features is shown to be related to y (p = " in said
    assert "beyond the others" not in said
    classes = np.where(np.isnan(y), None, np.where(y > 0, "ill", "well"))
    X["result"] = 5 * np.sign(np.nan_to_num(y)) + np.nan_to_num(y)
    said = answer(sslrank.rank(X, classes, **QUICK))
    assert said.endswith(" of 10%: result. It adds information beyond the others. First look at: target leakage.")


def test_text_and_markdown_say_the_same():
    X, y = table(["age|years", "*dose*", *"abc"])
    found = sslrank.rank(X, y, **QUICK)
    text, marked = found.summary(3), found.to_markdown(2)
    assert " ".join(answer(found).split()) == " ".join(text.split("\n\n")[0].split())
    assert "age|years" in text
    assert "| 1 | age\\|years | Spearman 0." in marked
    assert "\\*dose\\*" in marked
    assert marked.count("\n| ") == 4
    rows = [line for line in marked.splitlines() if line.startswith("|")]
    assert len({line.replace("\\|", "").count("|") for line in rows}) == 1


def test_each_kind_of_picture_is_drawn():
    X, y = table(["age", "dose", *"abcdef"])
    found = sslrank.rank(X, y, methods=["f_score", "relief"], effort="full")
    for kind in ("ranks", "curve"):
        assert found.plot(kind, count=5).axes, kind
    with pytest.raises(ValueError, match="unknown kind of picture 'rank'; did you mean 'ranks'"):
        found.plot("rank")
    with pytest.raises(ValueError, match="has no curve"):
        sslrank.rank(X, y, methods=["f_score"], effort="order").plot("curve")


@pytest.mark.parametrize(
    ("q", "said"), [(0.001, "<0.01"), (0.07, "0.07"), (0.1, "0.10"), (0.1001, "0.11"), (0.29, "0.29"), (1.0, "1.00")]
)
def test_a_rate_above_a_bound_does_not_look_like_the_bound(q, said):
    assert error_rate(q) == said
