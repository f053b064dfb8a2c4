"""A launch that runs as Python code: the slow twin of the transducer, with which it shares no interpreter.

The blocks of a kernel are translated into one Python generator. It yields each access to shared memory and each
barrier, and is sent what a read found. A thread is such a generator, so its state can't be stored: `Launched` only runs
one order of steps. Operators and atomic operations are Python expressions here. Functions on floating-point numbers are
those of `floats`.
"""

from __future__ import annotations

import inspect
import itertools
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

from synth_kernels.atomics import OF_FLOATS
from synth_kernels.floats import applied
from synth_kernels.program import Access, Arbitrary, Barrier, Compute, Constant, Opaque

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping

    from synth_kernels.program import Block, Instruction, Kernel, Operand, Target
    from synth_kernels.progress.machine import Machine

_Thread: TypeAlias = "Generator[Request, int | None, None]"
#: Each operator: `a`, `b` and `c` are its operands, and `x` and `y` the first two with a sign.
_EXPRESSIONS = {
    "add": "a + b",
    "sub": "a - b",
    "mul": "a * b",
    "and": "a & b",
    "or": "a | b",
    "xor": "a ^ b",
    "udiv": "divmod(a, b)[0]",
    "urem": "divmod(a, b)[1]",
    "sdiv": "(x - rest(x, y)) // y",
    "srem": "rest(x, y)",
    "shl": "a << b",
    "lshr": "a >> b",
    "ashr": "x >> b",
    "eq": "a == b",
    "ult": "a < b",
    "ule": "a <= b",
    "slt": "x < y",
    "sle": "x <= y",
    "not": "-1 - a",
    "zext": "a",
    "sext": "x",
    "trunc": "a",
    "select": "b if a else c",
}
#: What each atomic operation leaves in memory: `a` was there, and `b` and `c` are its operands.
_ATOMICS = {
    "store": "b",
    "exchange": "b",
    "add": "a + b",
    "sub": "a - b",
    "and": "a & b",
    "nand": "-1 - (a & b)",
    "or": "a | b",
    "xor": "a ^ b",
    "umin": "b if b < a else a",
    "umax": "b if b > a else a",
    "min": "b if y < x else a",
    "max": "b if y > x else a",
    "inc": "0 if a >= b else a + 1",
    "dec": "b if a == 0 or a > b else a - 1",
    "compare-exchange": "c if a == b else a",
}


def _with_sign(value: int, width: int) -> int:
    half = 1 << (width - 1)
    return (value ^ half) - half


def _rest(one: int, other: int) -> int:
    found = divmod(abs(one), abs(other))[1]
    return -found if one < 0 else found


def _function(expression: str) -> Callable[..., int]:
    text = f"lambda a, b, c, x, y: {expression}"
    found: Callable[..., int] = eval(text, {"rest": _rest})  # noqa: S307  (the expressions of this module)
    return found


_COMPUTE = {name: _function(expression) for name, expression in _EXPRESSIONS.items()}
_UPDATE = {name: _function(expression) for name, expression in _ATOMICS.items()}


class Request(NamedTuple):
    """What a thread wants to do next: an access to so many elements from one on, or to wait at a barrier.

    The access stores `value`, or what `operation` makes of `value`, if there is one.
    """

    instruction: Access | Barrier
    first: int = 0
    elements: int = 0
    value: int | None = None
    operands: tuple[int, ...] = ()


class Stand(NamedTuple):
    """Where a thread stands: what it wants, whether it waits for others, its values, and its private memory.

    It has all values that it has computed, also those that it no longer needs.
    """

    request: Request
    waits: bool
    values: tuple[tuple[str, int], ...]
    private: tuple[tuple[tuple[str, int], int], ...]


#: The memory, and where each thread stands. A thread that has ended stands nowhere.
State: TypeAlias = "tuple[tuple[int, ...], tuple[Stand | None, ...]]"


def _applied(operator: Mapping[str, Callable[..., int]], name: str, values: list[int], width: int, result: int) -> int:
    a, b, c = (*values, 0, 0)[:3]
    found = operator[name](a, b, c, _with_sign(a, width), _with_sign(b, width))
    return int(found) & ((1 << result) - 1)


class _Translation:
    """The text of a generator that does what a kernel does. It looks names up in a dictionary `v`."""

    def __init__(self, kernel: Kernel) -> None:
        self.widths = kernel.all_widths()
        self.known: dict[str, object] = {"applied": applied, "computed": _computed, "Request": Request}
        self.known["names"] = {block.name: [name for name, _ in block.parameters] for block in kernel.blocks}
        self.spaces = {array.name: array.space for array in kernel.arrays}
        self.sizes = {array.name: array.width for array in kernel.arrays}
        lines = ["def thread(v, private):", f" at = {kernel.blocks[0].name!r}", " while True:"]
        for block in kernel.blocks:
            lines += [f"  if at == {block.name!r}:", *(f"   {line}" for line in self._block(block)), "   continue"]
        exec("\n".join(lines), self.known)  # noqa: S102  (text made here)
        self.thread = cast("Callable[[dict[str, int], dict[tuple[str, int], int]], _Thread]", self.known["thread"])

    def _block(self, block: Block) -> list[str]:
        lines = list(itertools.chain.from_iterable(self._instruction(one) for one in block.instructions))
        if not block.end.targets:
            return [*lines, "return"]
        jumps = [self._jump(target) for target in block.end.targets]
        if len(jumps) == 1:
            return [*lines, *jumps[0]]
        first, second = ([f" {line}" for line in lines] for lines in jumps)
        return [*lines, f"if {self._value(block.end.test)}:", *first, "else:", *second]

    def _jump(self, target: Target) -> list[str]:
        values = ", ".join(map(self._value, target.arguments))
        return [f"v.update(zip(names[{target.block!r}], ({values},)))" if values else "pass", f"at = {target.block!r}"]

    def _value(self, operand: Operand) -> str:
        return str(operand.value) if isinstance(operand, Constant) else f"v[{operand!r}]"

    def _width(self, operand: Operand) -> int:
        return operand.width if isinstance(operand, Constant) else self.widths[operand]

    def _name(self, thing: object) -> str:
        name = f"known{len(self.known)}"
        self.known[name] = thing
        return name

    def _instruction(self, one: Instruction) -> list[str]:
        match one:
            case Compute():
                values, width = ", ".join(map(self._value, one.operands)), self._width(one.operands[-1])
                return [f"v[{one.name!r}] = computed({one.operator!r}, [{values}], {width}, {one.width})"]
            case Opaque():
                values, width = ", ".join(map(self._value, one.operands)), self._width(one.operands[0])
                return [f"v[{one.name!r}] = applied({self._name(one)}, [{values}], {width})"]
            case Arbitrary():  # a value that is not defined may be any, such as 0
                return [f"v[{one.name!r}] = {self._value(one.usual) if one.usual else 0}"]
            case Barrier():
                return [f"yield Request({self._name(one)})"]
            case Access():
                return self._access(one)
            case _:
                return []

    def _access(self, one: Access) -> list[str]:
        each, width = one.width // self.sizes[one.array], self.sizes[one.array]
        count = f" * {self._value(one.count)}" if one.count else ""
        first, value = self._value(one.offset), self._value(one.value) if one.kind == "write" else "None"
        if self.spaces[one.array] == "private":
            places = f"enumerate(range({first}, {first} + {each}{count}))"
            place = f"private[{one.array!r}, e]"
            if one.kind == "write":
                return [f"for i, e in {places}: {place} = {value} >> i % {each} * {width} & {(1 << width) - 1}"]
            return [f"v[{one.name!r}] = sum({place} << i * {width} for i, e in {places})"]
        operands = "".join(f"{self._value(operand)}, " for operand in one.operands)
        request = f"yield Request({self._name(one)}, {first}, {each}{count}, {value}, ({operands}))"
        return [request if one.kind == "write" else f"v[{one.name!r}] = {request}"]


def _computed(name: str, values: list[int], width: int, result: int) -> int:
    return _applied(_COMPUTE, name, values, width, result)


def _left(one: Access, values: list[int]) -> int:
    if one.operation in OF_FLOATS:
        return applied(Opaque("", OF_FLOATS[one.operation], (), one.width), values, one.width)
    return _applied(_UPDATE, one.operation, values, one.width, one.width)


class Launched:
    """A launch that runs: its threads, each before its next step, and its memory.

    It has the launch and the sync elements of a machine, and its strict barriers. Lanes are independent.
    """

    def __init__(self, machine: Machine) -> None:
        self.machine, kernel = machine, machine.kernel
        self._arrays = {array.name: array for array in kernel.arrays}
        self.memory = list(machine.layout.shared)
        self._numbers = {name: number for number, name in enumerate(machine.layout.names)}
        translation = _Translation(kernel)
        self._threads: list[_Thread] = []
        self.wanted: list[Request | None] = []
        self.waiting: set[int] = set()
        for number in range(len(machine.threads)):
            private = {
                (array.name, element): machine.layout.private[machine.layout.start(array, 0) + element]
                for array in kernel.arrays
                if array.space == "private"
                for element in range(machine.layout.sizes[array.name])
            }
            self._threads.append(translation.thread(dict(machine.fixed(number)), private))
            self.wanted.append(None)
            self._go_on(number, None)

    def able(self) -> list[int]:
        """Return the threads that can take a step."""
        return [thread for thread, one in enumerate(self.wanted) if one is not None and thread not in self.waiting]

    def state(self) -> State:
        """Return the memory, and what each thread wants and has."""
        return tuple(self.memory), tuple(map(self._stand, range(len(self.wanted))))

    def _stand(self, thread: int) -> Stand | None:
        request = self.wanted[thread]
        if request is None:
            return None
        local = inspect.getgeneratorlocals(self._threads[thread])
        private = tuple(sorted(local["private"].items()))
        return Stand(request, thread in self.waiting, tuple(sorted(local["v"].items())), private)

    def step(self, thread: int) -> None:
        """Take the step of a thread."""
        request = self.wanted[thread]
        if request is None:
            return
        if isinstance(request.instruction, Access):
            self._go_on(thread, self._do(thread, request))
            return
        self.waiting.add(thread)
        group = self.machine.group_of[thread]
        members = [one for one in range(len(self.wanted)) if self.machine.group_of[one] == group]
        lanes = self.machine.rules.subgroup
        meeting = {
            "grid": list(range(len(self.wanted))),
            "group": members,
            "subgroup": [one for one in members if (one - members[0]) // lanes == (thread - members[0]) // lanes],
        }[request.instruction.scope]
        if all(one in self.waiting and self.wanted[one] == request for one in meeting):
            self.waiting -= set(meeting)
            for one in meeting:
                self._go_on(one, None)

    def _go_on(self, thread: int, answer: int | None) -> None:
        """Run a thread to its next step, and make its plain accesses on the way."""
        try:
            request = self._threads[thread].send(answer)
            while isinstance(request.instruction, Access) and not self._is_sync(thread, request):
                request = self._threads[thread].send(self._do(thread, request))
            self.wanted[thread] = request
        except StopIteration:
            self.wanted[thread] = None

    def _elements(self, thread: int, request: Request) -> list[int]:
        one = request.instruction
        assert isinstance(one, Access)  # noqa: S101  (the callers have looked)
        owner = self.machine.group_of[thread] if self._arrays[one.array].space == "local" else None
        return [self._numbers[one.array, owner, request.first + place] for place in range(request.elements)]

    def _is_sync(self, thread: int, request: Request) -> bool:
        one = request.instruction
        assert isinstance(one, Access)  # noqa: S101  (as above)
        if self._arrays[one.array].space == "constant":
            return False
        marked = one.kind == "atomic" or one.is_volatile or not self.machine.reduces
        return marked or any(element in self.machine.sync for element in self._elements(thread, request))

    def _do(self, thread: int, request: Request) -> int:
        one = request.instruction
        assert isinstance(one, Access)  # noqa: S101  (as above)
        elements, width = self._elements(thread, request), self._arrays[one.array].width
        found = 0
        for element in reversed(elements):
            found = found << width | self.memory[element]
        stored = request.value
        if one.kind == "atomic" and one.operation != "load":
            stored = _left(one, [found, *request.operands])
        if stored is not None:
            for place, element in enumerate(elements):
                self.memory[element] = stored >> place * width % one.width & ((1 << width) - 1)
        return found
