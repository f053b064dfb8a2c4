"""Writes the picture of README.md: what `synth explain mutex --model HSA.weak --svg` draws, without its sentences.

`make pictures` runs this, and a test compares what it would write with what is there.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from synth_checker.programs.normal import program_of_id
from synth_documents.graphs.graph import svg_of
from synth_litmus.explanation import explain

FILE = Path(__file__).parent / "pictures" / "mutex.svg"
MUTEX = "01100002-01100002"


def mutex() -> str:
    """The text of the picture."""
    return svg_of(replace(explain(program_of_id(MUTEX), "HSA.weak").graph("mutex"), notes=()))


if __name__ == "__main__":
    FILE.write_text(mutex(), "utf-8")
