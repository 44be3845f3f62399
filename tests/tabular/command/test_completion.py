"""Completion in bash, by the command of the documentation."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[3] / "src/docs/start/rank-a-table.md"


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_names_of_options_choices_and_files_are_completed(tmp_path):
    (tmp_path / "measured.csv").touch()
    typed = ["sslrank ra", "sslrank rank --ta", "sslrank rank --task m", "sslrank rank mea", "sslrank rank a --out mea"]
    script = [re.search(r"`(eval .*shtab.*\")`", PAGE.read_text())[1]]
    script += [
        f"COMP_WORDS=({line}); COMP_CWORD={len(line.split()) - 1}; COMPREPLY=(); _shtab_sslrank; echo ${{COMPREPLY[@]}}"
        for line in typed
    ]
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])  # where shtab is
    options = {"cwd": tmp_path, "env": {**os.environ, "PATH": path}, "capture_output": True, "text": True}
    done = subprocess.run(["bash", "-c", "\n".join(script)], check=True, **options)
    assert done.stderr == ""
    assert "|".join(done.stdout.splitlines()) == "rank|--target --task|multilabel multitarget|measured.csv|measured.csv"
