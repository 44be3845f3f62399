"""When fits are run in other processes."""

from types import SimpleNamespace

import pytest

from sslrank.tabular.fits import work


@pytest.mark.parametrize(
    ("seconds", "asked"),
    [
        ((2.0, 0.01, 0.02), [0.01, 0.01]),  # imports take 2 s of the first one
        ((5.0, 4.0, 4.5), [5.0, 4.0, 4.0]),
    ],
)
def test_slow_first_task_does_not_start_processes(seconds, asked, monkeypatch):
    clock, found = SimpleNamespace(now=0.0), []

    def fit(taken):
        clock.now += taken

    monkeypatch.setattr(work, "time", SimpleNamespace(perf_counter=lambda: clock.now))
    monkeypatch.setattr(work.ParallelFits, "_start", lambda self, taken: found.append(taken))
    with work.ParallelFits(2, total=len(seconds)) as fits:
        fits.run(fit, [(taken,) for taken in seconds])
    assert found == pytest.approx(asked)
    assert fits._n_left == 0
