"""The texts of `synth check` and `synth show`: the verdicts of a program, and all known facts about one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from synth_checker.programs.rules import RULES
from synth_checker.programs.text import write_instruction, write_program
from synth_checker.question import split_name
from synth_documents.columns import verdict_table
from synth_documents.lines import Heading
from synth_documents.readable import safe_title

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_checker.programs.program import Program
    from synth_documents.lines import Lines
    from synth_litmus.facts.program_facts import CheckAnswer, ProgramAnswer, ShowAnswer


def check_lines(answer: CheckAnswer) -> Lines:
    """Yield lines about a program: whether it is a test, its verdicts, and in which its normal form differs."""
    check = answer.check
    yield Heading(safe_title(answer.name, answer.id))
    yield from write_program(check.program).splitlines()
    yield from _form_notes(answer)
    yield "A test." if check.is_test else f"Not a test: it breaks {', '.join(check.breaks)}."
    yield verdict_table(check.verdicts)
    yield from check.differences()
    if answer.certified:
        yield "Each verdict is certified."


def show_lines(answer: ShowAnswer) -> Lines:
    """Yield lines about a program: its name, its idioms, the kind of each instruction, each rule, and the verdicts."""
    check, program = answer.check, answer.check.program
    yield Heading(answer.id if answer.name == answer.called else safe_title(answer.name, answer.id))
    yield f"{len(program)}x{program.size}, split {split_name(map(len, program))}; {answer.states} reachable states"
    yield f"called {answer.called}"
    if answer.idiom is not None:
        yield f"idiom {answer.idiom}"
    elif answer.reordered is not None:
        yield f"as the idiom {answer.reordered}, but with the threads in another order and with other verdicts"
    if answer.contains:
        yield f"contains as sub-programs, whose verdicts may differ: {', '.join(answer.contains)}"
    yield from _form_notes(answer)
    yield _instructions(program)
    for rule in RULES:
        yield f"{'breaks' if rule in check.breaks else 'keeps '} {rule}"
    yield "A test." if check.is_test else "Not a test."
    yield verdict_table(check.verdicts)
    yield from check.differences()


def _form_notes(answer: ProgramAnswer) -> Iterator[str]:
    """Say that the program shown is a normal form, and which of the two programs is judged, if they differ."""
    if answer.given.program != answer.check.program:
        yield "(the normal form of the program given)"
    if answer.check.has_no_ops:
        yield "Rules and verdicts are those of the program given, with its no-ops."


def _instructions(program: Program) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    for tid, thread in enumerate(program):
        table.add_row(f"THREAD {tid}", "", style="bold")
        for pc in range(len(thread)):
            table.add_row(f"{pc}: {write_instruction(thread, pc)}", thread.kind(pc).value)
    return table
