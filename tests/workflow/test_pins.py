"""The conda environment carries the pins of the lock file, and the lock file names no index."""

import importlib.util
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_environment_has_the_pins_of_the_lock_file():
    spec = importlib.util.spec_from_file_location("pins", ROOT / "envs" / "pins.py")
    pins = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(pins)
    assert (ROOT / "envs" / "sslrank.yaml").read_text(encoding="utf-8") == pins.render()


def test_lock_file_has_hashes_and_no_host():
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert "://" not in text
    assert "--index" not in text
    for line in text.splitlines():
        assert line.startswith("    --hash=sha256:") or line.endswith("\\")
