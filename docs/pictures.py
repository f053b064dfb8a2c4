"""Writes the pictures of README.md into docs/pictures, from what the commands give.

- `session.svg` is a terminal in which the commands of `SESSION` run. Their output is that of the blocks in README.md,
  which tests compare with what the commands print. The lines appear one after the other, as in a recording. Where a
  system asks for less motion, all lines are there at once.
- `mutex.svg` is what `synth explain mutex --model HSA.weak --svg` draws, without the sentences below the drawing.

`make pictures` runs this, and a test compares what it would write with what is there.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from synth_checker.programs.normal import program_of_id
from synth_documents.graphs.graph import svg_of
from synth_documents.svg import LINE, SvgPicture, width_of
from synth_litmus.explanation import explain

FOLDER = Path(__file__).parent / "pictures"
README = Path(__file__).parents[1] / "README.md"
SESSION = (
    "synth check mutex | tail -7",
    "synth separate LOBE.weak OBE.weak | head -7",
    "synth probe --device sim:strided --launches 5 | sed -n 4,6p",
)
MUTEX = "01100002-01100002"
#: Seconds for a command that somebody types, for a line of output, and for reading before the next command.
_TYPED, _PRINTED, _READ = 0.9, 0.06, 1.6
_MARGIN = 14
_RULES = {
    "paper": ("", "fill: #f6f8fa", "fill: #0d1117"),
    "prompt": ("font-weight: bold", "fill: #1a7f37", "fill: #7ee787"),
    "shown": ("animation: synth-shown .01s backwards", "", ""),
}
_MOTION = """
@keyframes synth-shown {from {opacity: 0}}
@media (prefers-reduced-motion: reduce) {.synth .shown {animation: none}}"""


def session() -> str:
    """The text of session.svg."""
    lines: list[tuple[str, str, float]] = []
    now = 0.3
    for command in SESSION:
        lines.append(("prompt", f"$ {command}", now))
        now += _TYPED
        for line in _printed(command):
            lines.append(("ink", line, now))
            now += _PRINTED
        lines.append(("ink", "", now))
        now += _READ
    del lines[-1]
    delays = {f"at{number}": (f"animation-delay: {at:.2f}s", "", "") for number, (*_, at) in enumerate(lines)}
    about = "\n".join(words for _, words, _ in lines)
    picture = SvgPicture("Three commands of synth in a terminal", about, {**_RULES, **delays}, _MOTION)
    for number, (kind, words, _) in enumerate(lines):
        if words:
            picture.text(_MARGIN, _MARGIN + LINE * (number + 1) - 4, words, f"{kind} shown at{number}")
    width = max(width_of(words) for _, words, _ in lines) + 2 * _MARGIN
    return picture.written(round(width), LINE * len(lines) + 2 * _MARGIN)


def mutex() -> str:
    """The text of mutex.svg."""
    return svg_of(replace(explain(program_of_id(MUTEX), "HSA.weak").graph("mutex"), notes=()))


def _printed(command: str) -> list[str]:
    """What README.md shows below a command."""
    found = re.search(
        rf"^\$ {re.escape(command)}\n(.*?)^(?:```|\$ )", README.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    if found is None:
        raise ValueError(f"README.md: found no block with the command {command!r}, expected one")
    return found[1].splitlines()


PICTURES = {"session.svg": session, "mutex.svg": mutex}

if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, made in PICTURES.items():
        (FOLDER / name).write_text(made(), "utf-8")
