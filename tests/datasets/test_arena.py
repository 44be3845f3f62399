from collections import Counter

import yaml

from repository import ROOT
from sslrank.datasets.arena import FAMILIES, KEPT_ASIDE, UNSEEN, arena_part, family_of

STUDY = ROOT / "workflow/studies/arena.yaml"


def test_parts_are_fixed_and_balanced():
    datasets = yaml.safe_load(STUDY.read_text())["arena"]["datasets"]
    assert not {name.lower() for name in datasets} & KEPT_ASIDE
    families = {family_of(name): arena_part(name) for name in datasets}
    parts = Counter(families.values())
    assert min(parts["choose"], parts["held out"]) >= 0.45 * len(families)
    assert all(families[family_of(name)] == arena_part(name) for name in datasets)
    listed = [name for _, members in FAMILIES.values() for name in members]
    assert len(set(listed)) == len(listed)
    assert set(listed) <= set(datasets)
    assert set(datasets) >= UNSEEN
    assert {arena_part(name) for name in UNSEEN} == {"held out"}
    assert [arena_part(name) for name in ("sonar", "madelon", "SPECTF")] == ["held out", "choose", "kept aside"]
