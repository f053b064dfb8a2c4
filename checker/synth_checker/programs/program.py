"""Programs of the one-instruction language (definitions, section 1).

A program is a tuple of threads, and a thread is a tuple of instructions. There is one kind of instruction, the atomic
exchange-and-branch `AXB(loc, check, target, exch)`. One step of a thread at program location pc does this atomically:

    taken = (Mem[loc] == check)
    if exch is not none: Mem[loc] = exch
    pc = target if taken else pc + 1

All types are immutable and hashable. Each checks its parts when it is created, so a `Program` is always well-formed.
"""

from __future__ import annotations

import enum
import reprlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from synth_checker.errors import InputError, LimitError, check_type
from synth_checker.notebook import NotebookObject
from synth_checker.programs.id_layout import DIGITS, digits_of, joined_threads

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Each field of an id is one base-36 digit, so locations and values are below 36.
MAX_VALUES = len(DIGITS)
#: A target may be the end of its thread and is at most 35, so a thread has at most 35 instructions.
MAX_INSTRUCTIONS = MAX_VALUES - 1
_Part = TypeVar("_Part")


class InstructionKind(enum.Enum):
    """The kind of an instruction, which depends on its exchange and on its target.

    A store and a no-op have the next program location as their target. An exchange branch and a check branch have
    another.
    """

    STORE = "store"
    NO_OP = "no-op"
    EXCHANGE_BRANCH = "exchange branch"
    CHECK_BRANCH = "check branch"

    @property
    def is_branch(self) -> bool:
        """Return whether the comparison of the instruction decides where the thread continues."""
        return self in {InstructionKind.EXCHANGE_BRANCH, InstructionKind.CHECK_BRANCH}


@dataclass(frozen=True, slots=True)
class Instruction:
    """The instruction `AXB(loc, check, target, exch)`; `exch` is None if the instruction writes nothing.

    Raises:
        InputError: a field is negative or not an integer.
        LimitError: a field is above 35.
    """

    loc: int
    check: int
    target: int
    exch: int | None = None

    def __post_init__(self) -> None:
        for name in ("loc", "check", "target", "exch"):
            number = getattr(self, name)
            if number is None and name == "exch":
                continue
            if not isinstance(number, int) or isinstance(number, bool) or number < 0:
                raise InputError(
                    f"instruction field {name}: found {reprlib.repr(number)}, expected a non-negative integer"
                )
            if number >= MAX_VALUES:
                raise LimitError(
                    f"instruction field {name}: found {reprlib.repr(number)}, expected at most {MAX_VALUES - 1}"
                )


def _parts(what: str, values: Iterable[_Part], kind: type[_Part]) -> tuple[_Part, ...]:
    """Return `values` as a tuple. Raise InputError unless all its members are of type `kind`."""
    check_type(what, values, Iterable, f"a tuple of {kind.__name__}")
    parts = tuple(values)
    for part in parts:
        check_type(what, part, kind, f"a tuple of {kind.__name__}")
    return parts


@dataclass(frozen=True, slots=True, repr=False)
class Thread:
    """A non-empty sequence of instructions at the program locations 0 to n-1; the location n is the end of the thread.

    Raises:
        InputError: there are no instructions, something else is among them, or a target lies behind the end.
        LimitError: there are more than 35 instructions.
    """

    instructions: tuple[Instruction, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "instructions", _parts("thread", self.instructions, Instruction))
        size = len(self.instructions)
        if size == 0:
            raise InputError("thread: found no instruction, expected at least one")
        if size > MAX_INSTRUCTIONS:
            raise LimitError(f"thread: found {size} instructions, expected at most {MAX_INSTRUCTIONS}")
        for pc, instruction in enumerate(self.instructions):
            if instruction.target > size:
                raise InputError(f"instruction {pc}: found target {instruction.target}, expected 0 to {size} (the end)")

    def __len__(self) -> int:
        return len(self.instructions)

    def __iter__(self) -> Iterator[Instruction]:
        return iter(self.instructions)

    def __getitem__(self, pc: int) -> Instruction:
        return self.instructions[pc]

    def __repr__(self) -> str:
        return f"<Thread {self.digits}>"

    @property
    def digits(self) -> str:
        """Return the instructions written out as in an id."""
        return "".join(digits_of(i.loc, i.check, i.exch, i.target) for i in self.instructions)

    def kind(self, pc: int) -> InstructionKind:
        """Return the kind of the instruction at program location `pc`."""
        instruction = self.instructions[pc]
        if instruction.target == pc + 1:
            return InstructionKind.NO_OP if instruction.exch is None else InstructionKind.STORE
        return InstructionKind.CHECK_BRANCH if instruction.exch is None else InstructionKind.EXCHANGE_BRANCH


@dataclass(frozen=True, slots=True, repr=False)
class Program(NotebookObject):
    """A tuple of threads, whose ids are 0, 1, and so on.

    A program that consists of no-ops has the program without threads as its normal form. The text form cannot express a
    program without threads.

    Raises:
        InputError: one of the members is not a `Thread`.
    """

    threads: tuple[Thread, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "threads", _parts("program", self.threads, Thread))

    def __len__(self) -> int:
        return len(self.threads)

    def __iter__(self) -> Iterator[Thread]:
        return iter(self.threads)

    def __getitem__(self, thread: int) -> Thread:
        return self.threads[thread]

    def __repr__(self) -> str:
        return f"<Program {joined_threads(thread.digits for thread in self.threads) or 'without threads'}>"

    @property
    def size(self) -> int:
        """Return the number of instructions in all threads together."""
        return sum(len(thread) for thread in self.threads)

    def instructions(self) -> Iterator[tuple[int, int, Instruction]]:
        """Yield (thread id, program location, instruction) for every instruction; thread 0 comes first."""
        for tid, thread in enumerate(self.threads):
            for pc, instruction in enumerate(thread):
                yield tid, pc, instruction

    def locations(self) -> int:
        """Return the highest memory location in use plus one, or 0 for the empty program."""
        return max((i.loc + 1 for _, _, i in self.instructions()), default=0)

    def values(self) -> int:
        """Return the highest value in use plus one. The result is at least 1, because memory starts at 0."""
        return max((max(i.check, i.exch or 0) + 1 for _, _, i in self.instructions()), default=1)


def program(*threads: list[Instruction] | tuple[Instruction, ...]) -> Program:
    """Make a program from one sequence of instructions for each thread.

    Raises:
        InputError: a sequence is empty, something other than an instruction is in it, or a target lies behind the end.
        LimitError: a thread has more than 35 instructions.
    """
    return Program(tuple(Thread(tuple(thread)) for thread in threads))


class State(NamedTuple):
    """A state of a program: the value of every memory location, and the program location of every thread."""

    memory: tuple[int, ...]
    pcs: tuple[int, ...]
