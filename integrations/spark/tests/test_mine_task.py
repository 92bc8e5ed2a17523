"""Tests of one task that mines histories, with a program that misbehaves. No Spark runs."""

from __future__ import annotations

import json
import tempfile
import tracemalloc
import unittest
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pyspark.sql import Row

from peeler_mine_task import EVENT, MINED_SCHEMA, MineTask
from peeler_task import TaskError
from tests import fake_peeler

SCHEMA = Path(__file__).resolve().parents[3] / "docs" / "mined.schema.json"


def entries(count: int) -> Iterator[Row]:
    return (Row(path=f"/clones/{i}", revision=None if i % 2 else "v1", name=f"größe {i}") for i in range(count))


class MineTaskTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.program = fake_peeler.install(Path(folder.name))

    def task(self, behaviour: str, **changed: Any) -> MineTask:
        return MineTask(str(self.program), False, ("--as", behaviour), MINED_SCHEMA, **changed)

    def rows(self, behaviour: str, **changed: Any) -> list[dict[str, Any]]:
        return [json.loads(row) for row in self.task(behaviour, **changed).rows(7, entries(3))]

    def test_a_row_has_the_events_of_the_history(self) -> None:
        rows = self.rows("good")
        self.assertEqual([row["name"] for row in rows], ["größe 0", "größe 1", "größe 2"])
        self.assertEqual([row["revision"] for row in rows], ["v1", None, "v1"])
        self.assertEqual({row["partition"] for row in rows}, {7})
        self.assertEqual(set(rows[0]), set(MINED_SCHEMA.names))
        self.assertEqual((rows[0]["status"], rows[0]["error"], rows[0]["commit"]), ("mined", None, "c"))
        self.assertEqual(rows[0]["tool"], {"name": "peeler", "version": "0"})
        self.assertEqual(rows[0]["options"], "--as good")
        self.assertEqual(rows[0]["events"], [fake_peeler.event(number, 'a "größe"') for number in range(2)])
        counts = {"commits": 3, "merges": 1, "unreadable_commits": 0, "events": 2, "tests": 2}
        self.assertEqual(rows[0]["counts"], counts)

    def test_events_have_the_documented_fields(self) -> None:
        documented = json.loads(SCHEMA.read_text())["$defs"]["event"]
        self.assertEqual(EVENT.names, list(documented["properties"]))

    def test_a_repository_that_cannot_be_mined_has_a_row_with_the_error(self) -> None:
        good, failed, last = self.rows("refusing")
        self.assertEqual((good["status"], last["status"]), ("mined", "mined"))
        self.assertEqual(set(failed), set(MINED_SCHEMA.names))
        self.assertEqual((failed["status"], failed["events"], failed["counts"]["commits"]), ("failed", [], 0))
        self.assertEqual(failed["error"], "status 2: error: no such folder")

    def test_a_run_that_dies_is_an_error_of_its_repository(self) -> None:
        self.assertEqual([row["error"] for row in self.rows("dead")], [None, "status -9: (nothing on stderr)", None])

    def test_output_that_cannot_be_read_fails_the_task(self) -> None:
        for behaviour, word in [("torn", "not the output of `peeler mine`"), ("newer", "expected version 1")]:
            with self.subTest(behaviour), self.assertRaisesRegex(TaskError, word):
                self.rows(behaviour)

    def test_a_wrong_program_or_option_fails_the_task(self) -> None:
        with self.assertRaisesRegex(TaskError, "--as strict . --help` ended with status 2"):
            self.rows("strict")
        missing = MineTask("/no/such/program", False, (), MINED_SCHEMA)
        self.assertEqual(list(missing.rows(0, entries(0))), [])
        with self.assertRaises(FileNotFoundError):
            list(missing.rows(0, entries(1)))

    def test_rows_of_another_origin_fail_the_task(self) -> None:
        self.assertEqual(len(self.rows("good", origin=("0", "--as good"))), 3)
        with self.assertRaisesRegex(TaskError, "the table holds rows of"):
            self.rows("good", origin=("1", "--as good"))

    def test_memory_holds_a_history_and_not_a_partition(self) -> None:
        tracemalloc.start()
        self.addCleanup(tracemalloc.stop)
        count = sum(1 for _ in self.task("large").rows(0, entries(20)))
        _, peak = tracemalloc.get_traced_memory()
        self.assertEqual(count, 20)
        self.assertLess(peak, 10 << 20, "20 histories of 1 MB")
