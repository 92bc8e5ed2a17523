"""Scans or mines a fleet of repositories with Peeler on Apache Spark, into a table of Parquet files.

    spark-submit --py-files peeler_task.py,peeler_mine_task.py peeler_fleet.py \\
        --repos list.txt --output fleet.parquet -- --select ALL

The row of a repository depends only on its line, its files or its history, the options and the program. So a task that
Spark retries, or runs twice, gives the same rows.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from pyspark import SparkContext
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from peeler_mine_task import MINED_SCHEMA, MineTask
from peeler_task import ScanTask, Task, table_schema

# The bytes of one row group: a task holds one row group in memory.
ROW_GROUP = 16 << 20
# Options of the commands that this job sets itself, or that are about one repository.
OWN_OPTIONS = {
    "scan": {
        "--repos", "--format", "--output-format", "-o", "--output", "--shard", "--resume", "--jobs", "--time-limit",
        "--memory-limit", "--dry-run",
    },
    "mine": {
        "--format", "--output-format", "-o", "--output", "--repository", "--revision", "--history", "--proof",
    },
}  # fmt: skip


class FleetError(Exception):
    """A wrong list, option or table, with a remedy."""


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
    fields = F.split(line, "\t")
    # A line with more fields stays whole: its tabs make it wrong.
    path = F.when(F.size(fields) > 3, line).otherwise(F.get(fields, F.lit(0)))
    lines = spark.read.text(place).where((F.trim(line) != "") & ~line.startswith("#"))
    return lines.select(
        path.alias("path"), F.get(fields, F.lit(1)).alias("revision"), F.get(fields, F.lit(2)).alias("name")
    )


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
        raise FleetError(
            f"{wrong} cannot be a repository; a line has a path, a revision and a name, separated by two tabs, "
            "and a path does not begin with #"
        )
    if twice := table.groupBy("name").count().where("count > 1").first():
        raise FleetError(f"the name {twice.name} means several paths or revisions; fill the column name")
    return table


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

    def command_options(self) -> tuple[str, ...]:
        """The options of the program, except for the repositories and the form of the output."""
        if self.what == "mine":
            return tuple(self.options)
        limits = [("--time-limit", self.time_limit), ("--memory-limit", self.memory_limit)]
        given = chain.from_iterable((name, value) for name, value in limits if value)
        return ("--jobs", str(self.jobs), *given, *self.options)

    def only_for_scan(self) -> list[str]:
        """The given options of the job that no other command has."""
        options = {
            "--jobs": self.jobs > 1, "--time-limit": self.time_limit, "--memory-limit": self.memory_limit,
            "--with-run": self.with_run,
        }  # fmt: skip
        return [name for name, given in options.items() if given]


def parse(arguments: list[str]) -> Arguments:
    parser = argparse.ArgumentParser(
        prog="peeler_fleet.py",
        description="Scan or mine a fleet of repositories with Peeler on Apache Spark, into a table of Parquet files.",
        epilog="Options after -- are options of the command: -- --select ALL --min-probability 0.7",
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
        help="if the table exists: fail, replace it, or take only what has no row [default: error]")  # fmt: skip
    add("--with-run", action="store_true", help="keep the column run: seconds and memory, different in every run")
    add("--what", choices=["scan", "mine"], default="scan", help="the command to run over the fleet [default: scan]")
    add("options", nargs="*", help=argparse.SUPPRESS)
    parsed = Arguments(**vars(parser.parse_args(arguments)))
    for option in parsed.options:
        if option.split("=")[0] in OWN_OPTIONS[parsed.what]:
            parser.error(f"{option} belongs to the job; give it in front of -- if the job has it")
    if parsed.what != "scan" and (wrong := parsed.only_for_scan()):
        parser.error(f"{', '.join(wrong)} cannot be used with --what {parsed.what}, only with --what scan")
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
    is_scan = arguments.what == "scan"
    kind: type[Task] = ScanTask if is_scan else MineTask
    return kind(
        binary=arguments.ship.rsplit("/", 1)[-1] if arguments.ship else arguments.binary,
        is_shipped=bool(arguments.ship),
        options=arguments.command_options(),
        schema=table_schema(arguments.with_run) if is_scan else MINED_SCHEMA,
    )


def existing_table(spark: SparkSession, place: str, task: Task) -> DataFrame | None:
    """The rows that the output holds; None if there is no output."""
    try:
        table = spark.read.schema(task.schema).parquet(place)
    except AnalysisException as error:
        if error.getErrorClass() == "PATH_NOT_FOUND":
            return None
        raise
    if table.where(F.col(task.FOUND).isNull()).first():
        raise FleetError(f"{place} is the table of another command, without the column {task.FOUND}; write another")
    return table


def only_origin(table: DataFrame, place: str, task: Task) -> tuple[str, ...] | None:
    """The origin of all rows of a table; None if it has no rows."""
    found = list({task.origin_of(row) for row in table.select(*task.ORIGIN_COLUMNS).distinct().collect()})
    if len(found) > 1:
        raise FleetError(f"{place} holds rows of several programs or options: {sorted(found)}; write another table")
    return found[0] if found else None


def remove_unfinished(spark: SparkSession, place: str) -> None:
    """Removes what a killed job left in the table. Spark would add it to the rows of this job."""
    java: Any = spark._jvm
    path = java.org.apache.hadoop.fs.Path(place, "_temporary")
    path.getFileSystem(spark._jsc.hadoopConfiguration()).delete(path, True)


def write_table(spark: SparkSession, entries: DataFrame, task: Task, arguments: Arguments) -> None:
    """Runs the task over the partitions. A partition holds the same lines in the same order in every run."""
    partitions = entries.repartition(arguments.partitions, "name").sortWithinPartitions("name")
    rows = partitions.rdd.mapPartitionsWithIndex(task.rows)
    reader = spark.read.schema(task.schema).option("mode", "FAILFAST")
    table = reader.option("maxStringLen", (1 << 31) - 1).json(rows)
    writer = table.write.mode({"add": "append"}.get(arguments.mode, arguments.mode)).partitionBy("partition")
    # Parquet looks at its memory after every row, because a row may have megabytes.
    writer = writer.option("parquet.block.size", ROW_GROUP).option("parquet.page.size.row.check.min", 1)
    # The compression of `peeler scan --format parquet`, which `peeler merge` reads.
    writer.option("compression", "zstd").parquet(arguments.output)


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
    if arguments.mode == "add" and (existing := existing_table(spark, arguments.output, task)) is not None:
        remove_unfinished(spark, arguments.output)
        task = replace(task, origin=only_origin(existing, arguments.output, task))
        entries = entries.join(existing.select("name"), "name", "left_anti")
    write_table(spark, entries, task, arguments)
    return summary(spark.read.schema(task.schema).parquet(arguments.output), task)


def summary(table: DataFrame, task: Task) -> str:
    """Counts of a table, as the last line of a fleet scan has them."""
    is_error = (~F.col("status").isin(*task.GOOD_STATUSES)).cast("long")
    counts = table.agg(
        F.count("*"),
        F.coalesce(F.sum(is_error), F.lit(0)),
        F.coalesce(F.sum(f"counts.{task.FOUND}"), F.lit(0)),
    )
    ((repositories, errors, found),) = counts.collect()
    return f"{repositories} repositories, {errors} errors, {found} {task.FOUND}"


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
