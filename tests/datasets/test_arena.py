from collections import Counter
from pathlib import Path

import yaml

from sslrank.datasets.arena import KEPT_ASIDE, UNSEEN, arena_part

STUDY = Path(__file__).parents[2] / "workflow/studies/arena.yaml"


def test_parts_are_fixed_and_balanced():
    datasets = yaml.safe_load(STUDY.read_text())["arena"]["datasets"]
    assert not {name.lower() for name in datasets} & KEPT_ASIDE
    parts = Counter(map(arena_part, datasets))
    assert min(parts["choose"], parts["held out"]) >= 0.4 * len(datasets)
    assert parts["held out"] >= 40
    assert set(datasets) >= UNSEEN
    assert {arena_part(name) for name in UNSEEN} == {"held out"}
    assert [arena_part(name) for name in ("sonar", "madelon", "SPECTF")] == ["held out", "choose", "kept aside"]
