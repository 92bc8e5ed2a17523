"""Small Java repositories, the same ones in every run: folders and bare clones, with and without findings."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

# Bodies of tests. Most have a finding, the last has none.
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


def write_bare_clone(folder: Path, seed: int) -> None:
    """Writes a bare repository with one commit, without a work tree at any time."""
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", folder], check=True)
    stream = [b"commit refs/heads/main\ncommitter Shop <shop@example.org> 1700000000 +0000\ndata 0\n"]
    for name, text in files(seed):
        content = text.encode()
        stream.append(b"M 100644 inline %s\ndata %d\n%s\n" % (name.encode(), len(content), content))
    subprocess.run(["git", "fast-import", "--quiet"], cwd=folder, input=b"".join(stream), check=True)


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
            write_bare_clone(path, seed)
            lines.append(Repository(str(path), "main", f"größe/{seed}"))
    return [*lines, Repository(str(folder / "missing"), "", "missing")]
