"""Small Java repositories, the same ones in every run: folders and bare clones, with and without findings."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

# Bodies of tests, with and without findings. The last never has one.
BODIES = [
    "Thread.sleep({number}); assertTrue(done());",
    'Map<String, Integer> it = new HashMap<>(); it.put("a", {number}); assertEquals("{{a={number}}}", it.toString());',
    "long now = System.currentTimeMillis(); assertEquals(now + {number}, System.currentTimeMillis());",
    "assertNotEquals(new Random().nextInt(), {number});",
    "assertEquals({number}, Integer.parseInt(String.valueOf({number})));",
]

CLASS = """package shop;
import static org.junit.Assert.*;
import java.util.*;
import org.junit.Test;
public class {name} {{
{tests}
    static boolean done() {{ return true; }}
}}
"""


@dataclass(frozen=True)
class Repository:
    """A line of a list."""

    path: str
    revision: str
    name: str

    def line(self) -> str:
        return f"{self.path}\t{self.revision}\t{self.name}\n"


def java(name: str, seed: int) -> str:
    """A test class with one to four tests."""
    tests = [
        f"    @Test public void case{i}() throws Exception {{\n"
        f"        {BODIES[(seed + i * 3) % len(BODIES)].format(number=seed + i)}\n    }}"
        for i in range(1 + seed % 4)
    ]
    return CLASS.format(name=name, tests="\n".join(tests))


def files(seed: int) -> Iterator[tuple[str, str]]:
    """The files of a repository; every ninth has no Java."""
    yield "README.md", f"Shop {seed}\n"
    if seed % 9 != 8:
        for i in range(1 + seed % 3):
            yield f"src/test/java/shop/Größe{seed}x{i}Test.java", java(f"Größe{seed}x{i}Test", seed + i)


def write_folder(folder: Path, seed: int) -> None:
    for name, text in files(seed):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def write_bare_clone(folder: Path, commits: Iterable[tuple[str, Iterable[tuple[str, str]]]]) -> None:
    """Writes a bare repository, without a work tree at any time. A commit has a message and files."""
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", folder], check=True)
    stream = []
    for day, (message, changed) in enumerate(commits):
        time, subject = 1_700_000_000 + 86_400 * day, message.encode()
        stream.append(b"commit refs/heads/main\ncommitter Shop <shop@example.org> %d +0000\n" % time)
        stream.append(b"data %d\n%s\n" % (len(subject), subject))
        for name, text in changed:
            content = text.encode()
            stream.append(b"M 100644 inline %s\ndata %d\n%s\n" % (name.encode(), len(content), content))
    subprocess.run(["git", "fast-import", "--quiet"], cwd=folder, input=b"".join(stream), check=True)


def history(seed: int) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Commits that fix flaky tests, and one that does not."""
    yield "Add the shop", list(files(0))
    for number in range(1 + seed % 3):
        path, name = f"src/test/java/shop/Shop{number}Test.java", f"Shop{number}Test"
        first = CLASS.format(
            name=name, tests="    @Test public void opens() { Thread.sleep(100); assertTrue(done()); }"
        )
        yield f"Add {name}", [(path, first)]
        yield f"Fix flaky {name}", [(path, first.replace("Thread.sleep(100)", "while (!done()) Thread.yield()"))]


def write_histories(folder: Path, count: int) -> list[Repository]:
    """Writes bare clones with histories and returns their lines. The last two cannot be mined."""
    lines = []
    for seed in range(count - 2):
        path = folder / f"shop {seed}.git"
        write_bare_clone(path, history(seed))
        lines.append(Repository(str(path), "main" if seed % 2 else "", f"größe/{seed}"))
    (folder / "plain").mkdir()
    return [*lines, *(Repository(str(folder / name), "", name) for name in ("plain", "missing"))]


def write_repositories(folder: Path, count: int) -> list[Repository]:
    """Writes repositories and returns their lines. The last one is missing, the others alternate between both kinds."""
    lines = []
    for seed in range(count - 1):
        if seed % 2 == 0:
            path = folder / f"shop {seed}"
            write_folder(path, seed)
            lines.append(Repository(str(path), "", f"shop-{seed}"))
        else:
            path = folder / f"shop-{seed}.git"
            write_bare_clone(path, [("", files(seed))])
            lines.append(Repository(str(path), "main", f"größe/{seed}"))
    return [*lines, Repository(str(folder / "missing"), "", "missing")]
