"""Run the command line inside the process of the tests; most of its tests need no process of its own."""

import io
import json
from typing import NamedTuple

import pytest

import answer_calls
from synth import cli


class Ran(NamedTuple):
    """What a command left behind: its exit code and what it printed."""

    code: int
    out: str
    err: str


@pytest.fixture
def synth(capfd, monkeypatch, tmp_path):
    """A function that runs `synth` with the given words, in an empty folder, 100 columns wide and without colours."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("XDG_CACHE_HOME", f"{tmp_path}.cache")
    for name in ("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)

    def run(*words, stdin=""):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin.encode("utf-8"))))
        capfd.readouterr()
        with pytest.raises(SystemExit) as left:
            cli.main(list(map(str, words)))
        return Ran(left.value.code, *capfd.readouterr())

    return run


@pytest.fixture
def kernels(tmp_path):
    """A function that writes kernels into a file of an empty folder, and returns its path."""

    def write(*texts, name="k.kernel"):
        path = tmp_path / name
        path.write_text("\n".join(texts), "utf-8")
        return path

    return write


@pytest.fixture(scope="session")
def unusual():
    """A mutex, renamed, with a no-op, and a store that compares with 1."""
    return """// a mutex, unusual
THREAD 0
0: if (Mem[7] == 3) goto 1;
1: if (Exch(Mem[5],4) == 4) goto 1;
2: if (Exch(Mem[5],0) == 4) goto 3;

THREAD 1
0: if (Exch(Mem[5],4) == 4) goto 0;
1: Mem[5] = 0;
"""


@pytest.fixture
def rights():
    """A function that sets the rights of a folder or file until the end of the test."""
    changed = []

    def change(path, mode):
        changed.append((path, path.stat().st_mode))
        path.chmod(mode)

    yield change
    for path, mode in changed:
        path.chmod(mode)


@pytest.fixture
def called(synth, unusual, tmp_path):
    """A function that calls a command and gives what it prints, an object a line or one of several lines."""
    answer_calls.lay_for_calls(tmp_path, unusual)

    def call(words):
        for needed, made_by in answer_calls.MADE.items():
            if needed in words:
                assert synth(*made_by).code == 0
        if answer_calls.FAULTY in words:
            manifest = tmp_path / answer_calls.FAULTY / "manifest.json"
            manifest.write_text(manifest.read_text().replace('"tests": 8', '"tests": 7'))
        ran = synth(*words)
        assert ran.code in {0, 1}, ran.err
        try:
            return [json.loads(ran.out)]
        except json.JSONDecodeError:
            return [json.loads(line) for line in ran.out.splitlines()]

    return call
