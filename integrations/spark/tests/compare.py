"""Comparison of a table with plain scans."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from pyspark.sql import Row

from tests.generated import Repository

COMPARED = ("test", "file", "line", "end_line", "found_by", "reason", "fingerprint")


def differences(rows: Iterable[Row], plain: dict[Repository, dict[str, Any] | None]) -> list[str]:
    """What differs between the rows of a table and the plain scans of the same repositories."""
    rows = list(rows)
    names = sorted(row.name for row in rows)
    if names != sorted(it.name for it in plain):
        return [f"the names differ: {names}"]
    by_name = {row.name: row for row in rows}
    return [f"{it.name}: {what}" for it, scan in plain.items() for what in row_differences(by_name[it.name], it, scan)]


def row_differences(row: Row, repository: Repository, scan: dict[str, Any] | None) -> list[str]:
    found = []
    if (row.path, row.revision or "") != (repository.path, repository.revision):
        found.append(f"another line: {row.path} {row.revision}")
    if (row.status == "scanned") != (scan is not None):
        found.append(f"status {row.status}, error {row.error}")
    expected = scan["findings"] if scan else []
    if [json.loads(it.json) for it in row.findings] != expected:
        found.append(f"{len(row.findings)} findings instead of {len(expected)}, or others")
    if row.counts.findings != len(expected):
        found.append(f"counts {row.counts.findings} findings")
    for finding, element in zip(expected, row.findings):
        if [finding[name] for name in COMPARED] != [element[name] for name in COMPARED]:
            found.append(f"the columns of {finding['test']}")
        if [it["rule"] for it in finding["rules"]] != element.rules:
            found.append(f"the rules of {finding['test']}: {element.rules}")
        if abs(finding["probability"] - element.probability) > 1e-7:
            found.append(f"the probability of {finding['test']}: {element.probability}")
    return found
