"""The Spark session of this process, for tests that need no cluster."""

from __future__ import annotations

import os
import sys
from functools import cache

from pyspark.sql import SparkSession

import peeler_mine_task
import peeler_task

# JVMs that live for seconds: a quick compiler, and no threads for the garbage collector.
JAVA_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
# Plans that run once are not worth compiling or adapting.
SETTINGS = {
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.driver.extraJavaOptions": JAVA_OPTIONS,
    "spark.executor.extraJavaOptions": JAVA_OPTIONS,
    "spark.sql.shuffle.partitions": "2",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


@cache
def session() -> SparkSession:
    os.environ.update(PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1")
    builder = SparkSession.builder.master("local[1]")
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    for module in (peeler_task, peeler_mine_task):
        spark.sparkContext.addPyFile(str(module.__file__))
    return spark
