"""Tests of lists and tables in a Spark session of this process, with a fake program."""

from __future__ import annotations

import re
import tempfile
import unittest
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

import peeler_fleet
from peeler_fleet import FleetError
from peeler_mine_task import MINED_SCHEMA
from tests import fake_peeler, local

FLEETS = Path(__file__).resolve().parents[3] / "docs" / "fleets.md"


class TableTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.spark = local.session()

    def file(self, name: str, text: str) -> str:
        (self.folder / name).write_text(text)
        return str(self.folder / name)

    def entries(self, name: str, text: str) -> list[tuple[str, str | None, str]]:
        table = peeler_fleet.checked_list(peeler_fleet.read_list(self.spark, self.file(name, text), None))
        return sorted(tuple(row) for row in table.select("path", "revision", "name").collect())

    def run_job(self, repos: str, *arguments: str, behaviour: str = "good") -> DataFrame:
        """Runs the job with four partitions and returns its table."""
        ship = str(fake_peeler.install(self.folder))
        output = str(self.folder / "table")
        given = ["--repos", repos, "--output", output, "--ship", ship, "--partitions", "4", *arguments]
        self.summary = peeler_fleet.run(self.spark, peeler_fleet.parse([*given, "--", "--as", behaviour]))
        return self.spark.read.parquet(output)

    def many(self, count: int) -> str:
        return self.file("list.txt", "".join(f"/clones/{i}\n" for i in range(count)))

    def test_all_forms_of_a_list_mean_the_same(self) -> None:
        expected = [("/a b", None, "/a b"), ("/c", "v1", "/c"), ("/c", "v2", "größe")]
        lines = "# a comment\n\n/a b\r\n/c\tv1\n/c\tv2\tgröße\n/c\tv1\n"
        self.assertEqual(self.entries("list.txt", lines), expected)
        rows = "path,revision,name\n/a b,,\n/c,v1,\n/c,v2,größe\n"
        self.assertEqual(self.entries("list.csv", rows), expected)
        objects = '{"path":"/a b"}\n{"path":"/c","revision":"v1","name":null}\n'
        objects += '{"name":"größe","revision":"v2","path":"/c"}\n'
        self.assertEqual(self.entries("list.jsonl", objects), expected)
        self.spark.read.json(str(self.folder / "list.jsonl")).write.parquet(str(self.folder / "list.parquet"))
        table = peeler_fleet.read_list(self.spark, str(self.folder / "list.parquet"), None)
        self.assertEqual(peeler_fleet.checked_list(table).count(), 3)

    def test_wrong_lists_are_refused(self) -> None:
        for name, text, word in [
            ("a.txt", "/a\tb\tc\td\n", "cannot be a repository"),
            ("b.txt", "\tv1\n", "cannot be a repository"),
            ("c.txt", "/a\tv1\n/a\tv2\n", "the name /a means several"),
            ("d.csv", "folder\n/a\n", "columns folder; name one of them path"),
            ("e.jsonl", '{"path":"/a\\tb"}\n', "cannot be a repository"),
            ("f.csv", 'path\n"#a"\n', "cannot be a repository"),
        ]:
            with self.subTest(text), self.assertRaisesRegex(FleetError, re.escape(word)):
                self.entries(name, text)

    def test_a_table_has_the_documented_schema_and_stable_partitions(self) -> None:
        table = self.run_job(self.many(20), "--with-run")
        self.assertEqual(self.summary, "20 repositories, 0 errors, 0 findings")
        self.assertEqual(table.where(F.pmod(F.hash("name"), F.lit(4)) != F.col("partition")).count(), 0)
        self.assertEqual({row.run.seconds for row in table.select("run").collect()}, {0.5})
        files = sorted(self.folder.glob("table/partition=*/part-*"))
        self.assertEqual(len(files), 4, "a file for each partition")

        documented = re.findall(r"```text\n(message .*?)```", FLEETS.read_text(), re.DOTALL)
        java: Any = self.spark._jvm
        parquet = java.org.apache.parquet
        expected = parquet.schema.MessageTypeParser.parseMessageType(documented[0])
        path = java.org.apache.hadoop.fs.Path(str(files[0]))
        file = parquet.hadoop.util.HadoopInputFile.fromPath(path, self.spark._jsc.hadoopConfiguration())
        reader = parquet.hadoop.ParquetFileReader.open(file)
        self.addCleanup(reader.close)
        written = reader.getFooter().getFileMetaData().getSchema()
        self.assertEqual(list(map(str, written.getFields())), list(map(str, expected.getFields())))

        with self.assertRaisesRegex(Exception, "PATH_ALREADY_EXISTS"):
            self.run_job(self.many(1))

    def test_add_scans_only_what_has_no_row(self) -> None:
        self.run_job(self.many(3))
        # What a killed job leaves: the rows of a task that was done, in a job that was not.
        unfinished = self.folder / "table" / "_temporary" / "0" / "task_1_m_000000"
        unfinished.mkdir(parents=True)
        done = next(self.folder.glob("table/partition=*"))
        done.rename(unfinished / done.name)
        table = self.run_job(self.many(5), "--mode", "add")
        self.assertNotIn("run", table.columns)
        self.assertEqual(sorted(row.name for row in table.collect()), [f"/clones/{i}" for i in range(5)])

    def test_a_failed_task_fails_the_job_with_its_message(self) -> None:
        with self.assertRaisesRegex(Exception, "error: the model is gone"):
            self.run_job(self.many(8), behaviour="refusing")
        self.assertFalse((self.folder / "table" / "_SUCCESS").exists())

    def test_a_row_may_have_more_than_twenty_megabytes(self) -> None:
        table = self.run_job(self.many(1), behaviour="huge")
        self.assertGreater(table.agg(F.max(F.length("tests_json"))).collect()[0][0], 25_000_000)

    def test_histories_are_mined_into_a_table_of_their_own(self) -> None:
        table = self.run_job(self.many(5), "--what", "mine", behaviour="refusing")
        self.assertEqual(self.summary, "5 repositories, 1 errors, 8 events")
        self.assertEqual([it.name for it in table.schema], MINED_SCHEMA.names)
        self.assertEqual({row.name for row in table.where("status = 'failed'").collect()}, {"/clones/1"})
        event = table.where("name = '/clones/2'").select(F.explode("events").alias("event")).first()
        self.assertEqual(event and (event.event["class"], event.event.today), ("shop.T", None))

        table = self.run_job(self.many(6), "--what", "mine", "--mode", "add", behaviour="refusing")
        self.assertEqual(table.count(), 6)
        with self.assertRaisesRegex(Exception, "the table holds rows of"):
            self.run_job(self.many(7), "--what", "mine", "--mode", "add", behaviour="good")
        with self.assertRaisesRegex(FleetError, "table of another command"):
            self.run_job(self.many(7), "--mode", "add")

    def test_options_of_the_job_are_not_options_of_the_scan(self) -> None:
        for wrong in ["--resume", "--shard=1/2", "-o"]:
            with self.subTest(wrong), self.assertRaises(SystemExit):
                peeler_fleet.parse(["--repos", "a", "--output", "b", "--", wrong])
        parsed = peeler_fleet.parse(["--repos", "a", "--output", "b", "--time-limit", "5min", "--", "--select", "ALL"])
        self.assertEqual(parsed.command_options(), ("--jobs", "1", "--time-limit", "5min", "--select", "ALL"))

    def test_options_of_scans_are_refused_for_histories(self) -> None:
        mine = ["--repos", "a", "--output", "b", "--what", "mine"]
        for wrong in ["--jobs=2", "--time-limit=5min", "--memory-limit=1G", "--with-run"]:
            with self.subTest(wrong), self.assertRaises(SystemExit), redirect_stderr(StringIO()) as message:
                peeler_fleet.parse([*mine, wrong])
            self.assertIn(f"{wrong.split('=')[0]} cannot be used with --what mine", message.getvalue())
        with self.assertRaises(SystemExit), redirect_stderr(StringIO()):
            peeler_fleet.parse([*mine, "--", "--revision", "main"])
        parsed = peeler_fleet.parse([*mine, "--", "--since", "2024-01-31"])
        self.assertEqual(parsed.command_options(), ("--since", "2024-01-31"))
