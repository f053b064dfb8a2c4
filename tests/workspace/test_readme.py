"""What the documents show is what happens: their commands are run, and their output compared."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import written

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(?P<kind>\w+)(?: title=(?P<title>\S+))?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
#: What differs from run to run, and from machine to machine.
TIMES = [
    (re.compile(r"[0-9.]+ s, [0-9,]+ tests/s"), "T s, R tests/s"),
    (re.compile(r'"driver":"[^"]*"'), '"driver":"D"'),
]


def documents_with(kind, *marks):
    """Each document that has such blocks; all but the README are marked."""
    found = [
        pytest.param(path, marks=() if path.name == "README.md" else marks, id=path.name)
        for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
        if f"```{kind}\n" in path.read_text()
    ]
    return pytest.mark.parametrize("document", found)


def shown(text: str) -> str:
    for pattern, word in TIMES:
        text = pattern.sub(word, text)
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def commands(block: str) -> list[tuple[str, str]]:
    parts = re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)
    return list(zip(parts[1::2], parts[2::2], strict=True))


@documents_with("console", pytest.mark.full)
def test_the_commands_of_a_document_print_what_it_shows(document, tmp_path):
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for block in BLOCK.finditer(document.read_text()):
        if block["title"]:
            (tmp_path / block["title"]).write_text(block["text"])
        elif block["kind"] == "console":
            for command, expected in commands(block["text"]):
                done = subprocess.run(
                    ["/bin/bash", "-o", "pipefail", "-c", command],
                    cwd=tmp_path,
                    env={**os.environ, "PATH": path, "XDG_CACHE_HOME": str(tmp_path / ".cache")},
                    capture_output=True,
                    text=True,
                    timeout=120,
                )
                assert shown(done.stdout) == shown(expected), (command, done.stderr)
                assert not done.stderr, command
    for folder in tmp_path.glob("*.corpus"):
        written.check_corpus(folder)


@documents_with("python")
def test_the_python_examples_of_a_document_print_what_their_comments_say(document, tmp_path, monkeypatch, capsys):
    """From top to bottom, as one session."""
    monkeypatch.chdir(tmp_path)
    session = {}
    for block in BLOCK.finditer(document.read_text()):
        if block["kind"] == "python":
            exec(compile(block["text"], document.name, "exec"), session)  # noqa: S102  (it is our own)
            expected = re.findall(r"print\(.*\)  # (.*)", block["text"])
            assert capsys.readouterr().out.splitlines() == expected


def test_the_examples_of_the_package_are_true():
    import doctest

    import synth

    results = doctest.testmod(synth)
    assert results.attempted
    assert not results.failed
