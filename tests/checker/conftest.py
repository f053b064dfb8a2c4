"""The published suite, which lies beside the repository and never in it."""

import functools
import json
from pathlib import Path
from typing import NamedTuple

import pytest

from synth_checker.program import Instruction, Program, Thread

_FOLDER = Path(__file__).parents[2].parent / "shared" / "published"
_FILES = {"2x2": "2t_2i.json", "2x3": "2t_3i.json"}


class Published(NamedTuple):
    alias: str
    text: str
    program: Program
    verdicts: dict[str, str]


@pytest.fixture(scope="session")
def published():
    """A function from a bound to its published tests.

    Where they are absent, what asks for them is skipped; in CI tests/conftest.py makes that a failure.
    """
    if not _FOLDER.is_dir():
        pytest.skip(f"no published suite at {_FOLDER}")
    return _row


@functools.cache
def _row(bound):
    records = json.loads((_FOLDER / _FILES[bound]).read_text("utf-8"))
    return [Published(r["alias"], r["pseudo"], _program(r["threads"]), r["verdicts"]) for r in records]


def _program(threads):
    return Program(tuple(Thread(tuple(Instruction(**fields) for fields in thread)) for thread in threads))
