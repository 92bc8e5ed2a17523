"""Tests of one task, with a program that misbehaves. No Spark runs."""

from __future__ import annotations

import json
import tempfile
import tracemalloc
import unittest
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from pyspark.sql import Row

from peeler_task import ScanTask, TaskError, members, table_schema
from tests import fake_peeler


def entries(count: int) -> Iterator[Row]:
    return (Row(path=f"/clones/{i}", revision=None if i % 2 else "v1", name=f"größe {i}") for i in range(count))


class TaskTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.program = fake_peeler.install(Path(folder.name))

    def task(self, behaviour: str, **changed: Any) -> ScanTask:
        return ScanTask(str(self.program), False, ("--as", behaviour), table_schema(with_run=False), **changed)

    def rows(self, behaviour: str, count: int = 3, **changed: Any) -> list[dict[str, Any]]:
        return [json.loads(row) for row in self.task(behaviour, **changed).rows(7, entries(count))]

    def refused(self, behaviour: str, *words: str, **changed: Any) -> None:
        with self.assertRaises(TaskError) as caught:
            self.rows(behaviour, **changed)
        for word in words:
            self.assertIn(word, str(caught.exception))

    def test_a_row_has_the_fields_of_the_record(self) -> None:
        rows = self.rows("good")
        self.assertEqual([row["name"] for row in rows], ["größe 0", "größe 1", "größe 2"])
        self.assertEqual([row["revision"] for row in rows], ["v1", None, "v1"])
        self.assertEqual({row["partition"] for row in rows}, {7})
        self.assertEqual(set(rows[0]), set(table_schema(with_run=False).names))
        finding = rows[0]["findings"][0]
        self.assertEqual(finding["rules"], ["PLR101", "PLR302"])
        self.assertEqual(finding["reason"], 'a "größe"\t\u2028')
        self.assertIn('"probability": 1e-6', finding["json"], "the text of the program, not one that Python wrote")

    def test_all_tests_are_kept_as_text(self) -> None:
        self.assertEqual(self.rows("all", 1)[0]["tests_json"], '[{"test": "größe", "probability": 1e-6}]')
        self.assertIsNone(self.rows("good", 1)[0]["tests_json"])

    def test_a_partition_without_repositories_starts_no_program(self) -> None:
        task = ScanTask("/no/such/program", False, (), table_schema(with_run=False))
        self.assertEqual(list(task.rows(0, entries(0))), [])
        with self.assertRaises(FileNotFoundError):
            list(task.rows(0, entries(1)))

    def test_a_program_that_dies_fails_the_task(self) -> None:
        self.refused("dead", "status -9", "out of coffee")

    def test_a_program_that_refuses_fails_the_task(self) -> None:
        self.refused("refusing", "status 2", "error: the model is gone")

    def test_a_missing_record_fails_the_task(self) -> None:
        self.refused("silent", "1 repositories have no record", "größe 1")

    def test_a_second_record_fails_the_task(self) -> None:
        self.refused("twice", "größe 0 has two records")

    def test_a_torn_record_fails_the_task(self) -> None:
        self.refused("torn", "not a record", '{"type":"reposi')

    def test_a_newer_record_fails_the_task(self) -> None:
        self.refused("newer", "records of version 1")

    def test_rows_of_another_origin_fail_the_task(self) -> None:
        self.assertEqual(len(self.rows("good", origin=("0", "default", "0", "0"))), 3)
        self.refused("good", "the table holds rows of", origin=("0", "default", "0", "other"))

    def test_errors_of_the_entries_fail_the_task(self) -> None:
        def broken() -> Iterator[Row]:
            yield from entries(2)
            raise OSError("the shuffle file is gone")

        with self.assertRaisesRegex(OSError, "shuffle file"):
            list(self.task("good").rows(0, broken()))

    def test_a_slow_reader_stops_the_program_and_the_entries(self) -> None:
        read = 0

        def counted() -> Iterator[Row]:
            nonlocal read
            for entry in entries(1_000_000):
                read += 1
                yield entry

        rows = self.task("large").rows(0, counted())
        self.assertEqual(len(list(islice(rows, 3))), 3)
        rows.close()
        self.assertLess(read, 20_000, "what fits into a pipe and two buffers")

    def test_memory_holds_a_record_and_not_a_partition(self) -> None:
        tracemalloc.start()
        self.addCleanup(tracemalloc.stop)
        count = sum(1 for _ in self.task("large").rows(0, entries(60)))
        _, peak = tracemalloc.get_traced_memory()
        self.assertEqual(count, 60)
        self.assertLess(peak, 16 << 20, "60 records of 1 MB")

    def test_members_have_the_places_of_their_texts(self) -> None:
        text = ' {"a" : [1, {"b": "}"}] , "c":{},"d":[]}'.strip()
        found = [(key, text[begin:end]) for key, _, begin, end in members(text)]
        self.assertEqual(found, [("a", '[1, {"b": "}"}]'), ("c", "{}"), ("d", "[]")])
        self.assertEqual([value for _, value, _, _ in members(text, 7)], [1, {"b": "}"}])
