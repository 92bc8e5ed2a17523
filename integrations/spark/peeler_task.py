"""The work of one Spark task: a run of Peeler over the repositories of a partition, and the rows of its records.

    entries -> lines -> stdin of `peeler scan --repos -` -> stdout -> records -> rows

Invariant: memory holds one record and the lines that the program has not answered yet, never a whole partition. A slow
reader of the rows stops the program, and a slow program stops the reader of the entries.
"""

from __future__ import annotations

import json
import re
import subprocess
import threading
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from typing import IO, Any, ClassVar

from pyspark import SparkFiles
from pyspark.sql import Row
from pyspark.sql import types as T

# The version of the records that this job reads; see docs/fleets.md.
RECORD_VERSION = 1
# The lines of stderr that the error of a task shows.
SHOWN_LINES = 20


class TaskError(Exception):
    """A run of the program whose output this job cannot use."""


def required(name: str, kind: T.DataType) -> T.StructField:
    return T.StructField(name, kind, nullable=False)


def struct(**fields: T.DataType) -> T.StructType:
    return T.StructType([required(name, kind) for name, kind in fields.items()])


TEXT, INTEGER, LONG = T.StringType(), T.IntegerType(), T.LongType()

FINDING = struct(
    test=TEXT, file=TEXT, line=INTEGER, end_line=INTEGER, probability=T.FloatType(), found_by=TEXT,
    rules=T.ArrayType(TEXT, containsNull=False), reason=TEXT, fingerprint=TEXT, json=TEXT,
)  # fmt: skip
COUNTS = struct(files=LONG, bytes=LONG, tests=LONG, findings=LONG, suppressed=LONG, excluded=LONG, incomplete=LONG)
RUN = T.StructType([required("seconds", T.DoubleType()), T.StructField("peak_memory", LONG)])


def table_schema(with_run: bool) -> T.StructType:
    """The columns of the table: those of docs/fleets.md, `run` only if asked for, and last the partition."""
    fields = [
        required("version", INTEGER),
        required("name", TEXT),
        required("path", TEXT),
        T.StructField("revision", TEXT),
        T.StructField("commit", TEXT),
        required("status", TEXT),
        T.StructField("error", TEXT),
        required("tool", struct(name=TEXT, version=TEXT)),
        required("model", struct(name=TEXT, identity=TEXT).add("threshold", T.FloatType())),
        required("options", TEXT),
        required("counts", COUNTS),
        required("findings", T.ArrayType(FINDING, containsNull=False)),
        T.StructField("tests_json", TEXT),
        required("problems", T.ArrayType(struct(file=TEXT, message=TEXT), containsNull=False)),
        *([required("run", RUN)] if with_run else []),
        required("partition", INTEGER),
    ]
    return T.StructType(fields)


DECODER = json.JSONDecoder()
SPACE = re.compile(r"[ \t\r\n]*")


def after_space(text: str, position: int) -> int:
    space = SPACE.match(text, position)
    return space.end() if space else position


def members(text: str, start: int = 0) -> Iterator[tuple[str | None, Any, int, int]]:
    """Members of the JSON object or list at `start`: the key (None in a list), the value, its begin and its end."""
    is_object = text[start] == "{"
    position = after_space(text, start + 1)
    while text[position] not in "}]":
        key = None
        if is_object:
            key, position = DECODER.raw_decode(text, position)
            position = after_space(text, after_space(text, position) + 1)
        value, end = DECODER.raw_decode(text, position)
        yield key, value, position, end
        position = after_space(text, end)
        if text[position] == ",":
            position = after_space(text, position + 1)


def finding_row(finding: dict[str, Any], text: str) -> dict[str, Any]:
    """The finding as an element of the table; `text` is the finding as the program wrote it."""
    row = {name: finding[name] for name in FINDING.names if name not in ("rules", "json")}
    return {**row, "rules": [match["rule"] for match in finding["rules"]], "json": text}


def table_row(text: str, columns: Iterable[str]) -> dict[str, Any]:
    """The row of a record: `columns` is the table without its partition."""
    record: dict[str, Any] = {"tests_json": None}
    for key, value, begin, end in members(text):
        if key == "findings":
            value = [finding_row(it, text[first:last]) for _, it, first, last in members(text, begin)]
        if key == "tests":
            key, value = "tests_json", text[begin:end]
        record[str(key)] = value
    if record.get("type") != "repository" or record.get("version") != RECORD_VERSION:
        raise TaskError(
            f"this job reads records of version {RECORD_VERSION}, but the program wrote {text[:200]}; "
            "take the job from the sources of the program"
        )
    return {column: record[column] for column in columns}


class LineFeeder(threading.Thread):
    """A thread that writes the lines of a partition to the program, as fast as the program reads them.

    `waiting` holds the names of the repositories that were written and have no record yet. A full pipe stops the
    thread, so this set stays small.
    """

    def __init__(self, entries: Iterable[Row], stdin: IO[bytes]) -> None:
        super().__init__(daemon=True)
        self.entries = entries
        self.stdin = stdin
        self.waiting: set[str] = set()
        self.error: Exception | None = None

    def run(self) -> None:
        try:
            with self.stdin:
                for entry in self.entries:
                    self.waiting.add(entry.name)
                    self.stdin.write(f"{entry.path}\t{entry.revision or ''}\t{entry.name}\n".encode())
                    self.stdin.flush()
        except BrokenPipeError:
            pass  # The program has ended: its status and the missing records say more.
        except Exception as error:  # noqa: BLE001
            # The task raises the error: nobody would see what this thread raises.
            self.error = error


class LastLines(threading.Thread):
    """A thread that reads a stream to its end and keeps the last lines."""

    def __init__(self, stream: IO[bytes]) -> None:
        super().__init__(daemon=True)
        self.stream = stream
        self.lines: deque[str] = deque(maxlen=SHOWN_LINES)

    def run(self) -> None:
        with self.stream:
            while line := self.stream.readline(4096):
                self.lines.append(line.decode(errors="replace").rstrip())

    def text(self) -> str:
        self.join(timeout=5)  # A process that the program left behind may hold the stream open.
        return "\n".join(self.lines) or "(nothing on stderr)"


@contextmanager
def running(command: list[str], stdin: int = subprocess.DEVNULL) -> Iterator[tuple[subprocess.Popen[bytes], LastLines]]:
    """Runs the program with pipes, and keeps the last lines of its stderr. The program ends with the block."""
    process = subprocess.Popen(command, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    messages = LastLines(pipe(process.stderr))
    messages.start()
    try:
        yield process, messages
    finally:
        process.kill()
        process.wait()
        pipe(process.stdout).close()


def pipe(stream: IO[bytes] | None) -> IO[bytes]:
    """The stream of a process that was started with a pipe for it."""
    assert stream is not None
    return stream


@dataclass(frozen=True)
class Task:
    """The work of a partition. Spark sends this object to the executors."""

    # Columns that tell of which program and options a row is.
    ORIGIN_COLUMNS: ClassVar[tuple[str, ...]]
    # Values of the column status that are no errors.
    GOOD_STATUSES: ClassVar[tuple[str, ...]]
    # The column with a list of what was found, which is also the name of its count.
    FOUND: ClassVar[str]

    binary: str
    is_shipped: bool
    options: tuple[str, ...]
    schema: T.StructType
    # The only origin that rows may have: that of the rows which the table holds. None: any.
    origin: tuple[str, ...] | None = None

    def program(self) -> str:
        return SparkFiles.get(self.binary) if self.is_shipped else self.binary

    def rows(self, partition: int, entries: Iterable[Row]) -> Generator[str, None, None]:
        """The rows of a partition as JSON, one at a time. A partition without repositories starts no program."""
        entries = iter(entries)
        first = next(entries, None)
        if first is None:
            return
        for row in self.table_rows(chain([first], entries)):
            row["partition"] = partition
            yield json.dumps(row, ensure_ascii=False)

    def table_rows(self, entries: Iterable[Row]) -> Iterator[dict[str, Any]]:
        """The rows of the entries, without their partition."""
        raise NotImplementedError

    def origin_of(self, row: Any) -> tuple[str, ...]:
        """What all rows of a table share, from the columns `ORIGIN_COLUMNS` of a row."""
        raise NotImplementedError

    def check_origin(self, row: dict[str, Any]) -> None:
        if self.origin not in (None, self.origin_of(row)):
            raise TaskError(
                f"the table holds rows of {self.origin}, but the program writes {self.origin_of(row)}, from the "
                f"columns {', '.join(self.ORIGIN_COLUMNS)}; use the same program and options, or another output"
            )


@dataclass(frozen=True)
class ScanTask(Task):
    """A task that scans its repositories with one process."""

    ORIGIN_COLUMNS = ("tool", "model", "options")
    GOOD_STATUSES = ("scanned", "no-java")
    FOUND = "findings"

    def command(self) -> list[str]:
        return [self.program(), "scan", "--repos", "-", "--format", "jsonl", *self.options]

    def table_rows(self, entries: Iterable[Row]) -> Iterator[dict[str, Any]]:
        """The rows of the entries. An error unless each entry has exactly one record and the program ends well."""
        command = self.command()
        with running(command, subprocess.PIPE) as (process, messages):
            feeder = LineFeeder(entries, pipe(process.stdin))
            feeder.start()
            for line in pipe(process.stdout):
                yield self.checked_row(line, feeder, messages)
            if (status := process.wait()) != 0:
                raise TaskError(f"`{' '.join(command)}` ended with status {status}:\n{messages.text()}")
        feeder.join()
        if feeder.error is not None:
            raise feeder.error
        if feeder.waiting:
            names = ", ".join(sorted(feeder.waiting)[:5])
            raise TaskError(f"{len(feeder.waiting)} repositories have no record, such as {names}:\n{messages.text()}")

    def checked_row(self, line: bytes, feeder: LineFeeder, messages: LastLines) -> dict[str, Any]:
        try:
            row = table_row(line.decode(), (it for it in self.schema.names if it != "partition"))
        except (ValueError, LookupError, TypeError) as error:
            raise TaskError(f"not a record ({error!r}): {line[:200]!r}\n{messages.text()}") from error
        if row["name"] not in feeder.waiting:
            raise TaskError(f"{row['name']} has two records, or is not in the partition\n{messages.text()}")
        feeder.waiting.remove(row["name"])
        self.check_origin(row)
        return row

    def origin_of(self, row: Any) -> tuple[str, ...]:
        """The version of the program, the model and the hash of the options."""
        return row["tool"]["version"], row["model"]["name"], row["model"]["identity"], row["options"]
