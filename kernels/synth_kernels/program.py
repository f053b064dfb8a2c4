"""The typed program: a kernel as blocks of instructions in SSA form, between the readers of languages and all else.

Every value has a width in bits; a value of 1 bit is a truth value. A block may have parameters, which the jumps to it
give. An array consists of elements, and offsets count elements. An access may be as wide as several elements.

Some names stand for values that are there from the start: `lid.0` (local id), `gid.0` (group id), `lsize.0` (local
size) and `groups.0` (number of groups) with the dimensions 0 to 2, 32 bits each.
Invariants may use more names:

- `enabled`: the thread is in the loop;
- `watched`: the watched location;
- `read.A`, `write.A` and `atomic.A` for each array A: thread 1 has such an access to the watched location, and no
  barrier separates it from what follows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Space: TypeAlias = Literal["local", "global"]
Kind: TypeAlias = Literal["read", "write", "atomic"]
KINDS: tuple[Kind, ...] = ("read", "write", "atomic")
DIMENSIONS = 3
#: The width of ids and sizes, and of offsets.
ID_WIDTH = 32
IDS = tuple(f"{word}.{number}" for word in ("lid", "gid", "lsize", "groups") for number in range(DIMENSIONS))


@dataclass(frozen=True, slots=True)
class Constant:
    """A number of so many bits."""

    value: int
    width: int


Operand: TypeAlias = str | Constant


@dataclass(frozen=True, slots=True)
class Array:
    """An array: one for each group if local, one for each launch if global. `width` is that of an element."""

    name: str
    space: Space
    width: int


@dataclass(frozen=True, slots=True)
class Compute:
    """`name = operator operands`. `width` is the width of the result."""

    name: str
    operator: str
    operands: tuple[Operand, ...]
    width: int
    line: int = 0


@dataclass(frozen=True, slots=True)
class Access:
    """An access to an array. Reads and atomics give `name` a value; writes store `value`. `width` is in bits."""

    kind: Kind
    array: str
    offset: Operand
    width: int
    name: str = ""
    value: Operand = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Barrier:
    """A barrier of a group, or of the whole launch, which fences accesses to some spaces."""

    scope: Literal["group", "grid"]
    fences: frozenset[Space]
    line: int = 0


@dataclass(frozen=True, slots=True)
class Claim:
    """A truth value about which something is said.

    An invariant or a candidate says it about a loop, and stands in its header. A candidate is an invariant that may be
    wrong.
    """

    kind: Literal["assert", "assume", "invariant", "candidate"]
    value: Operand
    line: int = 0


Instruction: TypeAlias = Compute | Access | Barrier | Claim


@dataclass(frozen=True, slots=True)
class Target:
    """Where a jump goes, with a value for each parameter of that block."""

    block: str
    arguments: tuple[Operand, ...] = ()


@dataclass(frozen=True, slots=True)
class End:
    """The end of a block: a return has no target, a jump one, and a branch two, the first if `test` holds."""

    targets: tuple[Target, ...] = ()
    test: Operand = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Block:
    """Instructions that are executed one after the other. `parameters` have a width each."""

    name: str
    parameters: tuple[tuple[str, int], ...]
    instructions: tuple[Instruction, ...]
    end: End
    line: int = 0


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel; its first block is where threads begin. Scalars are the same for all threads, and have a width each."""

    name: str
    arrays: tuple[Array, ...]
    scalars: tuple[tuple[str, int], ...]
    blocks: tuple[Block, ...]

    def array(self, name: str) -> Array:
        """Return the array of this name."""
        return next(array for array in self.arrays if array.name == name)

    def block(self, name: str) -> Block:
        """Return the block of this name."""
        return next(block for block in self.blocks if block.name == name)

    def words(self) -> dict[str, int]:
        """Return the names that have a value from the start, each with its width."""
        flags = {f"{kind}.{array.name}": 1 for array in self.arrays for kind in KINDS}
        return dict.fromkeys(IDS, ID_WIDTH) | {"watched": ID_WIDTH, "enabled": 1} | flags | dict(self.scalars)

    def all_widths(self) -> dict[str, int]:
        """Return the width of each value that has a name."""
        found = self.words()
        for block in self.blocks:
            found |= dict(block.parameters)
            found |= {one.name: one.width for one in block.instructions if isinstance(one, Compute | Access)}
        return found
