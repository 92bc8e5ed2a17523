"""Runs the job on a small Spark cluster of this machine, and kills one of its executors."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyspark

from tests.local import SETTINGS

SPARK_HOME = Path(pyspark.__file__).parent
JOB = Path(__file__).resolve().parent.parent / "peeler_fleet.py"
TASKS = [JOB.with_name("peeler_task.py"), JOB.with_name("peeler_mine_task.py")]
FAILING_JOB = Path(__file__).resolve().parent / "failing_fleet.py"


@dataclass(frozen=True)
class Cluster:
    """A cluster of executors, each a process with its own JVM."""

    executors: int = 2
    memory: int = 1024
    # The seconds after which a job is killed, so that a test cannot wait without an end.
    limit: float = 300

    def command(self, script: Path, arguments: list[str]) -> list[str]:
        return [
            str(SPARK_HOME / "bin" / "spark-submit"),
            "--master",
            f"local-cluster[{self.executors},1,{self.memory}]",
            "--py-files",
            ",".join(map(str, [JOB, *TASKS])),
            *(it for setting in SETTINGS.items() for it in ("--conf", "=".join(setting))),
            str(script),
            *arguments,
        ]

    def run(self, script: Path, arguments: list[str], kill_after: int | None = None) -> Ran:
        """Runs a job. `kill_after`: the number of finished tasks after which a working executor is killed."""
        python = {"PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable}
        environment = {**os.environ, **python, "SPARK_HOME": str(SPARK_HOME), "SPARK_LOCAL_IP": "127.0.0.1"}
        began = time.monotonic()
        until = began + self.limit
        with tempfile.TemporaryFile("w+") as log:
            command = self.command(script, arguments)
            # The executors are in the process group of the job, and end with it.
            job = subprocess.Popen(
                command, env=environment, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
            )
            status, killed = None, None
            try:
                if kill_after is not None:
                    output = Path(arguments[arguments.index("--output") + 1])
                    killed = kill_one_executor(job, output, kill_after, until)
                status = job.wait(timeout=max(0, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                log.write(f"the job took longer than {self.limit} seconds and was killed\n")
            finally:
                if job.poll() is None:
                    os.killpg(job.pid, signal.SIGKILL)
                    job.wait()
                if killed:
                    shutil.rmtree(killed.folder, ignore_errors=True)
            log.seek(0)
            return Ran(status, log.read(), killed, time.monotonic() - began)


@dataclass(frozen=True)
class Killed:
    """An executor that was killed."""

    process: int
    # The folder of the job's executors, which Spark does not remove after a kill.
    folder: Path


@dataclass(frozen=True)
class Ran:
    """The end of a job."""

    # None if the job was killed at its limit.
    status: int | None
    log: str
    killed: Killed | None
    seconds: float

    def failed_tasks(self) -> int:
        """Attempts of tasks that failed, by themselves or with their executor."""
        return len(re.findall(r"Lost task .*(?:SparkException|PythonException|ExecutorLostFailure)", self.log))


def kill_one_executor(job: subprocess.Popen[bytes], output: Path, finished: int, until: float) -> Killed | None:
    """Kills an executor while its task runs the program. None if the job or the time ended before that."""
    while job.poll() is None and time.monotonic() < until:
        if len(list(output.glob("_temporary/0/task_*"))) >= finished:
            for executor in executors(job.pid):
                if any({b"scan", b"mine"} & set(arguments(it)) for it in descendants(executor)):
                    folder = Path(os.readlink(f"/proc/{executor}/cwd")).parent
                    os.kill(executor, signal.SIGKILL)
                    return Killed(executor, folder)
        time.sleep(0.01)
    return None


def executors(root: int) -> list[int]:
    main = b"org.apache.spark.executor.CoarseGrainedExecutorBackend"
    return [it for it in descendants(root) if main in arguments(it)]


def arguments(process: int) -> list[bytes]:
    """The command line of a process; empty if the process has ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return []


def descendants(root: int) -> Iterator[int]:
    """The processes below a process."""
    try:
        children = [it.read_text().split() for it in Path(f"/proc/{root}/task").glob("*/children")]
    except OSError:
        return
    for child in (int(it) for of_thread in children for it in of_thread):
        yield child
        yield from descendants(child)
