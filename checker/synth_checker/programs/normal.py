"""Normal form and id (definitions, section 2).

Two programs that differ only in no-ops, in what a store compares, or in the names of locations and non-zero values
have one normal form; thread ids are no symmetry, since models tell threads apart. The id is the normal form written
out, four base-36 digits an instruction, so it is the same in every run, bound and release, and can be read back.

Where the rule `meaningful-comparisons` is dropped, stores that compare with different values are different programs:
then `keep_store_checks` is true, and a store's check is kept and names a value.
"""

from __future__ import annotations

from itertools import starmap

from synth_checker.errors import InputError, excerpt
from synth_checker.programs.id_layout import ID_PATTERN, fields_of, joined, threads_of
from synth_checker.programs.program import Instruction, Program, Thread


def normal_form(program: Program, *, keep_store_checks: bool = False) -> Program:
    """The one representative of all programs equal to `program` up to no-ops and names."""
    threads = [t for t in (_without_no_ops(list(thread)) for thread in program) if t]
    if not keep_store_checks:
        threads = [_with_zero_store_checks(thread) for thread in threads]
    return _named_by_first_use(threads)


def with_no_ops(program: Program) -> Program:
    """The normal form with the no-ops of the program left in; each of them reads `Mem[0]` and compares it with 0.

    It takes the same steps as the program, with other names of locations and values. So it has the verdicts of the
    program under every model. The normal form itself has them only under some models (definitions, section 9).
    """
    return _named_by_first_use([_with_zero_store_checks(list(thread)) for thread in program])


def _named_by_first_use(threads: list[list[Instruction]]) -> Program:
    """The program of these threads with its locations and values renamed; no-ops name nothing."""
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
    """A store's comparison decides nothing, so it compares with 0."""
    return [Instruction(i.loc, 0 if i.target == pc + 1 else i.check, i.target, i.exch) for pc, i in enumerate(thread)]


def id_of(program: Program, *, keep_store_checks: bool = False) -> str:
    """The id of a program: its normal form, written out."""
    return written_out(normal_form(program, keep_store_checks=keep_store_checks))


def written_out(program: Program) -> str:
    """A program as `loc check exch target` digits, threads joined by `-`, without bringing it to normal form."""
    return joined(thread.digits for thread in program)


def program_of_id(text: str) -> Program:
    """The program an id writes out, as it stands: an id that is not a normal form is read all the same.

    The empty id is that of the empty program.

    Raises:
        InputError: the text is no id, or a target lies outside its thread.
        LimitError: a thread has more than 35 instructions.
    """
    if not text:
        return Program(())
    if not ID_PATTERN.fullmatch(text):
        expected = "expected four base-36 digits an instruction (loc check exch target), threads joined by '-'"
        msg = f"id {excerpt(text)!r}: {expected}"
        raise InputError(msg)
    try:
        return Program(tuple(Thread(tuple(starmap(Instruction, fields_of(digits)))) for digits in threads_of(text)))
    except InputError as error:
        msg = f"id {excerpt(text)!r}: {error}"
        raise type(error)(msg) from None


def is_no_op(i: Instruction, pc: int) -> bool:
    """Whether an instruction at a location does nothing but go to the next."""
    return i.exch is None and i.target == pc + 1
