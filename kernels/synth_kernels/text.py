"""Read typed programs.

Each instruction is one line:

    kernel shift
    global A: i32
    scalar n: i32
    entry:
      i = add lid.0, 1:i32
      inside = ult i, n
      branch inside ? copy : done
    copy:
      x = read i32 A[i]
      barrier group global
      write i32 A[lid.0] = x
      jump done
    done:
      return

`barrier` names its scope, and the spaces that it fences. A block with parameters is `loop(i: i32):`, and a jump to it
`jump loop(0:i32)`. `#` begins a comment. A text may have several kernels. These lines are less frequent:

- `size 64, 1, 1` is the local size that the kernel requires;
- `local T: i32[64]` is an array of known size;
- `x = any i32`, `x = any uniform i32` and `x = any i1 usually y` give any value, the last one with the usual value;
  `x = any unset i32` gives what a variable holds before something is stored in it;
- `unset A` says the same of each element of a private array;
- `x = opaque i32 fadd(a, b)` calls a function;
- `write i8 A[i] = x for n` accesses many places, and `for n step s` places that lie so far apart;
- `e = any event i32` is a new event; accesses that end with `event e` are parts of an asynchronous copy;
- `barrier group same i, n` is a barrier to which threads come with the same values, and `barrier group waits e`
  waits for copies;
- `barrier subgroup local of m` is a barrier for the lanes of a mask of 64 bits;
- `barrier group global gives` is a barrier that gives a value, so that it is no object that other barriers share;
- `volatile write i32 A[i] = x` is a volatile access;
- `x = peek i32 A[i]` is what an array holds, for a claim;
- `x = atomic i32 A[i] compare-exchange 0:i32, 1:i32` is an atomic access with its operation. Behind one of the words
  `thread`, `subgroup`, `group` and `cluster`, it is atomic only among these threads.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, cast

from synth_checker.errors import InputError, quoted
from synth_checker.nearest import check_known, unknown
from synth_kernels.atomics import OPERATIONS
from synth_kernels.operand_widths import check_widths
from synth_kernels.operators import ARITIES, BINARY, CASTS
from synth_kernels.printer import operand_text
from synth_kernels.program import (
    REACHES,
    Access,
    Arbitrary,
    Array,
    ArrayUnset,
    Barrier,
    Block,
    Compute,
    Constant,
    End,
    JumpTarget,
    Kernel,
    KernelClaim,
    Opaque,
    Peek,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from synth_kernels.program import Instruction, Operand, Reach, Scope, Space

_NAME = r"[A-Za-z_][\w.]*"
_HEAD = re.compile(rf"kernel ({_NAME})")
_OPERAND = rf"(?:{_NAME}|-?\d+:i\d+)"
_TARGET = rf"({_NAME})(?:\((.*?)\))?"
_ELEMENTS = rf"i(\d+) ({_NAME})\[({_OPERAND})\]"
_COUNT = rf"(?: for ({_OPERAND})(?: step ({_OPERAND}))?)?(?: event ({_OPERAND}))?"
_MANY = rf"{_OPERAND}(?:, {_OPERAND})*"
_LINES = {
    "array": rf"(local|global|constant|private) ({_NAME}): i(\d+)(?:\[(\d+)\])?",
    "size": r"size (\d+(?:, \d+){0,2})",
    "scalar": rf"scalar ({_NAME}): i(\d+)",
    "block": rf"({_NAME})(?:\((.*)\))?:",
    "atomic": rf"({_NAME}) = (?:({'|'.join(REACHES)}) )?atomic {_ELEMENTS}(?: ([a-z-]+)(?: (.+))?)?",
    "read": rf"({_NAME}) = (volatile )?read {_ELEMENTS}{_COUNT}",
    "peek": rf"({_NAME}) = peek {_ELEMENTS}",
    "write": rf"(volatile )?write {_ELEMENTS} = ({_OPERAND}){_COUNT}",
    "any": rf"({_NAME}) = any( uniform| unset| event| lanes)? i(\d+)(?: usually ({_OPERAND}))?",
    "unset": rf"unset ({_NAME})",
    "opaque": rf"({_NAME}) = opaque i(\d+) ([\w.]+)\((.*)\)",
    "cast": rf"({_NAME}) = ({'|'.join(CASTS)}) ({_OPERAND}) to i(\d+)",
    "compute": rf"({_NAME}) = (\w+) (.+)",
    "barrier": rf"barrier (subgroup|group|grid)((?: (?:local|global))*)(?: same ({_MANY}))?(?: waits ({_MANY}))?"
    rf"(?: of ({_OPERAND}))?( gives)?",
    "claim": rf"(assert|assume|invariant|candidate)( once)? ({_OPERAND})",
    "jump": rf"jump {_TARGET}",
    "branch": rf"branch ({_OPERAND}) \? {_TARGET} : {_TARGET}",
    "return": r"return",
}
#: The widest value, in bits.
MOST_BITS = 4096
_EXPECTED = "a declaration, the name of a block with a colon, or an instruction (docs/understand/kernels.md)"


class _KernelTextReader:
    """Reads a kernel line by line, and refuses what does not fit what came before."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.arrays: dict[str, Array] = {}
        self.scalars: list[tuple[str, int]] = []
        self.widths: dict[str, int] = {}
        self.blocks: list[Block] = []
        self.open: tuple[str, tuple[tuple[str, int], ...], int] | None = None
        self.body: list[Instruction] = []
        self.line = 0
        self.local_size: tuple[int, ...] = ()

    def fail(self, found: str, expected: str) -> InputError:
        return InputError(f"line {self.line}: found {quoted(found)}, expected {expected}")

    def take(self, line: str) -> None:
        for kind, pattern in _LINES.items():
            if match := re.fullmatch(pattern, line):
                parts = [part or "" for part in match.groups()]
                if kind in {"array", "scalar", "size", "block"}:
                    getattr(self, f"_{kind}")(*parts)
                elif self.open is None:
                    raise self.fail(line, "the start of a block before it, such as `entry:`")
                elif kind in {"jump", "branch", "return"}:
                    self._end(kind, parts)
                else:
                    self.body.append(cast("Instruction", getattr(self, f"_{kind}")(*parts)))
                return
        raise self.fail(line, _EXPECTED)

    def _define(self, name: str, width: int) -> str:
        if name in self.widths or name in Kernel("", tuple(self.arrays.values()), (), ()).words():
            raise self.fail(name, "a name that is not defined twice")
        if not 1 <= width <= MOST_BITS:
            raise self.fail(f"i{width}", f"a width of 1 to {MOST_BITS} bits")
        self.widths[name] = width
        return name

    def _array(self, space: str, name: str, width: str, size: str) -> None:
        if name in self.arrays or int(width) not in {8, 16, 32, 64, 128}:
            raise self.fail(f"{name}: i{width}", "an array with a new name, and elements of i8, i16, i32, i64 or i128")
        self.arrays[name] = Array(name, cast("Space", space), int(width), int(size) if size else None)

    def _size(self, sizes: str) -> None:
        self.local_size = tuple(map(int, sizes.split(", ")))
        if 0 in self.local_size:
            raise self.fail(sizes, "positive sizes")

    def _scalar(self, name: str, width: str) -> None:
        self.scalars.append((self._define(name, int(width)), int(width)))

    def _block(self, name: str, parameters: str) -> None:
        if self.open is not None:
            raise self.fail(f"{name}:", f"an end of the block {self.open[0]}: jump, branch or return")
        if any(block.name == name for block in self.blocks):
            raise self.fail(name, "a new name for the block")
        pairs = []
        for parameter in filter(None, parameters.split(", ")):
            if not (match := re.fullmatch(rf"({_NAME}): i(\d+)", parameter)):
                raise self.fail(parameter, "a parameter such as i: i32")
            pairs.append((self._define(match[1], int(match[2])), int(match[2])))
        self.open, self.body = (name, tuple(pairs), self.line), []

    def operand(self, word: str) -> Operand:
        if match := re.fullmatch(r"(-?\d+):i(\d+)", word):
            width = int(match[2])
            return Constant(int(match[1]) & ((1 << width) - 1), width)
        if not re.fullmatch(_NAME, word):
            raise self.fail(word, "a name, or a number such as 1:i32")
        return word

    def _of(self, array: str, width: str) -> int:
        check_known(f"line {self.line}: array", array, self.arrays)
        if int(width) == 0 or int(width) % self.arrays[array].width:
            raise self.fail(f"i{width}", f"a multiple of {self.arrays[array].width} bits, the width of {array}")
        return int(width)

    def _atomic(self, name: str, reach: str, *parts: str) -> Instruction:
        width, array, offset, operation, operands = parts
        if operation and operation not in OPERATIONS:
            raise unknown(f"line {self.line}: operation", operation, OPERATIONS)
        values = tuple(self.operand(word) for word in filter(None, operands.split(", ")))
        if len(values) != OPERATIONS.get(operation, 0):
            raise self.fail(operands, f"the operands of {operation}")
        place, wide = self.operand(offset), self._of(array, width)
        defined = self._define(name, wide)
        access = Access("atomic", array, place, wide, defined, line=self.line, operation=operation, operands=values)
        return replace(access, reach=cast("Reach", reach or ""))

    def _read(self, name: str, volatile: str, *parts: str) -> Instruction:
        width, array, offset, *copied = parts
        place, wide = self.operand(offset), self._of(array, width)
        access = Access(
            "read", array, place, wide, self._define(name, wide), line=self.line, is_volatile=bool(volatile)
        )
        return self._many(access, copied)

    def _many(self, access: Access, parts: list[str]) -> Instruction:
        """Return an access to many places, with what the end of its line says."""
        count, step, event = map(self._operand_if, parts)
        return replace(access, count=count, step=step, event=event)

    def _peek(self, name: str, width: str, array: str, offset: str) -> Instruction:
        place, wide = self.operand(offset), self._of(array, width)
        return Peek(self._define(name, wide), array, place, wide, self.line)

    def _write(self, volatile: str, *parts: str) -> Instruction:
        width, array, offset, value, *copied = parts
        place, wide, stored = self.operand(offset), self._of(array, width), self.operand(value)
        access = Access("write", array, place, wide, value=stored, line=self.line, is_volatile=bool(volatile))
        return self._many(access, copied)

    def _operand_if(self, word: str) -> Operand:
        return self.operand(word) if word else ""

    def _unset(self, array: str) -> Instruction:
        if array not in self.arrays or self.arrays[array].space != "private":
            raise self.fail(array, "a private array")
        return ArrayUnset(array, self.line)

    def _any(self, name: str, kind: str, width: str, usual: str) -> Instruction:
        arbitrary = Arbitrary(self._define(name, int(width)), int(width), line=self.line, usual=self._operand_if(usual))
        uniform, unset, event, lanes = (kind == word for word in (" uniform", " unset", " event", " lanes"))
        return replace(arbitrary, is_uniform=uniform, is_unset=unset, is_event=event, is_of_lanes=lanes)

    def _opaque(self, name: str, width: str, function: str, operands: str) -> Instruction:
        values = tuple(self.operand(word) for word in filter(None, operands.split(", ")))
        return Opaque(self._define(name, int(width)), function, values, int(width), self.line)

    def _cast(self, name: str, operator: str, operand: str, width: str) -> Instruction:
        return Compute(self._define(name, int(width)), operator, (self.operand(operand),), int(width), self.line)

    def _compute(self, name: str, operator: str, operands: str) -> Instruction:
        check_known(f"line {self.line}: operator", operator, ARITIES)
        values = tuple(self.operand(word) for word in operands.split(", "))
        if len(values) != ARITIES[operator] or operator in CASTS:
            raise self.fail(operands, f"the operands of {operator}")
        is_truth = operator == "uniform" or (operator in BINARY and BINARY[operator].compares)
        width = 1 if is_truth else self.width(values[-1])
        return Compute(self._define(name, width), operator, values, width, self.line)

    def width(self, operand: Operand) -> int:
        if isinstance(operand, Constant):
            return operand.width
        words = self.widths | Kernel("", tuple(self.arrays.values()), (), ()).words()
        check_known(f"line {self.line}: value", operand, words)
        return words[operand]

    def check(self, operand: Operand, width: int, what: str) -> None:
        if self.width(operand) != width:
            raise self.fail(f"{operand_text(operand)} of {self.width(operand)} bits", f"{what} of {width}")

    def _barrier(self, scope: str, fences: str, *words: str) -> Instruction:
        *parts, gives = words
        spaces = cast("Iterable[Space]", fences.split())
        same, waits, of = (tuple(self.operand(word) for word in filter(None, part.split(", "))) for part in parts)
        for mask in of:
            if scope != "subgroup":
                raise self.fail(f"a mask of a barrier of a {scope}", "one of a subgroup: only its lanes have a mask")
            self.check(mask, 64, "a mask of lanes")
        return Barrier(cast("Scope", scope), frozenset(spaces), self.line, same, waits, next(iter(of), ""), bool(gives))

    def _claim(self, kind: str, once: str, value: str) -> Instruction:
        return KernelClaim(cast("Literal['assert']", kind), self.operand(value), self.line, bool(once))

    def _target(self, block: str, arguments: str) -> JumpTarget:
        return JumpTarget(block, tuple(self.operand(word) for word in filter(None, arguments.split(", "))))

    def _end(self, kind: str, parts: list[str]) -> None:
        test: Operand = ""
        if kind == "branch":
            test, parts = self.operand(parts[0]), parts[1:]
        targets = tuple(self._target(*parts[place : place + 2]) for place in range(0, len(parts), 2))
        assert self.open is not None  # noqa: S101  (`take` has looked)
        name, parameters, line = self.open
        self.blocks.append(Block(name, parameters, tuple(self.body), End(targets, test, self.line), line))
        self.open = None


def parse(text: str) -> Kernel:
    """Read a kernel.

    Raises:
        InputError: the text is no kernel; the message says in which line.
    """
    kernels = parse_all(text)
    if len(kernels) > 1:
        raise InputError(f"found {len(kernels)} kernels, expected one")
    return kernels[0]


def parse_all(text: str) -> list[Kernel]:
    """Read all kernels of a text.

    Raises:
        InputError: something in the text is no kernel; the message says in which line.
    """
    lines = [(number, line.partition("#")[0].strip()) for number, line in enumerate(text.splitlines(), start=1)]
    lines = [(number, line) for number, line in lines if line]
    if not lines or not _HEAD.fullmatch(lines[0][1]):
        where, found = (f"line {lines[0][0]}", quoted(lines[0][1])) if lines else ("line 1", "the end of the text")
        raise InputError(f"{where}: found {found}, expected kernel and its name")
    starts = [place for place, (_, line) in enumerate(lines) if _HEAD.fullmatch(line)]
    return [_parse_lines(lines[start:end]) for start, end in itertools.pairwise([*starts, len(lines)])]


def _parse_lines(lines: list[tuple[int, str]]) -> Kernel:
    match = _HEAD.fullmatch(lines[0][1])
    assert match is not None  # noqa: S101  (the caller has looked)
    reader = _KernelTextReader(match[1])
    for reader.line, line in lines[1:]:
        reader.take(line)
    if reader.blocks and reader.blocks[0].parameters:
        reader.line = reader.blocks[0].line
        raise reader.fail(f"{reader.blocks[0].name} with parameters", "a first block without parameters")
    if reader.open is not None or not reader.blocks:
        raise reader.fail("the end of the text", "a block that ends with jump, branch or return")
    kernel = Kernel(
        reader.name, tuple(reader.arrays.values()), tuple(reader.scalars), tuple(reader.blocks), reader.local_size
    )
    check_widths(kernel, reader)
    return kernel
