"""The conda environment is that of the lock file, and the lock file names no index."""

import hashlib

from repository import ROOT


def test_environment_depends_on_lock_file():
    script = (ROOT / "envs" / "sslrank.post-deploy.sh").read_text(encoding="utf-8")
    digest = hashlib.sha256((ROOT / "requirements.lock").read_bytes()).hexdigest()
    assert f"# requirements.lock {digest}\n" in script, "run `make lock`"
    assert "pip install --no-compile --require-hashes -r requirements.lock\n" in script


def test_lock_file_has_hashes_and_no_host():
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert "://" not in text
    assert "--index" not in text
    for line in text.splitlines():
        assert line.startswith("    --hash=sha256:") or line.endswith("\\")
