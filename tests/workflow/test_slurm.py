"""The Slurm profile on a real Slurm of one node, started here; skipped where that is not possible."""

import contextlib
import getpass
import os
import platform
import re
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from repository import ROOT
from sslrank.benchmark.plan.plan import Plan

PROFILE = ROOT / "workflow/profiles/slurm"
PROGRAMS = ("munged", "slurmctld", "slurmd", "sinfo", "sbatch", "srun", "squeue", "scancel")
#: More processors and memory than there may be, since nothing here needs them; no accounting database.
CONFIGURATION = """\
ClusterName=sslrank-test
SlurmctldHost={host}(localhost)
SlurmctldPort=46817
SlurmdPort=46818
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
CredType=cred/munge
SlurmUser={user}
SlurmdUser={user}
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmdParameters=config_overrides
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=1
JobAcctGatherParams=OverMemoryKill
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc={folder}/finished.txt
ReturnToService=2
NodeName={host} NodeAddr=localhost CPUs=4 RealMemory=20000 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def find(program):
    """Path of a program; daemons may be outside of a user's PATH."""
    return shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin:/sbin:/usr/local/sbin")


class Cluster:
    """munged, slurmctld and slurmd in a folder of their own, with a key and ports of their own."""

    def __init__(self, folder):
        self.folder = folder
        self.environment = {"SLURM_CONF": str(folder / "slurm.conf")}

    def start(self):
        for name in ("munge", "state", "spool", "bin"):
            (self.folder / name).mkdir(mode=0o755)
        munge = self.folder / "munge"
        (munge / "key").write_bytes(os.urandom(1024))
        (munge / "key").chmod(0o400)
        text = CONFIGURATION.format(host=platform.node().partition(".")[0], user=getpass.getuser(), folder=self.folder)
        (self.folder / "slurm.conf").write_text(text)
        # A job step forgets SLURM_CONF before it calls srun.
        srun = self.folder / "bin" / "srun"
        srun.write_text(f'#!/bin/sh\nSLURM_CONF={self.folder}/slurm.conf exec {find("srun")} "$@"\n')
        srun.chmod(0o755)
        self.environment["PATH"] = f"{self.folder}/bin:{os.environ['PATH']}"
        files = {"key-file": "key", "socket": "socket", "pid-file": "pid", "log-file": "log", "seed-file": "seed"}
        self.run("munged", "--force", *(f"--{option}={munge / name}" for option, name in files.items()))
        self.run("slurmctld")
        self.run("slurmd")
        end = time.monotonic() + 20
        while self.run("sinfo", "--noheader", "--format=%T") != "idle":
            if time.monotonic() > end:
                raise OSError("the node does not become idle")
            time.sleep(0.5)

    def run(self, program, *arguments):
        done = subprocess.run(
            [find(program), *arguments],
            env={**os.environ, **self.environment},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        if done.returncode:
            raise OSError(f"{program}: {done.stderr.strip()}")
        return done.stdout.strip()

    def stop(self):
        """End the jobs, then the daemons, by the ids in their own files."""
        if (self.folder / "slurmctld.pid").exists():
            with contextlib.suppress(OSError, subprocess.SubprocessError):
                self.run("scancel", "--user", getpass.getuser())
        for name in ("slurmd.pid", "slurmctld.pid", "munge/pid"):
            file = self.folder / name
            if not file.exists():
                continue
            pid = int(file.read_text())
            for number in (signal.SIGTERM, signal.SIGKILL):
                try:
                    os.kill(pid, number)
                except ProcessLookupError:
                    break
                end = time.monotonic() + 10
                while Path(f"/proc/{pid}").exists() and time.monotonic() < end:
                    time.sleep(0.1)

    def finished(self):
        """Fields of Slurm's records of finished jobs."""
        lines = (self.folder / "finished.txt").read_text().splitlines()
        return [dict(re.findall(r"(\w+)=(\S*)", line)) for line in lines]


@pytest.fixture(scope="module")
def cluster():
    pytest.importorskip("snakemake_executor_plugin_slurm", reason="the Slurm executor is not installed")
    missing = [program for program in PROGRAMS if find(program) is None]
    if missing:
        pytest.skip(f"Slurm and munge are not installed here: no {', '.join(missing)}")
    # Short, because sockets are in it.
    with tempfile.TemporaryDirectory(prefix="slurm") as folder:
        started = Cluster(Path(folder))
        try:
            try:
                started.start()
            except (OSError, subprocess.SubprocessError) as error:
                pytest.skip(f"Slurm cannot be started here by {getpass.getuser()}: {error}")
            yield started
        finally:
            started.stop()


def asked(config, folder, job):
    """Megabytes and minutes of a scoring job, by the plan."""
    with contextlib.chdir(folder):
        resources = Plan(config, ROOT, is_checked=True).resources
        return resources.megabytes("scores", job), resources.minutes("scores", job)


def test_profile_retries_with_more_memory(cluster, tiny, fresh, config):
    config["own"]["methods"]["hungry"] = {"ranker": "tiny_rankers:Hungry"}
    config["own"]["studies"]["tiny"]["methods"] = ["forest", "hungry"]
    fresh.write(config)
    fresh.environment |= cluster.environment
    base = "results/tiny"
    same = [f"{base}/rankings/tiny/forest.parquet", f"{base}/scores/tiny/forest.csv"]
    hungry = f"{base}/rankings/tiny/hungry.parquet"
    fresh(
        *(same[-1], hungry),
        *("--workflow-profile", PROFILE, "--latency-wait", 10),
        *("--slurm-status-command", "squeue", "--slurm-init-seconds-before-status-checks", 2),
        # Enough for a job and the Snakemake inside, but not for Hungry.
        *("--set-resources", "rank:mem_mb=attempt * 1000"),
    )
    for path in same:
        assert (fresh.folder / path).read_bytes() == (tiny.folder / path).read_bytes(), path
    assert (fresh.folder / hungry).is_file()
    jobs = cluster.finished()
    failed = [job for job in jobs if job["JobState"] != "COMPLETED"]
    # Hungry, which gets 1, 2 and 3 GB.
    assert len(failed) in (1, 2), jobs
    assert "cpu=1,mem=1000M" in failed[0]["Tres"]
    assert failed[0]["JobState"] in ("OUT_OF_MEMORY", "FAILED", "CANCELLED")
    more = ("mem=2000M", "mem=3000M")
    assert any(size in job["Tres"] for job in jobs for size in more if job["JobState"] == "COMPLETED")
    # Scoring has the memory that the archive's durations suggest, and minutes.
    names = {"study": "tiny", "dataset": "tiny", "method": "forest"}
    memory, minutes = asked(config, fresh.folder, names)
    assert any(f"cpu=1,mem={memory}M" in job["Tres"] and int(job["TimeLimit"]) == minutes for job in jobs), jobs
