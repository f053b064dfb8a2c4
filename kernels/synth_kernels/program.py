"""The typed program: a kernel as blocks of instructions in SSA form, between the readers of languages and all else.

Every value has a width in bits; a value of 1 bit is a truth value. A block may have parameters, which the jumps to it
give. An array consists of elements, and offsets count elements. An access may be as wide as several elements.

Some names stand for values that are there from the start: `lid.0` (local id), `gid.0` (group id), `lsize.0` (local
size), `groups.0` (number of groups) and `offset.0` (what is added to global ids). They have 32 bits each, and exist for
the dimensions 0 to 2.

Claims (assertions, assumptions, invariants and candidates) may use more names:

- `enabled`: the thread is here, which for an invariant means that it is in the loop;
- `same_group`: both threads are in one group;
- `watched`: the watched location;
- `read.A`, `write.A` and `atomic.A` for each array A: thread 1 has such an access to the watched location, and no
  barrier separates it from what follows;
- `fetch.A` and `put.A`: the same for an asynchronous copy that reads A or writes A, belongs to the watched event, and
  that nobody has waited for;
- `watched.event`: the watched event.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from synth_kernels.premises import Premise
    from synth_kernels.source_place import SourcePlace

#: Whose threads meet at a barrier: those of a subgroup, of a group, or of the whole launch.
Scope: TypeAlias = Literal["subgroup", "group", "grid"]
#: Where an array is: one for each group, for each launch, for each launch and never written, or for each thread.
Space: TypeAlias = Literal["local", "global", "constant", "private"]
Kind: TypeAlias = Literal["read", "write", "atomic"]
KINDS: tuple[Kind, ...] = ("read", "write", "atomic")
#: Among which threads an access is atomic: those of a device, or fewer, the fewest first.
Reach: TypeAlias = Literal["", "thread", "subgroup", "group", "cluster"]
REACHES: tuple[Reach, ...] = ("thread", "subgroup", "group", "cluster")
#: How an access is pending: as its kind or, while nobody has waited for it, as what a copy reads or writes.
Flag: TypeAlias = Literal["read", "write", "atomic", "fetch", "put"]
FLAGS: tuple[Flag, ...] = (*KINDS, "fetch", "put")
DIMENSIONS = 3
#: The width of ids and sizes, and of offsets.
ID_WIDTH = 32
#: How the name of a scalar of one bit ends that says whether a pointer is null. The name of the pointer comes first.
IS_NULL = ".null"
IDS = tuple(f"{word}.{number}" for word in ("lid", "gid", "lsize", "groups", "offset") for number in range(DIMENSIONS))


@dataclass(frozen=True, slots=True)
class Constant:
    """A number of so many bits."""

    value: int
    width: int


Operand: TypeAlias = str | Constant


class ElementLayout(NamedTuple):
    """What an element of an array is in the source: its width in bits, and the first bit and the width of each number.

    A structure has several numbers, and there may be bits between them.
    """

    width: int
    fields: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Array:
    """An array in some space. `width` is that of an element, and `size` the number of elements if that is known.

    `initial` is what the source has its elements hold at the start, if it says so. Only runs look at it. `entry` is an
    element of the source, which may be wider, if that is known. Launches are given in these.
    """

    name: str
    space: Space
    width: int
    size: int | None = None
    initial: tuple[int, ...] | None = field(default=None, compare=False)
    entry: ElementLayout | None = field(default=None, compare=False)

    @property
    def each(self) -> int:
        """How many elements an element of the source has."""
        return 1 if self.entry is None else max(1, self.entry.width // self.width)


@dataclass(frozen=True, slots=True)
class Compute:
    """`name = operator operands`. `width` is the width of the result."""

    name: str
    operator: str
    operands: tuple[Operand, ...]
    width: int
    line: int = 0


@dataclass(frozen=True, slots=True)
class Arbitrary:
    """`name` gets any value: another one for each thread, or the same for threads of a group that come together.

    `usual` is the value that it has except in rare cases, if there is one. A weak compare-exchange seldom fails by
    chance. A value that `is_unset` is what a variable holds before something is stored in it. An event (`is_event`) is
    a number for copies to wait for: not 0, and the same for threads of a group that come together. A run gives each
    event another number. A value that `is_of_lanes` depends on which lanes of a warp run together.
    """

    name: str
    width: int
    is_uniform: bool = False
    line: int = 0
    usual: Operand = ""
    is_unset: bool = False
    is_event: bool = False
    is_of_lanes: bool = False


@dataclass(frozen=True, slots=True)
class Opaque:
    """`name = function(operands)`, where all that is known of the function is that equal operands give equal results.

    `floats` lists the functions that a run can compute, such as `fadd`.
    """

    name: str
    function: str
    operands: tuple[Operand, ...]
    width: int
    line: int = 0


@dataclass(frozen=True, slots=True)
class Access:
    """An access to an array. Reads and atomics give `name` a value; writes store `value`. `width` is in bits.

    With a `count`, a value of 32 bits, so many places of this width are accessed, one after the other, as copies do.
    Each of them gets the value that a write stores; what such a read gives is arbitrary. With a `step`, a value of 32
    bits, so many places lie from one of them to the next.

    With an `event`, the access is a part of an asynchronous copy: some thread of the group makes it, and barriers order
    it before what follows only if the group has waited for the event.

    An atomic access may have an operation (`synth_kernels.atomics`) and its operands. Without, it may store any value.
    It may be atomic only among the threads of its `reach`: without one, it is so for all threads of a device. A
    volatile access is one that no compiler may leave out or repeat.
    """

    kind: Kind
    array: str
    offset: Operand
    width: int
    name: str = ""
    value: Operand = ""
    line: int = 0
    count: Operand = ""
    operation: str = ""
    operands: tuple[Operand, ...] = ()
    is_volatile: bool = False
    step: Operand = ""
    event: Operand = ""
    reach: Reach = ""

    @property
    def flag(self) -> Flag:
        """How the access is pending at first."""
        if self.event:
            return "fetch" if self.kind == "read" else "put"
        return self.kind


@dataclass(frozen=True, slots=True)
class Peek:
    """`name` gets what an array holds at a place. This is no access, and only claims may use the value."""

    name: str
    array: str
    offset: Operand
    width: int
    line: int = 0


@dataclass(frozen=True, slots=True)
class ArrayUnset:
    """The life of a private array begins: each of its elements holds any value until something is stored there."""

    array: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class Barrier:
    """A barrier of a subgroup, of a group, or of the whole launch, which fences accesses to some spaces.

    Threads that meet there must have the `same` values. Copies of the events that it `waits` for are complete behind
    it: a later barrier may order them before what follows.
    One of a subgroup may have a mask of 64 bits. Then the lanes of the mask meet there which have not ended. One that
    `gives` its threads a value is no object that other barriers share.
    """

    scope: Scope
    fences: frozenset[Space]
    line: int = 0
    same: tuple[Operand, ...] = ()
    waits: tuple[Operand, ...] = ()
    mask: Operand = ""
    gives: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class KernelClaim:
    """A truth value about which something is said.

    An invariant or a candidate says it about a loop, and stands in its header. A candidate is an invariant that may be
    wrong. A claim holds for each thread that is there. If it speaks of both threads or of logged accesses, it holds
    once, for thread 1 and what that thread sees of the other one. `once` says that it holds once for the pair, wherever
    the two threads are. An observation says nothing: it asks whether the claim can fail here. A recollection assumes an
    invariant of a loop with the same line, as far as that is one (`induction`).

    Contracts of functions guarantee and rely (`modular`): what one side guarantees is checked there, and the other side
    relies on it. This is about threads that are there, and `once` if some thread is. Of a `candidate`, both sides have
    the same line, and it counts only as far as nobody refutes it.

    An assertion with `is_overflow` says that signed arithmetic does not overflow, and one that `is_stray`, that no
    thread makes an access here, which is through a pointer that is null or not set.

    With `inside`, it is assumed that an access is inside its array, or that an index is not too large for any array.
    If bounds are checked, that can't be taken for granted.
    """

    kind: Literal["assert", "assume", "invariant", "candidate", "observe", "recall", "guarantee", "rely"]
    value: Operand
    line: int = 0
    once: bool = False
    candidate: bool = False
    inside: Literal["", "access", "index"] = field(default="", compare=False)
    is_overflow: bool = False
    is_stray: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a function that is not inlined: all that is known of what it does is its contract.

    `unit` is the key of the function. `arguments` are the values that its parameters get, and `results` the names here
    of its results, in their order. `arrays` says for each array of the function which one it is here. Behind the call,
    accesses of some `flags` to arrays here may be pending or not, and accesses to `fences` may be ordered. Without a
    unit, it stands for all that ran before a function is called. Threads may access arrays `anywhere` if all that is
    known of a function is which arrays it accesses.
    """

    unit: str
    arguments: tuple[Operand, ...] = ()
    results: tuple[str, ...] = ()
    arrays: tuple[tuple[str, str], ...] = ()
    flags: tuple[tuple[str, Flag], ...] = ()
    fences: frozenset[Space] = frozenset()
    anywhere: tuple[tuple[str, Kind], ...] = ()
    line: int = 0


Instruction: TypeAlias = Compute | Arbitrary | Opaque | Access | Peek | ArrayUnset | Barrier | KernelClaim | Call


#: The instructions that give a name a value.
DEFINING = Compute | Arbitrary | Opaque | Access | Peek
#: The instructions that only compute a value, and have no effect on anything else.
PURE = Compute | Arbitrary | Opaque | Peek


def operands_of(instruction: Instruction) -> tuple[Operand, ...]:  # noqa: PLR0911  (one for each kind)
    """Return the operands of an instruction. Those that it does not have are empty."""
    match instruction:
        case Compute() | Opaque():
            return instruction.operands
        case Access():
            return (
                instruction.offset,
                instruction.value,
                instruction.count,
                *instruction.operands,
                instruction.step,
                instruction.event,
            )
        case Peek():
            return (instruction.offset,)
        case Arbitrary():
            return (instruction.usual,)
        case KernelClaim():
            return (instruction.value,)
        case Barrier():
            return (*instruction.same, *instruction.waits, *((instruction.mask,) if instruction.mask else ()))
        case Call():
            return instruction.arguments
        case ArrayUnset():
            return ()


@dataclass(frozen=True, slots=True)
class JumpTarget:
    """Where a jump goes, with a value for each parameter of that block."""

    block: str
    arguments: tuple[Operand, ...] = ()


@dataclass(frozen=True, slots=True)
class End:
    """The end of a block: a return has no target, a jump one, and a branch two, the first if `test` holds."""

    targets: tuple[JumpTarget, ...] = ()
    test: Operand = ""
    line: int = 0

    @property
    def operands(self) -> tuple[Operand, ...]:
        """Return the test, which may be empty, and the values that the targets get."""
        return (self.test, *(operand for target in self.targets for operand in target.arguments))


@dataclass(frozen=True, slots=True)
class Block:
    """Instructions that are executed one after the other. `parameters` have a width each.

    In a block that is `trusted`, nothing is checked, because the checks of another copy of the block are enough. If
    only its body is, it is the header of a loop whose invariants are checked.
    """

    name: str
    parameters: tuple[tuple[str, int], ...]
    instructions: tuple[Instruction, ...]
    end: End
    line: int = 0
    trusted: Literal["", "body", "all"] = ""

    @property
    def first_line(self) -> int:
        """Return the line of its first instruction, or of its end. The line of its name has no place in the source."""
        return next(
            (instruction.line for instruction in self.instructions if instruction.line), self.end.line or self.line
        )


@dataclass(frozen=True, slots=True)
class KernelFunction:
    """What makes a kernel stand for a function that is not inlined (`modular`). `key` tells it from all others.

    Its first block gives its parameters arbitrary values. A thread that makes the call goes on with the block `begins`,
    and comes to the last block `leaves`, whose parameters are the results. `arrays` has the names that callers know
    arrays by, each with the name here. A function that is `declared` has no body, only a contract.
    """

    key: str
    parameters: tuple[tuple[str, int], ...]
    results: tuple[tuple[str, int], ...]
    arrays: tuple[tuple[str, str], ...]
    begins: str
    leaves: str
    place: SourcePlace
    declared: bool = False


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel; its first block is where threads begin. Scalars are the same for all threads, and have a width each.

    `local_size` is the local size that the kernel requires, if it requires one. `line` of an instruction is a number
    that no other instruction of the kernel has. `places` says for such a number where the instruction stands in the
    source; without an entry, the number is a line of the text of the typed program. `premises` are what the reader
    took for granted (`synth_kernels.premises`). `function` is there if it stands for a function that kernels call.
    """

    name: str
    arrays: tuple[Array, ...]
    scalars: tuple[tuple[str, int], ...]
    blocks: tuple[Block, ...]
    local_size: tuple[int, ...] = ()
    places: Mapping[int, SourcePlace] = field(default_factory=dict)
    premises: tuple[Premise, ...] = ()
    function: KernelFunction | None = None

    _blocks: dict[str, Block] = field(init=False, repr=False, compare=False)
    _arrays: dict[str, Array] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_blocks", {block.name: block for block in self.blocks})
        object.__setattr__(self, "_arrays", {array.name: array for array in self.arrays})

    @property
    def steps(self) -> list[Instruction]:
        """All instructions, block by block, without the ends of blocks."""
        return [instruction for block in self.blocks for instruction in block.instructions]

    @property
    def claims(self) -> list[KernelClaim]:
        """All claims among them."""
        return [step for step in self.steps if isinstance(step, KernelClaim)]

    @property
    def accesses(self) -> list[Access]:
        """All accesses among them."""
        return [step for step in self.steps if isinstance(step, Access)]

    def array(self, name: str) -> Array:
        """Return the array of this name."""
        return self._arrays[name]

    def block(self, name: str) -> Block:
        """Return the block of this name."""
        return self._blocks[name]

    def words(self) -> dict[str, int]:
        """Return the names that have a value from the start, each with its width."""
        flags = {f"{flag}.{array.name}": 1 for array in self.arrays for flag in FLAGS}
        return (
            dict.fromkeys(IDS, ID_WIDTH)
            | {"watched": ID_WIDTH, "watched.event": ID_WIDTH, "enabled": 1, "same_group": 1}
            | flags
            | {f"stored.{array.name}": array.width for array in self.arrays}
            | dict(self.scalars)
        )

    def all_widths(self) -> dict[str, int]:
        """Return the width of each value that has a name."""
        widths = self.words()
        for block in self.blocks:
            widths |= dict(block.parameters)
            widths |= {
                instruction.name: instruction.width
                for instruction in block.instructions
                if isinstance(instruction, DEFINING) and instruction.name
            }
        return widths


@dataclass(frozen=True, slots=True)
class UnreadKernel:
    """A kernel, or a function that is not inlined, that can't be verified: its source has something not supported."""

    name: str
    place: SourcePlace
    reason: str
    is_function: bool = False
