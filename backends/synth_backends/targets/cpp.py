"""C++20: one program a test, one `std::jthread` a thread, memory as `std::atomic<unsigned>` (mapping plain).

C++ recommends that threads make "concurrent forward progress", which is weak fairness: the baseline beside which GPUs
are put. Every access is a sequentially consistent atomic read-modify-write, the check of a check branch too, which
adds 0, as in section 6.1 of the paper. Loops over atomics may run for ever in C++: no compiler may take them away.

What an instruction does is in the template `test.cpp`, where it can be read beside the C++ around it.
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from synth_backends.rendering import environment
from synth_backends.target import MARK, LitmusTest
from synth_checker.text import write_instruction, write_program

if TYPE_CHECKING:
    from collections.abc import Sequence

_COMMENT_WIDTH = 100


class Cpp:
    """The target `cpp`."""

    name = "cpp"

    def emit(self, tests: Sequence[LitmusTest]) -> dict[str, str]:
        """`test-<id>.cpp` for each test, a Makefile and a README.md."""
        templates = environment(self.name)
        templates.filters["instruction"] = write_instruction
        templates.filters["program"] = write_program
        templates.filters["expectation"] = expectation
        source = templates.get_template("test.cpp")
        sources = {f"{test.file_stem}.cpp": source.render(test=test) for test in sorted(tests, key=lambda t: t.id)}
        return sources | {
            "Makefile": templates.get_template("Makefile").render(),
            "README.md": templates.get_template("README.md").render(tests=tests, mark=MARK),
        }


def expectation(test: LitmusTest) -> str:
    """What the verdicts say of a run, in words; nothing if there are none."""
    meanings = {"pass": "Must terminate under: ", "fail": "May run for ever under: "}
    lines = []
    for verdict, meaning in meanings.items():
        if names := [name for name, given in test.verdicts.items() if given == verdict]:
            lines += textwrap.wrap(
                meaning + ", ".join(names) + ".",
                _COMMENT_WIDTH,
                subsequent_indent="    ",
                break_long_words=False,
                break_on_hyphens=False,
            )
    return "\n".join(lines)
