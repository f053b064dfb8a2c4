"""Replace each loop by one round or two that stand for all: an over-approximation without invariants.

A race concerns two accesses, each in one round of a loop. Say that the loop has no barrier. Then it is enough to look
at any round of each thread, and then at the visit of the header after which the thread leaves. Both begin with
arbitrary values, but for what the loop does not change and what is known of each round (`closed_forms`).

If each round passes a barrier of the group, then two threads of a group are in the same round, or they part at the
barrier, which is a fault of its own. An access of one round can only meet one of the same round or of the next one. So
two cases are enough: the first round, with the values at entry, and the one after it; and a round with arbitrary values
and the one after it. In each of these, a thread may leave, also if the other one goes on. The number of the round is
common to both threads. Before the arbitrary round, a barrier of our own makes the threads forget what a barrier of each
round fences: what was pending there has met its partners in the other cases.

Barriers do not order threads of different groups, nor accesses to memory that they do not fence. For these, all
barriers are left out, so that no loop has one.

What an array holds in an arbitrary round is arbitrary. A barrier says so by itself. In a loop without one, each read
from an array that the loop writes gives an arbitrary value, another one for each thread.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from synth_kernels.block_copies import rename_values, with_block_parameters
from synth_kernels.flow import Flow
from synth_kernels.program import Access, Arbitrary, Barrier, Block, Constant, End, JumpTarget, KernelClaim

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from synth_kernels.flow import Loop
    from synth_kernels.program import Instruction, Kernel, Operand, Space


@dataclass(frozen=True, slots=True)
class _Header:
    """A header: how many parameters the loop changes, which of them are common to a group, and if it has barriers.

    `fenced` are the memories that barriers of each round fence.
    """

    changed: int
    common: frozenset[int]
    waits: bool
    fenced: frozenset[Space]


def without_barriers(kernel: Kernel) -> Kernel:
    """Return a kernel that never waits. What others may have written is arbitrary wherever it is read."""
    blocks = tuple(
        replace(
            block,
            instructions=tuple(
                instruction for instruction in block.instructions if not isinstance(instruction, Barrier)
            ),
        )
        for block in kernel.blocks
    )
    written = {access.array for access in _accesses(blocks) if access.kind != "read"}
    return _with_arbitrary_reads(replace(kernel, blocks=blocks), written)


def over_approximation(kernel: Kernel, common: Mapping[str, Collection[str]]) -> Kernel:
    """Return a kernel without loops that makes each access of the given one, in any round of its loops.

    Its blocks stand in an order in which all jumps go forward. What is known of a jump stands right behind it.

    `common` has, by the headers of loops with barriers, the parameters that are equal in the threads of a group.
    """
    flow = Flow(kernel)
    words = set(kernel.words())
    headers: dict[str, _Header] = {}
    loose: set[str] = set()
    private = {array.name for array in kernel.arrays if array.space == "private"}
    changed = {access.array for access in _accesses(kernel.blocks) if access.kind != "read"}
    for name, loop in flow.loops.items():
        inside = [kernel.block(label) for label in loop.blocks]
        waits = any(isinstance(instruction, Barrier) for block in inside for instruction in block.instructions)
        written = {access.array for access in _accesses(inside) if access.kind == "write"}
        fenced = spaces_fenced_each_round(kernel, flow, loop)
        unfenced = {array for array in changed - private if kernel.array(array).space not in fenced}
        loose |= written & private | unfenced if waits else written
        parameters = kernel.block(name).parameters
        shared = {number for number, (parameter, _) in enumerate(parameters) if parameter in common.get(name, ())}
        headers[name] = _Header(len(parameters), frozenset(shared), waits, fenced)
    approximation = with_block_parameters(_with_arbitrary_reads(kernel, loose))
    while loops := Flow(approximation).loops.values():
        outermost = max(loops, key=lambda loop: len(loop.blocks))
        approximation = _replace_loop(approximation, outermost, headers, words)
    return approximation


def barriers_of_each_round(kernel: Kernel, flow: Flow, loop: Loop) -> list[Barrier]:
    """Return the barriers that each round of a loop passes."""
    backs = [name for name in loop.blocks if loop.header in {target.block for target in kernel.block(name).end.targets}]
    return barriers(kernel, [name for name in loop.blocks if all(flow.dominates(name, back) for back in backs)])


def barriers(kernel: Kernel, names: Iterable[str]) -> list[Barrier]:
    """Return the barriers of some blocks."""
    return [
        instruction
        for name in names
        for instruction in kernel.block(name).instructions
        if isinstance(instruction, Barrier)
    ]


def spaces_fenced_each_round(kernel: Kernel, flow: Flow, loop: Loop) -> frozenset[Space]:
    """Return the memories that barriers fence in each round of a loop."""
    return frozenset(space for barrier in barriers_of_each_round(kernel, flow, loop) for space in barrier.fences)


def _accesses(blocks: Iterable[Block]) -> list[Access]:
    return [instruction for block in blocks for instruction in block.instructions if isinstance(instruction, Access)]


def _with_arbitrary_reads(kernel: Kernel, arrays: Collection[str]) -> Kernel:
    """Return a kernel in which each read from some arrays gives an arbitrary value."""

    def forgetting(instruction: Instruction) -> tuple[Instruction, ...]:
        if not isinstance(instruction, Access) or instruction.kind != "read" or instruction.array not in arrays:
            return (instruction,)
        return replace(instruction, name=f"{instruction.name} itself"), Arbitrary(
            instruction.name, instruction.width, line=instruction.line
        )

    def of(block: Block) -> Block:
        return replace(
            block, instructions=tuple(new for instruction in block.instructions for new in forgetting(instruction))
        )

    return replace(kernel, blocks=tuple(map(of, kernel.blocks)))


def _replace_loop(kernel: Kernel, loop: Loop, headers: dict[str, _Header], known: set[str]) -> Kernel:
    """Return a kernel in which some rounds stand for those of a loop. Its blocks depend on their parameters only."""
    header = kernel.block(loop.header)
    facts = headers[loop.header]
    inside = [block for block in kernel.blocks if block.name in loop.blocks]
    blocks: list[Block] = []
    for block in kernel.blocks:
        if block.name not in loop.blocks:
            blocks.append(_redirect(block, header.name, f"enter {header.name}"))
        elif block is header:
            blocks += (_rounds_with_barrier if facts.waits else _any_round)(header, facts, inside, known)
    for copied in blocks:
        base = copied.name.rpartition("+")[0]
        if base in headers and base in loop.blocks:
            headers[copied.name] = headers[base]
    return replace(kernel, blocks=tuple(blocks))


def _any_round(header: Block, facts: _Header, inside: list[Block], known: set[str]) -> list[Block]:
    """Return a loop without a barrier: perhaps any round, and then the last visit of the header."""
    name = header.name
    leave = f"leave {name}"
    return [
        _choice(f"enter {name}", header, (f"some {name}", leave), common=False),
        _arbitrary(f"some {name}", header, facts, f"{name}+any"),
        *_copies(inside, "any", name, leave, known, leaves=False),
        _arbitrary(leave, header, facts, f"{name}+last"),
        *_copies(inside, "last", name, "", known, leaves=True),
    ]


def _rounds_with_barrier(header: Block, facts: _Header, inside: list[Block], known: set[str]) -> list[Block]:
    """Return a loop each round of which passes a barrier: the first round, or any round and the next one."""
    name = header.name
    any_round = _arbitrary(f"some {name}", header, facts, f"{name}+any")
    forget = Barrier("group", facts.fenced)
    return [
        _choice(f"enter {name}", header, (f"{name}+first", any_round.name), common=True),
        *_copies(inside, "first", name, f"{name}+next", known, leaves=True),
        replace(any_round, instructions=(forget, *any_round.instructions)),
        *_copies(inside, "any", name, f"{name}+next", known, leaves=True),
        *_copies(inside, "next", name, "", known, leaves=True),
    ]


def _choice(name: str, header: Block, ways: tuple[str, str], *, common: bool) -> Block:
    """Return a block from which threads go one of two ways, and those of a group the same way if that is `common`."""
    parameters = tuple((f"{parameter} at {name}", width) for parameter, width in header.parameters)
    values = tuple(parameter for parameter, _ in parameters)
    test = f"way at {name}"
    targets = tuple(JumpTarget(way, values) for way in ways)
    return Block(name, parameters, (Arbitrary(test, 1, is_uniform=common),), End(targets, test))


def _arbitrary(name: str, header: Block, facts: _Header, to: str) -> Block:
    """Return a block that gives arbitrary values to what a loop changes, and goes to a round."""
    parameters = tuple((f"{parameter} at {name}", width) for parameter, width in header.parameters)
    values: list[Operand] = [parameter for parameter, _ in parameters]
    chosen = []
    for number, (_, width) in enumerate(parameters[: facts.changed]):
        values[number] = f"any {parameters[number][0]}"
        chosen.append(Arbitrary(f"any {parameters[number][0]}", width, is_uniform=number in facts.common))
    return Block(name, parameters, tuple(chosen), End((JumpTarget(to, tuple(values)),)))


def _copies(  # noqa: PLR0913
    inside: list[Block], word: str, header: str, again: str, known: set[str], *, leaves: bool
) -> list[Block]:
    """Return the blocks of a loop for one round. Jumps to the header go to `again`, if there is that, and others leave.

    Jumps of the other kinds are never made: behind a block with such a jump stands one that says so.
    """
    names = {block.name for block in inside}
    copies = []
    for block in inside:
        never = f"never {block.name}+{word}"

        def to(target: JumpTarget, never: str = never) -> JumpTarget:
            if target.block == header:
                return replace(target, block=again) if again else JumpTarget(never)
            if target.block in names:
                return replace(target, block=f"{target.block}+{word}")
            return target if leaves else JumpTarget(never)

        redirected = replace(block, end=replace(block.end, targets=tuple(map(to, block.end.targets))))
        copies.append(replace(rename_values(redirected, word, known), name=f"{block.name}+{word}"))
        if any(target.block == never for target in redirected.end.targets):
            copies.append(Block(never, (), (KernelClaim("assume", Constant(0, 1)),), End()))
    return copies


def _redirect(block: Block, old: str, new: str) -> Block:
    """Return a block whose jumps to one block go to another one."""
    targets = tuple(replace(target, block=new) if target.block == old else target for target in block.end.targets)
    return replace(block, end=replace(block.end, targets=targets))
