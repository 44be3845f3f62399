"""Digests of behaviour: the committed table is what methods, evaluators and steps compute today."""

import numpy as np
import pytest

from repository import drawn_number, repository_plan
from sslrank.benchmark import digests as made
from sslrank.benchmark.plan.fingerprints import digest_key, digests
from sslrank.rankers.f_score import FScore

ADVICE = "run: make digests; archived records of what has changed become records of older behaviour"
#: Digests that the quick tests draw by the commit.
DRAWN = 6


@pytest.fixture(scope="module")
def jobs():
    return made.wanted(repository_plan())


def check(jobs, keys):
    keys = [key for key in keys if "fastcan" not in "".join(key)]  # its order depends on the processor's BLAS kernels
    found = {key: made.digest_of(key[0], *jobs[key]) for key in keys}
    differing = [key for key in keys if found[key] not in (digests()[key], None)]  # None: a package is missing
    assert not differing, ADVICE


def test_table_has_every_method_evaluator_and_step(jobs):
    steps = {("step", name, "{}"): digest for name, digest in made.step_digests().items()}
    assert set(digests()) == set(jobs) | set(steps), ADVICE
    assert steps == {key: digests()[key] for key in steps}, ADVICE


def test_drawn_digests_are_computed_again(jobs):
    check(jobs, sorted(jobs, key=drawn_number)[:DRAWN])


@pytest.mark.exhaustive
@pytest.mark.parametrize("kind", ["ranker", "evaluator"])
def test_all_digests_are_computed_again(jobs, kind):
    check(jobs, [key for key in jobs if key[0] == kind])


@pytest.mark.parametrize(("factor", "is_same"), [(1 + 1e-13, True), (1 + 1e-4, False), (3, False)])
def test_last_bits_do_not_count_but_values_do(monkeypatch, factor, is_same):
    before, fit = made.ranker_digest("f_score", {}), FScore.rank_coded
    monkeypatch.setattr(FScore, "rank_coded", lambda self, *a, **k: fit(self, *a, **k) * factor)
    assert (made.ranker_digest("f_score", {}) == before) is is_same


def test_simple_fractions_are_not_where_rounding_jumps():
    values = np.array([1 / n for n in range(1, 2000)])
    assert made.rounded(values) == made.rounded(values * (1 + 2e-16)) == made.rounded(np.nextafter(values, 0))
    assert made.rounded([0.0, 1e-17]) != made.rounded([0.0, 1.0])
    assert made.rounded([np.nan, 1.0]) != made.rounded([0.0, 1.0])


def test_sizes_of_parameters_share_a_digest():
    few, many = ({"n_estimators": number, "members": {"a": {"n_estimators": number}}} for number in (5, 500))
    assert digest_key("ranker", "r", few) == digest_key("ranker", "r", many)
    assert digest_key("ranker", "r", few) != digest_key("ranker", "r", few | {"w0": 0.5})
