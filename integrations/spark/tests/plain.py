"""Plain runs on single repositories, to compare a table with."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from tests.generated import Repository

# The ends of files that a scan looks at: Java, settings, and files that exclude others.
SCANNED = (b".java", b"peeler.toml", b".gitignore", b".ignore")
# The time of one run.
SECONDS = 600


def binary() -> str:
    """The program under test."""
    named = os.environ.get("PEELER_BINARY")
    if not named or not Path(named).is_file():
        raise SystemExit("name the program in the variable PEELER_BINARY: PEELER_BINARY=$PWD/target/debug/peeler")
    return str(Path(named).resolve())


def checkout(clone: str, revision: str, folder: str) -> None:
    """Writes the files of a revision that a scan looks at, as git checks them out."""
    git = ["git", f"--git-dir={clone}", f"--work-tree={folder}"]
    with tempfile.TemporaryDirectory() as index:
        environment = {**os.environ, "GIT_INDEX_FILE": f"{index}/index"}
        subprocess.run([*git, "read-tree", revision], check=True, env=environment)
        listed = subprocess.run([*git, "ls-files", "-z"], check=True, env=environment, capture_output=True).stdout
        names = b"".join(it + b"\0" for it in listed.split(b"\0") if it.endswith(SCANNED))
        subprocess.run([*git, "checkout-index", "-z", "--stdin"], check=True, env=environment, input=names)


def scan(repository: Repository) -> dict[str, Any] | None:
    """The JSON of a plain scan of the repository's files; None if there are no files or the scan fails."""
    with tempfile.TemporaryDirectory() as folder:
        if repository.revision:
            checkout(repository.path, repository.revision, folder)
        path = folder if repository.revision else repository.path
        command = [binary(), "scan", path, "--format", "json", "--no-cache"]
        done = subprocess.run(command, check=False, capture_output=True, timeout=SECONDS)
        return json.loads(done.stdout) if done.returncode in (0, 1) else None


def mine(repository: Repository) -> dict[str, Any] | str:
    """The JSON of a plain run of `peeler mine`, or what it wrote to stderr if it failed."""
    command = [binary(), "mine", repository.path, "--format", "json", "--repository", repository.name]
    command += ["--revision", repository.revision] if repository.revision else []
    done = subprocess.run(command, check=False, capture_output=True, timeout=SECONDS)
    return json.loads(done.stdout) if done.returncode == 0 else done.stderr.decode()
