"""Answers that follow from the code are taken from the last run's file, as long as the code is the same."""

from types import SimpleNamespace

import pytest

from sslrank.benchmark.config import memory
from sslrank.benchmark.config.load import check_params
from sslrank.benchmark.config.validation import ConfigError

asked = []


def double(number):
    asked.append(number)
    return 2 * number


def pair(number):
    asked.append(number)
    return number, number


@pytest.fixture
def start(tmp_path, monkeypatch):
    """Start as a process does that finds the file; what it has asked is forgotten."""
    monkeypatch.setattr(memory, "atexit", SimpleNamespace(register=lambda function, path: None))
    for name in ("_answers", "_state", "_new"):
        monkeypatch.setattr(memory, name, None)

    def started(state):
        monkeypatch.setattr(memory, "_state_of_code", lambda: state)
        memory._new = False
        memory.remember_in(tmp_path / ".snakemake/sslrank.json", writes=True)
        asked.clear()

    return started


def test_answers_hold_for_the_same_code_only(start, tmp_path):
    file = tmp_path / ".snakemake/sslrank.json"
    assert memory.recall(double, 2) == 4
    start("first")
    assert [memory.recall(double, 2), memory.recall(double, 2), memory.recall(double, 3)] == [4, 4, 6]
    assert asked == [2, 3]
    memory._save(file)
    start("first")
    assert memory.recall(double, 2) == 4
    assert not asked
    start("changed")
    assert memory.recall(double, 2) == 4
    assert asked == [2]
    file.write_text('{"state": "first", "answ')
    start("first")
    assert memory.recall(double, 2) == 4
    assert asked == [2]


def test_what_json_would_change_is_not_kept(start):
    start("first")
    assert [memory.recall(pair, 1), memory.recall(pair, 1)] == [(1, 1), (1, 1)]
    assert asked == [1, 1]


def test_an_answer_can_be_changed_without_harm(start):
    start("first")
    memory.recall(sorted, [1]).append(2)
    assert memory.recall(sorted, [1]) == [1]


def test_a_changed_file_of_the_package_is_another_state(tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "__file__", str(tmp_path / "benchmark/config/memory.py"))
    (tmp_path / "ranker.py").write_text("1")
    before = memory._state_of_code()
    (tmp_path / "ranker.py").write_text("12")
    assert memory._state_of_code() != before


def test_a_link_to_nothing_is_no_part_of_the_code(tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "__file__", str(tmp_path / "benchmark/config/memory.py"))
    before = memory._state_of_code()
    (tmp_path / ".#ranker.py").symlink_to("user@host.1")  # Emacs locks a file that is edited so
    assert memory._state_of_code() == before


def test_what_was_right_with_an_own_ranker_is_checked_anew(start, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "own_member.py").write_text(
        "from sslrank import ReliefF\n\n\nclass Own(ReliefF):\n    power: float = 1.0\n"
    )
    method = SimpleNamespace(rule=None, ranker="mean_rank", params={})
    params = {"members": {"own": {"ranker": "own_member:Own", "power": 2.0}}}
    start("first")
    check_params(method, params, "here", tmp_path)
    import own_member

    def refuse(self):
        raise ValueError("power is wrong")

    monkeypatch.setattr(own_member.Own, "check_params", refuse)
    with pytest.raises(ConfigError, match="power is wrong"):
        check_params(method, params, "here", tmp_path)
