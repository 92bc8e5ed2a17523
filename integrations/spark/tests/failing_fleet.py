"""The job of peeler_fleet.py with failures: tasks of every fourth partition die in their first attempt, after a row."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from pyspark import TaskContext
from pyspark.sql import Row, SparkSession

import peeler_fleet
import peeler_task

MESSAGE = "a failure that the test asks for"


class FailingTask(peeler_task.Task):
    """A task that fails in the first attempt of partitions 0, 4, 8, ..."""

    def rows(self, partition: int, entries: Iterator[Row]) -> Iterator[str]:
        fails = partition % 4 == 0 and TaskContext.get().attemptNumber() == 0
        for row in super().rows(partition, entries):
            yield row
            if fails:
                break
        if fails:
            raise RuntimeError(MESSAGE)


if __name__ == "__main__":
    spark = SparkSession.builder.appName("failing fleet").getOrCreate()
    arguments = peeler_fleet.parse(sys.argv[1:])
    task = peeler_fleet.task_of(spark.sparkContext, arguments)
    print(peeler_fleet.run(spark, arguments, FailingTask(**vars(task))), file=sys.stderr)
    spark.stop()
