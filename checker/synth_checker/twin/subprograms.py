"""Find sub-programs and minimal tests by trying every relaxation again and again (definitions, section 6).

The search remembers only the programs that it has found, and prefers no order of relaxations. A test is minimal if,
after all its sub-programs have been found, none is a test with the same signature.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

from synth_checker.programs.program import Instruction, InstructionKind, Program, Thread
from synth_checker.twin.normal import normal_form

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator


class RelaxationResult(NamedTuple):
    """The result of one relaxation: its kind, its place, and the resulting program in normal form.

    The place is a thread and a program location; for a merge, it is the two locations or values that become one.
    """

    kind: str
    at: tuple[int, int]
    program: Program


def relaxations(program: Program, *, keep_store_checks: bool = False) -> list[RelaxationResult]:
    """Return the results of all relaxations of a program in normal form. A resulting program may have no threads."""
    forms = [
        *(("delete", at, without_instruction(program, *at)) for at in _places(program)),
        *(("drop exchange", at, without_exchange(program, *at)) for at in _exchange_branches(program)),
        *(("make store", at, with_store(program, *at)) for at in _exchange_branches(program)),
        *(("merge locations", pair, with_one_location(program, *pair)) for pair in _pairs(_locations(program))),
        *(("merge values", pair, with_one_value(program, *pair)) for pair in _pairs(_values(program))),
    ]
    return [RelaxationResult(kind, at, normal_form(p, keep_store_checks=keep_store_checks)) for kind, at, p in forms]


def subprograms(program: Program, *, keep_store_checks: bool = False) -> set[Program]:
    """Return every program with at least one thread that one or more relaxations lead to."""
    programs: set[Program] = set()
    to_do = [program]
    while to_do:
        for _, _, relaxed in relaxations(to_do.pop(), keep_store_checks=keep_store_checks):
            if relaxed.threads and relaxed not in programs:
                programs.add(relaxed)
                to_do.append(relaxed)
    return programs


def is_minimal(
    test: Program,
    is_test: Callable[[Program], bool],
    signature: Callable[[Program], Hashable],
    *,
    keep_store_checks: bool = False,
) -> bool:
    """Return whether no sub-program of a test is a test with the same signature.

    `is_test` and `signature` are the functions that decide whether a program is a test, and which signature it has.
    """
    return not any(
        is_test(program) and signature(program) == signature(test)
        for program in subprograms(test, keep_store_checks=keep_store_checks)
    )


def without_instruction(program: Program, thread: int, pc: int) -> Program:
    """Delete an instruction (relaxation a). Jumps to it go to the instruction that followed it.

    Later locations move down by one. If the thread becomes empty, it is removed, and later thread ids move down by one.
    """
    instructions = [i for k, i in enumerate(program[thread]) if k != pc]
    moved = tuple(
        Instruction(i.loc, i.check, i.target if i.target <= pc else i.target - 1, i.exch) for i in instructions
    )
    threads = list(program)
    threads[thread : thread + 1] = [Thread(moved)] if moved else []
    return Program(tuple(threads))


def without_exchange(program: Program, thread: int, pc: int) -> Program:
    """Replace an exchange branch by a check branch (relaxation b)."""
    i = program[thread][pc]
    return _with_instruction(program, thread, pc, Instruction(i.loc, i.check, i.target, None))


def with_store(program: Program, thread: int, pc: int) -> Program:
    """Replace an exchange branch by a store (relaxation c), which always goes on to the next location."""
    i = program[thread][pc]
    return _with_instruction(program, thread, pc, Instruction(i.loc, i.check, pc + 1, i.exch))


def with_one_location(program: Program, kept: int, gone: int) -> Program:
    """Merge two memory locations (relaxation d): the location `gone` becomes `kept`."""
    return _mapped(program, lambda i: Instruction(kept if i.loc == gone else i.loc, i.check, i.target, i.exch))


def with_one_value(program: Program, kept: int, gone: int) -> Program:
    """Merge two values (relaxation d): the value `gone` becomes `kept`."""

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
    """Return the values in a program, and 0, with which all memory starts."""
    named = {value for _, _, i in program.instructions() for value in (i.check, i.exch) if value is not None}
    return named | {0}


def _pairs(names: set[int]) -> Iterator[tuple[int, int]]:
    return itertools.combinations(sorted(names), 2)
