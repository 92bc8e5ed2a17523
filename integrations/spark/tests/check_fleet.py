"""Checks the job on many repositories, with a killed executor and a quarter of the tasks failed once.

    cd integrations/spark
    PEELER_BINARY=... python -m tests.check_fleet --generated 500
    PEELER_BINARY=... python -m tests.check_fleet --projects projects.csv --clones folder

A table of projects has the columns project, repository (`owner/name`) and commit. A bare clone is `owner+name/repo`.
The last line is a JSON object with counts and seconds. Exit status: 0 if the table equals plain scans, 1 if not.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
import tempfile
import time
from multiprocessing.pool import ThreadPool
from pathlib import Path
from typing import Any

from tests import cluster, compare, local, plain
from tests.generated import Repository, write_repositories


def projects(table: Path, clones: Path) -> list[Repository]:
    """The projects of a table, as lines that name bare clones."""
    with table.open(newline="") as file:
        rows = list(csv.DictReader(file))
    return [
        Repository(str(bare(clones / row["repository"].replace("/", "+") / "repo")), row["commit"], row["project"])
        for row in rows
    ]


def bare(clone: Path) -> Path:
    return clone / ".git" if (clone / ".git").is_dir() else clone


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--generated", type=int, metavar="N", help="write and scan N small repositories")
    parser.add_argument("--projects", type=Path, metavar="CSV", help="scan the projects of a table")
    parser.add_argument("--clones", type=Path, metavar="FOLDER", help="the folder of the projects' clones")
    parser.add_argument("--partitions", type=int, default=24)
    parser.add_argument("--memory", type=int, default=1024, help="megabytes of an executor")
    return parser.parse_args()


def check(repositories: list[Repository], folder: Path, given: argparse.Namespace) -> dict[str, Any]:
    """Runs the job and plain scans, and returns what to print."""
    (folder / "list.txt").write_text("".join(it.line() for it in repositories))
    output = folder / "table"
    job = ["--repos", str(folder / "list.txt"), "--output", str(output), "--binary", plain.binary()]
    job += ["--partitions", str(given.partitions)]
    spark = cluster.Cluster(memory=given.memory, limit=3600)
    ran = spark.run(cluster.FAILING_JOB, job, kill_after=given.partitions // 3)
    if ran.status != 0:
        raise SystemExit(ran.log)
    began = time.monotonic()
    with ThreadPool(2) as pool:
        scans = dict(zip(repositories, pool.map(plain.scan, repositories)))
    plain_seconds = time.monotonic() - began
    rows = local.session().read.parquet(str(output)).collect()
    differences = compare.differences(rows, scans)
    return {
        "repositories": len(rows),
        "scanned": sum(row.status == "scanned" for row in rows),
        "findings": sum(len(row.findings) for row in rows),
        "plain_findings": sum(len(it["findings"]) for it in scans.values() if it),
        "partitions": given.partitions,
        "executor_killed": ran.killed is not None and "Lost executor" in ran.log,
        "failed_attempts": ran.failed_tasks(),
        "spark_seconds": round(ran.seconds, 1),
        "plain_seconds": round(plain_seconds, 1),
        "differences": differences,
    }


def main() -> int:
    given = arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        repositories = projects(given.projects, given.clones) if given.projects else []
        if given.generated:
            repositories += write_repositories(folder / "repositories", given.generated)
        result = check(repositories, folder, given)
    print(json.dumps(result))
    retried = result["failed_attempts"] >= given.partitions // 4
    return 0 if not result["differences"] and result["executor_killed"] and retried else 1


if __name__ == "__main__":
    sys.exit(main())
