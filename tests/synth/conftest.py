"""The command line, run inside the tests' process: most of its tests need no process of its own."""

import io
from typing import NamedTuple

import pytest

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
    for name in ("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)

    def run(*words, stdin=""):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin.encode("utf-8"))))
        capfd.readouterr()
        with pytest.raises(SystemExit) as left:
            cli.main(list(map(str, words)))
        return Ran(left.value.code, *capfd.readouterr())

    return run
