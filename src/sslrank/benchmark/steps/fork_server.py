"""Share the imports of a run's jobs: a server imports them once, and forks a process for each job.

Starting Python and importing scikit-learn takes longer than most jobs. The main process of a run starts a server
(:func:`start_server`), a job's script passes its work on (:func:`run_in_fork`), and the server forks, as
:mod:`multiprocessing`'s does within one program. A job runs without it where there is none: on another machine, in
another environment (conda, a container), under a cluster's scheduler, with more than one thread, and on systems without
``pidfd_open``.
"""

import contextlib
import faulthandler
import gc
import importlib
import os
import pickle
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

#: The variable by which the server's socket, and whom it serves, reach the jobs.
SERVER = "SSLRANK_FORKS"
#: What most jobs import.
PRELOADED = (
    "snakemake.script",
    "sslrank.benchmark.environment",
    "sslrank.benchmark.fits",
    "sslrank.benchmark.rankings",
    "sslrank.benchmark.scoring",
    "sslrank.datasets.dataset",
    "sslrank.evaluation.evaluators.knn",
    "sslrank.model_selection.splits",
)
_ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def _place():
    """Where a process runs: a job that runs elsewhere starts a process of its own."""
    return f"{sys.executable} {os.stat(__file__).st_ino} {os.environ.get('SLURM_JOB_ID', '')}"


def start_server(modules=PRELOADED):
    """Start the server of this process, with which it ends; the environment says to the jobs where it is.

    Parameters
    ----------
    modules : sequence of str
        What it imports at the first job.
    """
    if not hasattr(os, "pidfd_open") or SERVER in os.environ:
        return
    folder = tempfile.mkdtemp(prefix="sslrank-")
    path = f"{folder}/forks"
    command = [
        sys.executable,
        "-X",
        "faulthandler",
        "-c",
        f"from {__name__} import serve; serve({path!r}, {modules!r})",
    ]
    # In a session of its own, so that Ctrl-C does not end it before the jobs.
    options = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "start_new_session": True}
    start_server.process = subprocess.Popen(command, env={**os.environ, **_ONE_THREAD}, **options)
    os.environ[SERVER] = f"{path} {_place()}"


def run_in_fork(work, *arguments, threads=1):
    """Call a function of a module in a process that the server forks.

    Parameters
    ----------
    work : callable
    *arguments
        They are pickled.
    threads : int, default=1
        A job with several starts a process of its own, as libraries count their threads when they are loaded.

    Returns
    -------
    int or None
        Exit code of the process, negative for a signal; None where there is no server for this job.
    """
    path, _, place = os.environ.get(SERVER, "").partition(" ")
    if place != _place() or threads > 1:
        return None
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
        for _ in range(100):
            try:
                server.connect(path)
                break
            except FileNotFoundError:  # it has just been started
                select.select([], [], [], 0.05)
            except ConnectionRefusedError:
                return None
        else:
            return None
        task = pickle.dumps((os.getcwd(), dict(os.environ), sys.path, pickle.dumps((work, arguments))))
        socket.send_fds(server, [len(task).to_bytes(8, "big")], [1, 2])
        server.sendall(task)
        answer = server.recv(4)
    return int.from_bytes(answer, "big", signed=True) if answer else 1


def serve(path, modules):
    """Fork a process for each connection, until the process that has started this one is gone."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # keepers are not waited for
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(path)
        listener.listen(128)
        loaded = False
        while True:
            ready = select.select([listener, 0], [], [])[0]
            if 0 in ready:
                break
            if not loaded:
                for module in modules:
                    with contextlib.suppress(ImportError):  # the job that needs it says so
                        importlib.import_module(module)
                gc.collect()
                gc.freeze()
                loaded = True
            connection, _ = listener.accept()
            if os.fork() == 0:
                listener.close()
                _keep(connection)
            connection.close()
    shutil.rmtree(Path(path).parent, ignore_errors=True)


def _keep(connection):
    """Fork the process of one job, pass its exit code on, and kill it if the job's script is gone."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    head, streams, _, _ = socket.recv_fds(connection, 8, 2)
    task = b""
    while len(task) < int.from_bytes(head, "big") and (part := connection.recv(1 << 20)):
        task += part
    child = os.fork()
    if child == 0:
        connection.close()
        _work(task, streams)
    finished = os.pidfd_open(child)
    ready = select.select([finished, connection], [], [])[0]
    if finished not in ready:
        os.kill(child, signal.SIGKILL)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    with contextlib.suppress(OSError):
        connection.sendall(code.to_bytes(4, "big", signed=True))
    os._exit(0)


def _work(task, streams):
    """Do a job's work with its working directory, environment and streams, and end the process; never returns."""
    code = 1
    try:
        for stream, number in zip(streams, (1, 2), strict=True):
            os.dup2(stream, number)
        sys.stdout, sys.stderr = (open(number, "w", buffering=1, closefd=False) for number in (1, 2))  # noqa: SIM115
        faulthandler.enable()
        folder, environment, search, work = pickle.loads(task)
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        sys.path[:] = search
        function, arguments = pickle.loads(work)
        function(*arguments)
        code = 0
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else int(error.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)
