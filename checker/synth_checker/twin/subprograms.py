"""Sub-programs and minimality by trying every relaxation, and every relaxation of that (definitions, section 6).

Nothing is remembered but the programs met, and no order of relaxations is preferred: a test is minimal where all its
sub-programs have been seen and none is a test with its signature.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

from synth_checker.programs.program import Instruction, InstructionKind, Program, Thread
from synth_checker.twin.normal import normal_form

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator


class Relaxed(NamedTuple):
    """What one relaxation makes of a program: its kind, (thread, place) or the two names, and the normal form."""

    kind: str
    at: tuple[int, int]
    program: Program


def relaxations(program: Program, *, keep_store_checks: bool = False) -> list[Relaxed]:
    """Every relaxation of a program in normal form; what is left may have no thread."""
    found = [
        *(("delete", at, without_instruction(program, *at)) for at in _places(program)),
        *(("drop exchange", at, without_exchange(program, *at)) for at in _exchange_branches(program)),
        *(("make store", at, with_store(program, *at)) for at in _exchange_branches(program)),
        *(("merge locations", pair, with_one_location(program, *pair)) for pair in _pairs(_locations(program))),
        *(("merge values", pair, with_one_value(program, *pair)) for pair in _pairs(_values(program))),
    ]
    return [Relaxed(kind, at, normal_form(p, keep_store_checks=keep_store_checks)) for kind, at, p in found]


def subprograms(program: Program, *, keep_store_checks: bool = False) -> set[Program]:
    """Every program with at least one thread that one or more relaxations reach."""
    found: set[Program] = set()
    to_do = [program]
    while to_do:
        for _, _, relaxed in relaxations(to_do.pop(), keep_store_checks=keep_store_checks):
            if relaxed.threads and relaxed not in found:
                found.add(relaxed)
                to_do.append(relaxed)
    return found


def is_minimal(
    test: Program,
    is_test: Callable[[Program], bool],
    signature: Callable[[Program], Hashable],
    *,
    keep_store_checks: bool = False,
) -> bool:
    """Whether no sub-program of a test is a test with the same signature."""
    return not any(
        is_test(program) and signature(program) == signature(test)
        for program in subprograms(test, keep_store_checks=keep_store_checks)
    )


def without_instruction(program: Program, thread: int, pc: int) -> Program:
    """(a) Jumps to it go to what followed it, later locations move down by one; so do ids where a thread is gone."""
    instructions = [i for k, i in enumerate(program[thread]) if k != pc]
    moved = tuple(
        Instruction(i.loc, i.check, i.target if i.target <= pc else i.target - 1, i.exch) for i in instructions
    )
    threads = list(program)
    threads[thread : thread + 1] = [Thread(moved)] if moved else []
    return Program(tuple(threads))


def without_exchange(program: Program, thread: int, pc: int) -> Program:
    """(b) The exchange branch is a check branch."""
    i = program[thread][pc]
    return _with_instruction(program, thread, pc, Instruction(i.loc, i.check, i.target, None))


def with_store(program: Program, thread: int, pc: int) -> Program:
    """(c) The exchange branch is a store: it goes to the next location, whatever it compares."""
    i = program[thread][pc]
    return _with_instruction(program, thread, pc, Instruction(i.loc, i.check, pc + 1, i.exch))


def with_one_location(program: Program, kept: int, gone: int) -> Program:
    """(d) Two memory locations are one."""
    return _mapped(program, lambda i: Instruction(kept if i.loc == gone else i.loc, i.check, i.target, i.exch))


def with_one_value(program: Program, kept: int, gone: int) -> Program:
    """(d) Two values are one."""

    def other(value: int) -> int:
        return kept if value == gone else value

    return _mapped(
        program,
        lambda i: Instruction(i.loc, other(i.check), i.target, None if i.exch is None else other(i.exch)),
    )


def _with_instruction(program: Program, thread: int, pc: int, instruction: Instruction) -> Program:
    lists = [list(t) for t in program]
    lists[thread][pc] = instruction
    return Program(tuple(Thread(tuple(t)) for t in lists))


def _mapped(program: Program, change: Callable[[Instruction], Instruction]) -> Program:
    return Program(tuple(Thread(tuple(map(change, thread))) for thread in program))


def _places(program: Program) -> Iterator[tuple[int, int]]:
    return ((thread, pc) for thread, pc, _ in program.instructions())


def _exchange_branches(program: Program) -> Iterator[tuple[int, int]]:
    return ((t, pc) for t, pc in _places(program) if program[t].kind(pc) is InstructionKind.EXCHANGE_BRANCH)


def _locations(program: Program) -> set[int]:
    return {i.loc for _, _, i in program.instructions()}


def _values(program: Program) -> set[int]:
    """Those it names, and 0, with which all memory starts."""
    named = {value for _, _, i in program.instructions() for value in (i.check, i.exch) if value is not None}
    return named | {0}


def _pairs(names: set[int]) -> Iterator[tuple[int, int]]:
    return itertools.combinations(sorted(names), 2)
