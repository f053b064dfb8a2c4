"""Normal form and id of a program (definitions, section 2).

Two programs have the same normal form if they differ only in no-ops, in what a store compares, or in the names of
locations and of non-zero values. Programs that differ in the order of their threads have different normal forms,
because models tell threads apart. The id is the normal form written out, with four base-36 digits for each instruction.
So it is the same in every run, bound and release, and the program can be read back from it.

If the rule `meaningful-comparisons` is dropped, stores that compare with different values are different programs. Then
`keep_store_checks` is true, and the normal form keeps the check of a store, which names a value.
"""

from __future__ import annotations

from itertools import starmap

from synth_checker.errors import InputError, excerpt
from synth_checker.programs.id_layout import ID_PATTERN, fields_of, joined_threads, threads_of
from synth_checker.programs.program import Instruction, Program, Thread


def normal_form(program: Program, *, keep_store_checks: bool = False) -> Program:
    """Return the normal form of a program. Programs that differ only in no-ops and names have the same normal form.

    `keep_store_checks` says whether the check of a store is kept or replaced by 0.
    """
    threads = [t for t in (_without_no_ops(list(thread)) for thread in program) if t]
    if not keep_store_checks:
        threads = [_with_zero_store_checks(thread) for thread in threads]
    return _named_by_first_use(threads)


def with_no_ops(program: Program) -> Program:
    """Return the normal form of a program, but with its no-ops. Each no-op reads `Mem[0]` and compares it with 0.

    The result takes the same steps as the program, with other names of locations and values. So it has the same
    verdicts as the program under every model. The true normal form has the same verdicts only under some models
    (definitions, section 9).
    """
    return _named_by_first_use([_with_zero_store_checks(list(thread)) for thread in program])


def _named_by_first_use(threads: list[list[Instruction]]) -> Program:
    """Return the program of these threads with locations and values named by first use; no-ops name nothing."""
    locations: dict[int, int] = {}
    values: dict[int, int] = {0: 0}

    def renamed(i: Instruction, pc: int) -> Instruction:
        if is_no_op(i, pc):
            return Instruction(0, 0, i.target, None)
        loc = locations.setdefault(i.loc, len(locations))
        check = values.setdefault(i.check, len(values))
        exch = None if i.exch is None else values.setdefault(i.exch, len(values))
        return Instruction(loc, check, i.target, exch)

    return Program(tuple(Thread(tuple(renamed(i, pc) for pc, i in enumerate(thread))) for thread in threads))


def _without_no_ops(thread: list[Instruction]) -> list[Instruction]:
    """Delete no-ops one by one: a deletion can turn a jump over the no-op into a jump to what follows, a new no-op."""
    while True:
        no_op = next((pc for pc, i in enumerate(thread) if is_no_op(i, pc)), None)
        if no_op is None:
            return thread
        thread = [
            Instruction(i.loc, i.check, i.target - (i.target > no_op), i.exch)
            for pc, i in enumerate(thread)
            if pc != no_op
        ]


def _with_zero_store_checks(thread: list[Instruction]) -> list[Instruction]:
    """Replace the check of each store by 0, because the comparison of a store decides nothing."""
    return [Instruction(i.loc, 0 if i.target == pc + 1 else i.check, i.target, i.exch) for pc, i in enumerate(thread)]


def id_of(program: Program, *, keep_store_checks: bool = False) -> str:
    """Return the id of a program, which is its normal form written out."""
    return written_out(normal_form(program, keep_store_checks=keep_store_checks))


def written_out(program: Program) -> str:
    """Return a program as the digits `loc check exch target` of each instruction, with `-` between threads.

    The program is written as it is. The result is an id only if the program is in normal form.
    """
    return joined_threads(thread.digits for thread in program)


def program_of_id(text: str) -> Program:
    """Return the program that an id writes out. The id need not be that of a normal form.

    The empty id stands for the program without threads.

    Raises:
        InputError: the text is not an id, or a target lies outside its thread.
        LimitError: a thread has more than 35 instructions.
    """
    if not text:
        return Program(())
    if not ID_PATTERN.fullmatch(text):
        expected = "expected four base-36 digits for each instruction (loc check exch target), and '-' between threads"
        raise InputError(f"id {excerpt(text)!r}: {expected}")
    try:
        return Program(tuple(Thread(tuple(starmap(Instruction, fields_of(digits)))) for digits in threads_of(text)))
    except InputError as error:
        raise type(error)(f"id {excerpt(text)!r}: {error}") from None


def is_no_op(i: Instruction, pc: int) -> bool:
    """Return whether the instruction `i` at location `pc` is a no-op: it writes nothing and goes to the next one."""
    return i.exch is None and i.target == pc + 1
