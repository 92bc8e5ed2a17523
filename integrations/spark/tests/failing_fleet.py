"""The job of peeler_fleet.py with failures: tasks of every fourth partition die in their first attempt, after a row."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterable

from pyspark import TaskContext
from pyspark.sql import Row, SparkSession

import peeler_fleet
from peeler_mine_task import MineTask
from peeler_task import ScanTask, Task

MESSAGE = "a failure that the test asks for"


class FailingTask(Task):
    """A task that fails in the first attempt of partitions 0, 4, 8, ..."""

    def rows(self, partition: int, entries: Iterable[Row]) -> Generator[str, None, None]:
        context = TaskContext.get()
        fails = partition % 4 == 0 and context is not None and context.attemptNumber() == 0
        for row in super().rows(partition, entries):
            yield row
            if fails:
                break
        if fails:
            raise RuntimeError(MESSAGE)


class FailingScan(FailingTask, ScanTask):
    pass


class FailingMine(FailingTask, MineTask):
    pass


if __name__ == "__main__":
    spark = SparkSession.builder.appName("failing fleet").getOrCreate()
    arguments = peeler_fleet.parse(sys.argv[1:])
    task = peeler_fleet.task_of(spark.sparkContext, arguments)
    failing = FailingScan if arguments.what == "scan" else FailingMine
    print(peeler_fleet.run(spark, arguments, failing(**vars(task))), file=sys.stderr)
    spark.stop()
