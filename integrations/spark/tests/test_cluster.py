"""End-to-end tests: the job on a cluster of two executors, against plain runs of the same program."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from tests import cluster, compare, failing_fleet, generated, local, plain

PARTITIONS = 12


class ClusterTest(unittest.TestCase):
    folder: Path
    repositories: list[generated.Repository]
    slow: Path

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.repositories = generated.write_repositories(cls.folder / "repositories", 12)
        (cls.folder / "list.txt").write_text("# path, revision, name\n" + "".join(it.line() for it in cls.repositories))
        # A program that is slow enough for an executor to be killed while it runs.
        cls.slow = cls.folder / "peeler"
        cls.slow.write_text(f'#!/bin/sh\nsleep 1\nexec "{plain.binary()}" "$@"\n')

    def test_a_killed_executor_and_failed_tasks_change_no_row(self) -> None:
        output = self.folder / "fleet.parquet"
        arguments = ["--repos", str(self.folder / "list.txt"), "--output", str(output), "--ship", str(self.slow)]
        arguments += ["--partitions", str(PARTITIONS), "--with-run"]
        ran = cluster.Cluster().run(cluster.FAILING_JOB, arguments, kill_after=2)

        self.assertEqual(ran.status, 0, ran.log)
        self.assertIsNotNone(ran.killed, ran.log)
        self.assertIn("Lost executor", ran.log)
        self.assertIn(failing_fleet.MESSAGE, ran.log)
        self.assertGreaterEqual(ran.failed_tasks(), PARTITIONS // 4, ran.log)
        self.assertIn("12 repositories, 1 errors, ", ran.log)

        rows = local.session().read.parquet(str(output)).collect()
        scans = {it: plain.scan(it) for it in self.repositories}
        self.assertEqual(compare.differences(rows, scans), [])
        self.assertGreater(sum(len(row.findings) for row in rows), 5, "so few findings compare nothing")
        self.assertEqual({row.status for row in rows}, {"scanned", "no-java", "failed"})
        self.assertGreater(len({row.partition for row in rows}), 4, "the rows of several tasks")

        merge = [plain.binary(), "merge", "--format", "jsonl", *map(str, output.glob("partition=*/*.parquet"))]
        merged = (
            subprocess.run(merge, check=True, capture_output=True, timeout=plain.SECONDS).stdout.decode().splitlines()
        )
        records = {it["name"]: it for it in map(json.loads, merged)}
        self.assertEqual(sorted(records), sorted(row.name for row in rows))
        for repository, scan in scans.items():
            self.assertEqual(records[repository.name]["findings"], scan["findings"] if scan else [])

    def test_histories_give_the_events_of_plain_runs(self) -> None:
        repositories = generated.write_histories(self.folder / "histories", 8)
        (self.folder / "histories.txt").write_text("".join(it.line() for it in repositories))
        output = self.folder / "mined.parquet"
        arguments = ["--what", "mine", "--repos", str(self.folder / "histories.txt"), "--output", str(output)]
        arguments += ["--partitions", "8", "--ship", str(self.slow)]
        ran = cluster.Cluster().run(cluster.FAILING_JOB, arguments, kill_after=1)

        self.assertEqual(ran.status, 0, ran.log)
        self.assertIsNotNone(ran.killed, ran.log)
        self.assertIn(failing_fleet.MESSAGE, ran.log)
        self.assertIn("8 repositories, 2 errors, 12 events", ran.log)

        rows = {row.name: row for row in local.session().read.parquet(str(output)).collect()}
        self.assertEqual(sorted(rows), sorted(it.name for it in repositories))
        for repository in repositories:
            row, mined = rows[repository.name], plain.mine(repository)
            self.assertEqual((row.path, row.revision or ""), (repository.path, repository.revision))
            if isinstance(mined, str):
                self.assertEqual((row.status, row.error, row.events), ("failed", f"status 2: {mined.strip()}", []))
                continue
            self.assertEqual(row.status, "mined")
            self.assertEqual([it.asDict(recursive=True) for it in row.events], mined["events"])
            self.assertEqual(row.counts.events, len(mined["events"]))
            self.assertEqual((row.counts.commits, row.commit), (mined["commits"], mined["revision"]))
            self.assertEqual({it.subject.split()[0] for it in row.events}, {"Fix"})

    def test_a_job_over_its_limit_is_killed_and_shows_its_log(self) -> None:
        arguments = ["--repos", str(self.folder / "list.txt"), "--output", str(self.folder / "never.parquet")]
        ran = cluster.Cluster(limit=2).run(cluster.JOB, arguments, kill_after=0)
        self.assertEqual((ran.status, ran.killed), (None, None))
        self.assertIn("the job took longer than 2 seconds and was killed", ran.log)
        self.assertLess(ran.seconds, 60)
