"""The manifest of a run: what made the results."""

import json
import os
import platform
import subprocess
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from sslrank.pipeline.files import read_table

NAME_END = " <>=!~;[("


def package_versions():
    """Versions of this package and of what it and its workflow depend on."""
    names = {"sslrank", "cython"}
    for item in requires("sslrank") or []:
        extra = item.partition("extra == ")[2].strip("\"' ")
        if extra not in ("", "workflow", "demo"):
            continue
        end = min((item.find(c) for c in NAME_END if c in item), default=len(item))
        names.add(item[:end].lower())
    found = {}
    for name in sorted(names):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = None
    return found


def git_state(root):
    """Commit of the checkout, with "-dirty" when files differ from it; None outside of a checkout."""
    try:
        run = {"cwd": root, "capture_output": True, "text": True, "check": True, "timeout": 30}
        commit = subprocess.run(["git", "rev-parse", "HEAD"], **run).stdout.strip()
        changed = subprocess.run(["git", "status", "--porcelain", "--untracked-files=no"], **run).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return None
    return commit + ("-dirty" if changed else "")


def machine():
    """What the run's machine is like."""
    cpu = ""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                cpu = line.partition(":")[2].strip()
                break
    except OSError:
        cpu = platform.processor()
    return {
        "system": f"{platform.system()} {platform.release()}",
        "architecture": platform.machine(),
        "processor": cpu,
        "cores": os.cpu_count(),
        "python": platform.python_version(),
    }


def manifest_job(collected, output, *, config, root):
    """Write the manifest of one study.

    Parameters
    ----------
    collected : path-like
        Folder of the collected tables.
    output : path-like
    config : dict
        The study's complete block.
    root : path-like
        The repository.
    """
    folder = Path(collected)
    durations = read_table(folder / "durations.csv")
    status = read_table(folder / "status.csv")
    content = {
        "study": config["name"],
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": os.environ.get("SSLRANK_COMMAND"),
        "commit": git_state(root),
        "machine": machine(),
        "versions": package_versions(),
        "job_hours": {step: round(part["s"].sum() / 3600, 6) for step, part in durations.groupby("step")},
        "fit_hours": round(float(status["seconds"].sum()) / 3600, 6),
        "largest_memory_mb": float(durations["max_rss"].max()) if durations["max_rss"].notna().any() else None,
        "fits": {str(key): int(count) for key, count in status["status"].value_counts().items()},
        "config": config,
    }
    Path(output).write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
