"""Answers that follow from the code are taken from the last run's file, as long as the code is the same."""

import pytest

from sslrank.benchmark.config import memory

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
    monkeypatch.setattr(memory.atexit, "register", lambda function, path: None)
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
