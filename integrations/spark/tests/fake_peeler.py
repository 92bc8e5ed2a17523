"""A program with the commands `scan --repos -` and `mine` and no findings of its own; `--as` names its behaviour."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path


def install(folder: Path) -> Path:
    """Writes a program into a folder that runs this file."""
    program = folder / "peeler"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{__file__}" "$@"\n')
    program.chmod(0o755)
    return program


def finding(number: int, text: str) -> dict[str, object]:
    return {
        "test": f"shop.T#t{number}", "file": "T.java", "line": number, "end_line": number + 1, "probability": 0.000001,
        "found_by": "rule", "rules": [{"rule": "PLR101"}, {"rule": "PLR302"}], "reason": text, "fingerprint": "f",
    }  # fmt: skip


def record(path: str, revision: str, name: str, **changed: object) -> dict[str, object]:
    counts = ("files", "bytes", "tests", "findings", "suppressed", "excluded", "incomplete")
    return {
        "type": "repository", "version": 1, "name": name, "path": path, "revision": revision or None, "commit": None,
        "status": "scanned", "error": None, "tool": {"name": "peeler", "version": "0"},
        "model": {"name": "default", "identity": "0", "threshold": 0.5}, "options": os.environ.get("FAKE_OPTIONS", "0"),
        "counts": dict.fromkeys(counts, 0), "findings": [], "problems": [],
        "run": {"seconds": 0.5, "peak_memory": None}, **changed,
    }  # fmt: skip


def write(value: dict[str, object]) -> None:
    text = json.dumps(value, ensure_ascii=False).replace("1e-06", "1e-6")
    sys.stdout.buffer.write(text.encode() + b"\n")
    sys.stdout.buffer.flush()


def scan(behaviour: str) -> int:
    for number, line in enumerate(sys.stdin.buffer):
        fields = line.decode().rstrip("\n").split("\t")
        second = number == 1
        if behaviour == "silent" and second:
            continue
        if behaviour == "dead" and second:
            print("out of coffee", file=sys.stderr, flush=True)
            os.kill(os.getpid(), signal.SIGKILL)
        if behaviour == "refusing" and second:
            print("error: the model is gone", file=sys.stderr)
            return 2
        if behaviour == "newer":
            write(record(*fields, version=2))
        elif behaviour == "torn" and second:
            sys.stdout.write('{"type":"reposi')
            return 0
        elif behaviour == "large":
            write(record(*fields, findings=[finding(i, "x" * 100_000) for i in range(10)]))
        elif behaviour == "all":
            write(record(*fields, tests=[{"test": "größe", "probability": 0.000001}]))
        elif behaviour == "huge":
            write(record(*fields, tests=["x" * 25_000_000]))
        else:
            write(record(*fields, findings=[finding(3, 'a "größe"\t\u2028')]))
        if behaviour == "twice":
            write(record(*fields))
    return 0


def event(number: int, text: str) -> dict[str, object]:
    return {
        "commit": "c", "path": "T.java", "class": "shop.T", "test": f"t{number}", "fix": "f", "date": "2024-01-31",
        "evidence": "B1", "causes": ["time", "port"], "certainty": 0.9, "subject": text, "today": None,
    }  # fmt: skip


def history(name: str, **changed: object) -> dict[str, object]:
    return {
        "version": 1, "repository": name, "revision": "c", "commits": 3, "merges": 1, "is_shallow": False,
        "unreadable_commits": 0, "first_day": "2024-01-01", "last_day": "2024-01-31",
        "events": [event(number, 'a "größe"') for number in range(2)], "summary": {"tests": 2}, **changed,
    }  # fmt: skip


def mine(behaviour: str, arguments: list[str]) -> int:
    if "--help" in arguments:
        return 2 if behaviour == "strict" else 0
    name = next(it.split("=", 1)[1] for it in arguments if it.startswith("--repository="))
    second = arguments[-1].endswith("1")
    if behaviour == "dead" and second:
        os.kill(os.getpid(), signal.SIGKILL)
    if behaviour == "refusing" and second:
        print("error: no such folder", file=sys.stderr)
        return 2
    if behaviour == "torn" and second:
        sys.stdout.write('{"version": 1, "repos')
    elif behaviour == "newer":
        write(history(name, version=2))
    elif behaviour == "large":
        write(history(name, events=[event(number, "x" * 100_000) for number in range(10)]))
    else:
        write(history(name))
    return 0


def main(arguments: list[str]) -> int:
    if arguments == ["--version"]:
        print("peeler 0")
        return 0
    behaviour = arguments[arguments.index("--as") + 1]
    return scan(behaviour) if arguments[0] == "scan" else mine(behaviour, arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
