"""The work of one Spark task that mines histories: a run of `peeler mine` for each repository, and its row.

    entry -> `peeler mine PATH --format json` -> stdout -> JSON -> row

Invariant: one process at a time, and memory holds the output of one repository. A repository that cannot be mined has
a row with the error. A wrong program or option fails the task before the first row.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pyspark.sql import Row
from pyspark.sql import types as T

from peeler_task import INTEGER, LONG, TEXT, Task, TaskError, pipe, required, running, struct

# The version of the output that this job reads; see docs/mined.schema.json.
MINED_VERSION = 1

LOCATION = struct(**{"path": TEXT, "class": TEXT, "test": TEXT})
EVENT = struct(
    **{"commit": TEXT, "path": TEXT, "class": TEXT, "test": TEXT, "fix": TEXT, "date": TEXT, "evidence": TEXT},
    causes=T.ArrayType(TEXT, containsNull=False), certainty=T.DoubleType(), subject=TEXT,
).add("today", LOCATION)  # fmt: skip
COUNTS = struct(commits=LONG, merges=LONG, unreadable_commits=LONG, events=LONG, tests=LONG)

MINED_SCHEMA = T.StructType(
    [
        required("version", INTEGER),
        required("name", TEXT),
        required("path", TEXT),
        T.StructField("revision", TEXT),
        T.StructField("commit", TEXT),
        required("status", TEXT),
        T.StructField("error", TEXT),
        required("tool", struct(name=TEXT, version=TEXT)),
        required("options", TEXT),
        required("counts", COUNTS),
        T.StructField("is_shallow", T.BooleanType()),
        T.StructField("first_day", TEXT),
        T.StructField("last_day", TEXT),
        required("events", T.ArrayType(EVENT, containsNull=False)),
        required("partition", INTEGER),
    ]
)


def mined_columns(output: bytes, name: str) -> dict[str, Any]:
    """The columns of a history that was mined, from the output of the program."""
    mined = json.loads(output)
    if (mined["version"], mined["repository"]) != (MINED_VERSION, name):
        raise ValueError(f"expected version {MINED_VERSION} and repository {name}")
    events = [{field: event[field] for field in EVENT.names} for event in mined["events"]]
    counts = {it: mined[it] for it in ("commits", "merges", "unreadable_commits")}
    return {
        "status": "mined",
        "error": None,
        "commit": mined["revision"],
        "counts": {**counts, "events": len(events), "tests": mined["summary"]["tests"]},
        **{it: mined[it] for it in ("is_shallow", "first_day", "last_day")},
        "events": events,
    }


def failed_columns(error: str) -> dict[str, Any]:
    """The columns of a repository that could not be mined."""
    absent = dict.fromkeys(("commit", "is_shallow", "first_day", "last_day"))
    return {"status": "failed", "error": error, **absent, "counts": dict.fromkeys(COUNTS.names, 0), "events": []}


@dataclass(frozen=True)
class MineTask(Task):
    """A task that mines its repositories, one process after the other."""

    ORIGIN_COLUMNS = ("tool", "options")
    GOOD_STATUSES = ("mined",)
    FOUND = "events"

    def table_rows(self, entries: Iterable[Row]) -> Iterator[dict[str, Any]]:
        name, version = self.output("--version").split()
        # With --help the program checks the options and mines nothing. The folder stands for the path of a repository.
        self.output("mine", *self.options, ".", "--help")
        tool = {"name": name, "version": version}
        shared = {"version": MINED_VERSION, "tool": tool, "options": shlex.join(self.options)}
        self.check_origin(shared)
        for entry in entries:
            line = {"name": entry.name, "path": entry.path, "revision": entry.revision}
            yield {**shared, **line, **self.history(entry)}

    def output(self, *arguments: str) -> str:
        """The output of a run that must end well."""
        with running([self.program(), *arguments]) as (process, messages):
            output = pipe(process.stdout).read()
            if (status := process.wait()) != 0:
                command = shlex.join([self.binary, *arguments])
                raise TaskError(f"`{command}` ended with status {status}:\n{messages.text()}")
        return output.decode()

    def history(self, entry: Row) -> dict[str, Any]:
        """The columns of a repository that depend on its history."""
        revision = [f"--revision={entry.revision}"] if entry.revision else []
        options = ["--format", "json", f"--repository={entry.name}", *revision, *self.options]
        with running([self.program(), "mine", *options, "--", entry.path]) as (process, messages):
            output = pipe(process.stdout).read()
            if (status := process.wait()) != 0:
                return failed_columns(f"status {status}: {messages.text()}")
        try:
            return mined_columns(output, entry.name)
        except (ValueError, LookupError, TypeError) as error:
            raise TaskError(f"not the output of `peeler mine` ({error!r}): {output[:200]!r}") from error

    def origin_of(self, row: Any) -> tuple[str, ...]:
        """The version of the program and the options."""
        return row["tool"]["version"], row["options"]
