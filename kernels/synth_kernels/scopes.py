"""Atomic accesses that are not atomic to all others: of a narrow scope, or of another width.

An access whose scope is a block is atomic only among the threads of the block. With an access of another block to the
same place, it races. Proofs take each access as atomic among all threads. So whatever they say about a kernel with
such accesses is looked at again, here with plain accesses in their place. Thus the scope of an access that no two
blocks make to one place is no matter.

Nor are two accesses of different widths atomic to each other.

How a scope orders other accesses is not modelled.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from synth_kernels.program import REACHES, Access, Arbitrary

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from synth_kernels.launch import Launch
    from synth_kernels.program import Instruction, Kernel, Reach


def narrow_atomics(kernel: Kernel, launch: Launch) -> list[Access]:
    """Return the accesses of a narrower scope than all threads of a launch that share their array."""
    spaces = {array.name: array.space for array in kernel.arrays}
    is_one_group, is_one_thread = set(launch.groups) <= {1}, set(launch.local) <= {1}
    enough: dict[str, tuple[Reach, ...]] = {
        "local": REACHES if is_one_thread else ("group", "cluster"),
        "global": ("group", "cluster") if is_one_group else (),
    }
    if is_one_group and is_one_thread:
        enough["global"] = REACHES
    return [
        instruction
        for instruction in kernel.accesses
        if instruction.reach and instruction.reach not in enough.get(spaces[instruction.array], REACHES)
    ]


def atomics_of(kernel: Kernel) -> list[Access]:
    """Return the atomic accesses of a kernel."""
    return [access for access in kernel.accesses if access.kind == "atomic"]


def wider_atomics(kernel: Kernel) -> list[Access]:
    """Return the atomic accesses to arrays that have narrower ones, too."""
    least: dict[str, int] = {}
    for atomic in atomics_of(kernel):
        least[atomic.array] = min(atomic.width, least.get(atomic.array, atomic.width))
    return [atomic for atomic in atomics_of(kernel) if atomic.width > least[atomic.array]]


def as_plain(kernel: Kernel, accesses: Iterable[Access]) -> Kernel:
    """Return a kernel in which some atomic accesses are plain reads, and writes of arbitrary values."""
    chosen = set(accesses)

    def steps(instruction: Instruction) -> Iterator[Instruction]:
        if instruction not in chosen:
            yield instruction
            return
        assert isinstance(instruction, Access)  # noqa: S101  (only accesses are chosen)
        plain = replace(instruction, kind="read", operation="", operands=(), reach="")
        if instruction.operation == "load":
            yield plain
            return
        stored = f"{instruction.name}.stored"
        yield Arbitrary(instruction.name, instruction.width, line=instruction.line)
        yield Arbitrary(stored, instruction.width, line=instruction.line)
        yield replace(plain, kind="write", name="", value=stored)

    return replace(
        kernel,
        blocks=tuple(
            replace(
                block, instructions=tuple(step for instruction in block.instructions for step in steps(instruction))
            )
            for block in kernel.blocks
        ),
    )


#: Who the threads are among which an access is atomic.
_AMONG = {
    "thread": "its own thread",
    "subgroup": "threads of a subgroup",
    "group": "threads of a workgroup",
    "cluster": "threads of a cluster",
}


def narrow_scope_reason(accesses_by_kernel: Iterable[tuple[Kernel, Iterable[Access]]]) -> str:
    """Return that some accesses of kernels have too narrow scopes, in words."""
    places_by_scope: dict[str, list[str]] = {}
    for kernel, narrow_access in ((kernel, access) for kernel, accesses in accesses_by_kernel for access in accesses):
        places_by_scope.setdefault(_AMONG[narrow_access.reach], []).append(_access_text(kernel, narrow_access))
    parts = []
    for among, places in places_by_scope.items():
        names = list(dict.fromkeys(places))
        parts.append(f"{' and '.join(names)} {'is' if len(names) == 1 else 'are'} atomic only among {among}")
    return f"{' and '.join(parts)}, and others may access the same place; synth does not decide such kernels yet"


def wider_access_reason(accesses_by_kernel: Iterable[tuple[Kernel, Iterable[Access]]]) -> str:
    """Return that some accesses of kernels may meet atomic ones of another width, in words."""
    where = " and ".join(
        sorted({_access_text(kernel, access) for kernel, accesses in accesses_by_kernel for access in accesses})
    )
    return f"{where} may access the same bytes as an atomic operation of another width, to which it is not atomic"


def _access_text(kernel: Kernel, access: Access) -> str:
    """Return where an access stands, and what is written there."""
    place = kernel.places.get(access.line)
    text = f" ({place.expression})" if place is not None and place.expression else ""
    return f"line {access.line}" if place is None else f"{place.file}:{place.line}{text}"
