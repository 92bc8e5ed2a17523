"""Scans a fleet of repositories with Peeler on Apache Spark, into a table of Parquet files.

    spark-submit peeler_fleet.py --repos repositories.txt --output fleet.parquet -- --select ALL

Every task starts `peeler scan --repos -` once, writes the lines of its partition to it, and reads one record after the
other. The row of a repository depends only on its line, its files, the options and the program. So a task that Spark
retries, or runs twice, gives the same rows.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import IO, Any

from pyspark import SparkContext, SparkFiles
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import (
    ArrayType,
    DataType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    StringType,
    StructField,
    StructType,
)

# The version of the records that this job reads; see docs/fleets.md.
RECORD_VERSION = 1
# The lines of stderr that the error of a task shows.
SHOWN_LINES = 20
# The bytes of one row group: a task holds one row group in memory.
ROW_GROUP = 16 << 20
# Options of `peeler scan` that this job sets itself.
OWN_OPTIONS = {
    "--repos", "--format", "--output-format", "-o", "--output", "--shard", "--resume", "--jobs", "--time-limit",
    "--memory-limit",
}  # fmt: skip


class FleetError(Exception):
    """A wrong list, option or table, with a remedy."""


class TaskError(Exception):
    """A run of the program that did not give exactly one record for each line."""


# ---------------------------------------------------------------------------------------------------- the table


def required(name: str, kind: DataType) -> StructField:
    return StructField(name, kind, nullable=False)


def struct(**fields: DataType) -> StructType:
    return StructType([required(name, kind) for name, kind in fields.items()])


TEXT, INTEGER, LONG = StringType(), IntegerType(), LongType()

FINDING = struct(
    test=TEXT, file=TEXT, line=INTEGER, end_line=INTEGER, probability=FloatType(), found_by=TEXT,
    rules=ArrayType(TEXT, containsNull=False), reason=TEXT, fingerprint=TEXT, json=TEXT,
)  # fmt: skip
COUNTS = struct(
    files=LONG, bytes=LONG, tests=LONG, findings=LONG, suppressed=LONG, excluded=LONG, incomplete=LONG
)  # fmt: skip
RUN = StructType([required("seconds", DoubleType()), StructField("peak_memory", LONG)])


def table_schema(with_run: bool) -> StructType:
    """The columns of the table: those of docs/fleets.md, `run` only if asked for, and last the partition."""
    fields = [
        required("version", INTEGER),
        required("name", TEXT),
        required("path", TEXT),
        StructField("revision", TEXT),
        StructField("commit", TEXT),
        required("status", TEXT),
        StructField("error", TEXT),
        required("tool", struct(name=TEXT, version=TEXT)),
        required("model", struct(name=TEXT, identity=TEXT).add("threshold", FloatType())),
        required("options", TEXT),
        required("counts", COUNTS),
        required("findings", ArrayType(FINDING, containsNull=False)),
        StructField("tests_json", TEXT),
        required("problems", ArrayType(struct(file=TEXT, message=TEXT), containsNull=False)),
        *([required("run", RUN)] if with_run else []),
        required("partition", INTEGER),
    ]
    return StructType(fields)


# ---------------------------------------------------------------------------------------------------- one record

DECODER = json.JSONDecoder()
SPACE = re.compile(r"[ \t\r\n]*")


def after_space(text: str, position: int) -> int:
    return SPACE.match(text, position).end()


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
        record[key] = value
    if record.get("type") != "repository" or record.get("version") != RECORD_VERSION:
        raise TaskError(
            f"this job reads records of version {RECORD_VERSION}, but the program wrote {text[:200]}; "
            "take the job from the sources of the program"
        )
    return {column: record[column] for column in columns}


# ---------------------------------------------------------------------------------------------------- one task


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
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            with self.stdin:
                for entry in self.entries:
                    self.waiting.add(entry.name)
                    self.stdin.write(f"{entry.path}\t{entry.revision or ''}\t{entry.name}\n".encode())
                    self.stdin.flush()
        except BrokenPipeError:
            pass  # The program has ended: its status and the missing records say more.
        except BaseException as error:  # Whatever it is, it belongs to the task and not to this thread.
            self.error = error


class LastLines(threading.Thread):
    """A thread that reads a stream to its end and keeps the last lines."""

    def __init__(self, stream: IO[bytes]) -> None:
        super().__init__(daemon=True)
        self.stream = stream
        self.lines: deque[str] = deque(maxlen=SHOWN_LINES)

    def run(self) -> None:
        while line := self.stream.readline(4096):
            self.lines.append(line.decode(errors="replace").rstrip())

    def text(self) -> str:
        self.join(timeout=5)  # A process that the program left behind may hold the stream open.
        return "\n".join(self.lines) or "(nothing on stderr)"


@dataclass(frozen=True)
class Task:
    """The work of a partition. Spark sends this object to the executors."""

    binary: str
    is_shipped: bool
    options: tuple[str, ...]
    columns: tuple[str, ...]
    # The only origin that rows may have: that of the rows which the table holds. None: any.
    origin: tuple[str, ...] | None = None

    def command(self) -> list[str]:
        binary = SparkFiles.get(self.binary) if self.is_shipped else self.binary
        return [binary, "scan", "--repos", "-", "--format", "jsonl", *self.options]

    def rows(self, partition: int, entries: Iterator[Row]) -> Iterator[str]:
        """The rows of a partition as JSON, one at a time. A partition without repositories starts no program."""
        first = next(entries, None)
        if first is None:
            return
        for row in self.table_rows(chain([first], entries)):
            row["partition"] = partition
            yield json.dumps(row, ensure_ascii=False)

    def table_rows(self, entries: Iterable[Row]) -> Iterator[dict[str, Any]]:
        """The rows of the entries. An error unless each entry has exactly one record and the program ends well."""
        command = self.command()
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        messages = LastLines(process.stderr)
        messages.start()
        feeder = LineFeeder(entries, process.stdin)
        feeder.start()
        try:
            for line in process.stdout:
                yield self.checked_row(line, feeder, messages)
            if (status := process.wait()) != 0:
                raise TaskError(f"`{' '.join(command)}` ended with status {status}:\n{messages.text()}")
        finally:
            process.kill()
            process.wait()
            process.stdout.close()
        feeder.join()
        if feeder.error is not None:
            raise feeder.error
        if feeder.waiting:
            names = ", ".join(sorted(feeder.waiting)[:5])
            raise TaskError(f"{len(feeder.waiting)} repositories have no record, such as {names}:\n{messages.text()}")

    def checked_row(self, line: bytes, feeder: LineFeeder, messages: LastLines) -> dict[str, Any]:
        try:
            row = table_row(line.decode(), self.columns)
        except (ValueError, LookupError, TypeError) as error:
            raise TaskError(f"not a record ({error!r}): {line[:200]!r}\n{messages.text()}") from error
        if row["name"] not in feeder.waiting:
            raise TaskError(f"{row['name']} has two records, or is not in the partition\n{messages.text()}")
        feeder.waiting.remove(row["name"])
        if self.origin not in (None, origin_of(row)):
            raise TaskError(
                f"the table holds rows of {self.origin}, but the program writes {origin_of(row)}: (version, model, "
                "its identity, options); use the same program and options, or another output"
            )
        return row


def origin_of(row: Any) -> tuple[str, ...]:
    """What all rows of a table share: the version of the program, the model and the hash of the options."""
    return row["tool"]["version"], row["model"]["name"], row["model"]["identity"], row["options"]


# ---------------------------------------------------------------------------------------------------- the list


def read_list(spark: SparkSession, place: str, form: str | None) -> DataFrame:
    """The table of repositories as it was given, with the columns path, revision and name."""
    form = form or form_of(place)
    if form == "text":
        return text_list(spark, place)
    reader = spark.read.option("header", True) if form == "csv" else spark.read
    table = reader.format(form).load(place)
    if "path" not in table.columns:
        raise FleetError(f"{place} has the columns {', '.join(table.columns)}; name one of them path")
    absent = F.lit(None).cast("string")
    columns = [F.col(it).cast("string") if it in table.columns else absent for it in ("path", "revision", "name")]
    return table.select(*(it.alias(name) for it, name in zip(columns, ("path", "revision", "name"))))


def form_of(place: str) -> str:
    """The form of a list, from the end of its name."""
    endings = {".parquet": "parquet", ".csv": "csv", ".json": "json", ".jsonl": "json"}
    return next((form for ending, form in endings.items() if place.rstrip("/").endswith(ending)), "text")


def text_list(spark: SparkSession, place: str) -> DataFrame:
    """A list as `peeler scan --repos` reads it: path, revision and name, separated by tabs."""
    line = F.col("value")
    lines = spark.read.text(place).where((F.trim(line) != "") & ~line.startswith("#"))
    if wrong := lines.where(F.size(F.split(line, "\t")) > 3).first():
        raise FleetError(f"{place}: {wrong.value!r} has more than three fields; tabs separate path, revision and name")
    fields = F.split(line, "\t")
    return lines.select(*(F.get(fields, i).alias(name) for i, name in enumerate(("path", "revision", "name"))))


def checked_list(table: DataFrame) -> DataFrame:
    """The repositories, each once: the path, the revision or null, and the name, which is unique."""
    path, revision, name = F.col("path"), F.col("revision"), F.col("name")
    table = table.select(
        path,
        F.when(revision != "", revision).alias("revision"),
        F.coalesce(F.when(name != "", name), path).alias("name"),
    ).distinct()
    unclean = F.concat_ws("", path, revision, name).rlike("[\t\r\n]")
    if wrong := table.where(path.isNull() | (F.trim(path) == "") | path.startswith("#") | unclean).first():
        raise FleetError(f"{wrong} cannot be a line of a list; a path has no #, fields have no tab or line break")
    if twice := table.groupBy("name").count().where("count > 1").first():
        raise FleetError(f"the name {twice.name} means several paths or revisions; fill the column name")
    return table


# ---------------------------------------------------------------------------------------------------- the job


@dataclass(frozen=True)
class Arguments:
    """The command line."""

    repos: str
    output: str
    list_format: str | None
    partitions: int
    binary: str
    ship: str | None
    jobs: int
    time_limit: str | None
    memory_limit: str | None
    mode: str
    with_run: bool
    what: str
    options: list[str]

    def scan_options(self) -> tuple[str, ...]:
        """The options of the program, except for the list and the form of the records."""
        limits = [("--time-limit", self.time_limit), ("--memory-limit", self.memory_limit)]
        given = chain.from_iterable((name, value) for name, value in limits if value)
        return ("--jobs", str(self.jobs), *given, *self.options)


def parse(arguments: list[str]) -> Arguments:
    parser = argparse.ArgumentParser(
        prog="peeler_fleet.py",
        description="Scan a fleet of repositories with Peeler on Apache Spark, into a table of Parquet files.",
        epilog="Options after -- are options of `peeler scan`: -- --select ALL --min-probability 0.7",
    )
    add = parser.add_argument
    add("--repos", required=True, metavar="TABLE", help="repositories: columns path, revision, name; or a text list")
    add("--output", required=True, metavar="FOLDER", help="the table to write")
    add("--list-format", choices=["text", "csv", "json", "parquet"], help="form of the list [default: by its name]")
    add("--partitions", type=positive, default=256, metavar="N", help="partitions, by hash of the name [default: 256]")
    program = parser.add_mutually_exclusive_group()
    program.add_argument("--binary", default="peeler", help="the program on every executor [default: peeler]")
    program.add_argument("--ship", metavar="FILE", help="the program here; Spark copies it to every executor")
    add("--jobs", type=positive, default=1, metavar="N", help="repositories at a time in one task [default: 1]")
    add("--time-limit", metavar="TIME", help="give up on a repository after this time: 90s, 5min")
    add("--memory-limit", metavar="SIZE", help="give up on a repository above this memory: 800M, 2G")
    add("--mode", choices=["error", "overwrite", "add"], default="error",
        help="if the table exists: fail, replace it, or scan only repositories without a row [default: error]")  # fmt: skip
    add("--with-run", action="store_true", help="keep the column run: seconds and memory, different in every run")
    add("--what", choices=["scan"], default="scan", help="the command to run over the fleet [default: scan]")
    add("options", nargs="*", help=argparse.SUPPRESS)
    parsed = Arguments(**vars(parser.parse_args(arguments)))
    for option in parsed.options:
        if option.split("=")[0] in OWN_OPTIONS:
            parser.error(f"{option} belongs to the job; give it in front of -- if the job has it")
    return parsed


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("expected a number from 1")
    return number


def task_of(context: SparkContext, arguments: Arguments) -> Task:
    """The task of the job. A program that is to be shipped is given to Spark."""
    if arguments.ship:
        context.addFile(arguments.ship)
    return Task(
        binary=arguments.ship.rsplit("/", 1)[-1] if arguments.ship else arguments.binary,
        is_shipped=bool(arguments.ship),
        options=arguments.scan_options(),
        columns=tuple(it for it in table_schema(arguments.with_run).names if it != "partition"),
    )


def existing_table(spark: SparkSession, arguments: Arguments) -> DataFrame | None:
    """The rows that the output holds; None if there is no output."""
    try:
        return spark.read.schema(table_schema(arguments.with_run)).parquet(arguments.output)
    except AnalysisException as error:
        if error.getErrorClass() == "PATH_NOT_FOUND":
            return None
        raise


def only_origin(table: DataFrame, place: str) -> tuple[str, ...] | None:
    """The origin of all rows of a table; None if it has no rows."""
    found = [origin_of(row) for row in table.select("tool", "model", "options").distinct().collect()]
    if len(set(found)) > 1:
        raise FleetError(f"{place} holds rows of several programs or options: {sorted(set(found))}; write another table")
    return found[0] if found else None


def remove_unfinished(spark: SparkSession, place: str) -> None:
    """Removes what a killed job left in the table. Spark would add it to the rows of this job."""
    path = spark._jvm.org.apache.hadoop.fs.Path(place, "_temporary")
    path.getFileSystem(spark._jsc.hadoopConfiguration()).delete(path, True)


def write_table(spark: SparkSession, entries: DataFrame, task: Task, arguments: Arguments) -> None:
    """Runs the task over the partitions. A partition holds the same lines in the same order in every run."""
    partitions = entries.repartition(arguments.partitions, "name").sortWithinPartitions("name")
    rows = partitions.rdd.mapPartitionsWithIndex(task.rows)
    reader = spark.read.schema(table_schema(arguments.with_run)).option("mode", "FAILFAST")
    table = reader.option("maxStringLen", (1 << 31) - 1).json(rows)
    writer = table.write.mode({"add": "append"}.get(arguments.mode, arguments.mode)).partitionBy("partition")
    # Parquet looks at its memory after every row, because a row may have megabytes.
    writer = writer.option("parquet.block.size", ROW_GROUP).option("parquet.page.size.row.check.min", 1)
    writer.parquet(arguments.output)


def configure(spark: SparkSession) -> None:
    # Fields that the schema requires are required in the files too.
    spark.conf.set("spark.sql.legacy.respectNullabilityInTextDatasetConversion", True)
    # A task writes one partition, so its rows need no sorting by partition, which would collect them.
    spark.conf.set("spark.sql.maxConcurrentOutputFileWriters", 1)


def run(spark: SparkSession, arguments: Arguments, task: Task | None = None) -> str:
    """Runs the job and returns a sentence about the table."""
    configure(spark)
    task = task or task_of(spark.sparkContext, arguments)
    entries = checked_list(read_list(spark, arguments.repos, arguments.list_format))
    if arguments.mode == "add" and (existing := existing_table(spark, arguments)) is not None:
        remove_unfinished(spark, arguments.output)
        task = replace(task, origin=only_origin(existing, arguments.output))
        entries = entries.join(existing.select("name"), "name", "left_anti")
    write_table(spark, entries, task, arguments)
    return summary(spark.read.schema(table_schema(arguments.with_run)).parquet(arguments.output))


def summary(table: DataFrame) -> str:
    """Counts of a table, as the last line of a fleet scan has them."""
    is_error = (~F.col("status").isin("scanned", "no-java")).cast("long")
    counts = table.agg(
        F.count("*").alias("repositories"),
        F.coalesce(F.sum(is_error), F.lit(0)).alias("errors"),
        F.coalesce(F.sum("counts.findings"), F.lit(0)).alias("findings"),
    ).first()
    return f"{counts.repositories} repositories, {counts.errors} errors, {counts.findings} findings"


def main() -> int:
    arguments = parse(sys.argv[1:])
    spark = SparkSession.builder.appName("peeler fleet").getOrCreate()
    try:
        print(run(spark, arguments), file=sys.stderr)
        return 0
    except FleetError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    finally:
        spark.stop()


if __name__ == "__main__":
    sys.exit(main())
