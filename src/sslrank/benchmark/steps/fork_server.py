"""Share the imports of a run's jobs: a server imports modules once and forks a process for each job.

Starting Python and importing scikit-learn takes longer than most jobs. The main process of a run starts a server
(:func:`start_server`), a job's script sends its work (:func:`run_in_fork`), and the server forks, like the fork server
of :mod:`multiprocessing` within one program. Jobs run without it on another machine, in another environment (conda, a
container), under a cluster's scheduler, with more than one thread, and on systems without ``pidfd_open``.
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

#: Environment variable with the server's socket and where it runs.
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


def _where():
    """Describe where a process runs; a job that runs elsewhere starts its own process."""
    return f"{sys.executable} {os.stat(__file__).st_ino} {os.environ.get('SLURM_JOB_ID', '')}"


def start_server(modules=PRELOADED):
    """Start the server of this process, with which it ends; jobs find it by an environment variable.

    Parameters
    ----------
    modules : sequence of str
        Modules that it imports at the first job.
    """
    if not hasattr(os, "pidfd_open") or SERVER in os.environ:
        return
    folder = tempfile.mkdtemp(prefix="sslrank-")
    path = f"{folder}/forks"
    code = f"from {__name__} import serve; serve({path!r}, {modules!r})"
    command = [sys.executable, "-X", "faulthandler", "-c", code]
    # In its own session, so that Ctrl-C does not end it before the jobs.
    options = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "start_new_session": True}
    start_server.process = subprocess.Popen(command, env={**os.environ, **_ONE_THREAD}, **options)
    os.environ[SERVER] = f"{path} {_where()}"


def run_in_fork(work, *arguments, threads=1):
    """Call a function of a module in a process that the server forks.

    Parameters
    ----------
    work : callable
    *arguments
        Pickled arguments of `work`.
    threads : int, default=1
        A job with several threads starts its own process, because libraries set their number of threads when loaded.

    Returns
    -------
    int or None
        Exit code of the process, negative for a signal; None if there is no server for this job.
    """
    path, _, where = os.environ.get(SERVER, "").partition(" ")
    if where != _where() or threads > 1:
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
    """Fork a process for each connection, until the parent process ends."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # do not wait for the keepers
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
                    with contextlib.suppress(ImportError):  # the job that needs the module reports it
                        importlib.import_module(module)
                gc.collect()
                gc.freeze()
                loaded = True
            connection, _ = listener.accept()
            if os.fork() == 0:
                listener.close()
                _supervise(connection)
            connection.close()
    shutil.rmtree(Path(path).parent, ignore_errors=True)


def _supervise(connection):
    """Fork the process of one job, return its exit code, and kill it if the job's script ends."""
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
    """Run a job's work with its working directory, environment and streams, then exit; never returns."""
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
