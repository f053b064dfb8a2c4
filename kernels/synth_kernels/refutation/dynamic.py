"""DYN: refute candidates by runs of a few threads with random launches and scalars.

A run follows each thread from barrier to barrier, by the one evaluator (`concrete_run`). Each time a thread comes to
the header of a loop, we keep its values and its pending accesses. Two threads that came there in the same rounds are a
state of the two-thread program, so Houdini would refute a candidate that fails in it.

This needs that no thread has gone on where the two-thread program would not. So we look at nothing behind the first
race or other fault, and at no run in which an assumption fails. Kernels whose own claims compare threads are left
alone.

DYN ends when two threads have come to the header of each loop in the same later round. It also ends when a launch
refutes nothing, and an earlier one did. Further launches hardly ever refute more.
"""

from __future__ import annotations

import contextlib
import itertools
import random
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_kernels.concrete_run import Runner
from synth_kernels.launch import TOO_LARGE
from synth_kernels.operators import BINARY, RELATING, compute, is_undefined
from synth_kernels.pair.annotations import pair_values
from synth_kernels.program import DEFINING, DIMENSIONS, FLAGS, PURE, Access, Compute, Constant, KernelClaim

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from synth_kernels.launch import Launch, Thread
    from synth_kernels.memory import Location, PendingRunAccess
    from synth_kernels.program import Block, Kernel, Operand
    from synth_kernels.refutation.shared_refutations import RefutedCandidates

NAME = "DYN"
#: How many launches there are, how many visits of headers are kept in all, and how many watched places are tried.
MOST_LAUNCHES, MOST_VISITS, MOST_PLACES = 5, 1000, 5
#: A launch is looked at for so many seconds, and of the visits that two threads made in the same rounds, at so many.
_SECONDS, _MOST_PAIRS = 1.0, 120
_SIZES, _SCALARS = (2, 4, 1, 8, 3, 16), (0, 1, 2, 3, 4, 5, 8, 16, 17, 64, 100)


class _EndedRunError(Exception):
    """Nobody needs to know more."""


@dataclass(frozen=True, slots=True)
class _Visit:
    """A thread at the header of a loop, with its values, and its pending accesses as `Memory.pending` has them."""

    thread: Thread
    block: Block
    values: Mapping[str, int]
    pending: tuple[PendingRunAccess, ...]


def refute(kernel: Kernel, launch: Launch, refuted: RefutedCandidates, seed: int = 0) -> None:
    """Add the candidates that fail in some runs to the refuted ones. It has none for launches with warps."""
    if launch.warp:
        return
    of_pair = pair_values(kernel)
    claims = kernel.claims
    if any(claim.kind != "candidate" and (claim.once or claim.value in of_pair) for claim in claims):
        return
    candidates = {
        instruction.line: block.name
        for block in kernel.blocks
        for instruction in block.instructions
        if isinstance(instruction, KernelClaim) and instruction.kind == "candidate"
    }
    chance = random.Random(seed)  # noqa: S311  (no secret)
    covered, begins = set[str](), len(refuted.found)
    with contextlib.suppress(_EndedRunError):
        for number in range(1, MOST_LAUNCHES + 1):
            open_headers = {header for line, header in candidates.items() if line not in refuted.found}
            if refuted.stop.is_set() or open_headers <= covered:
                return
            before = len(refuted.found)
            run = _RandomRun(kernel, launch, chance, refuted)
            for visit, other in run.pairs():
                if refuted.stop.is_set() or time.monotonic() > run.ends:
                    break
                refuted.add(run.failing(visit, other, of_pair), NAME, number)
            covered |= run.covered()
            if len(refuted.found) == before != begins:
                return


class _RandomRun:
    """A run with a random launch, and the visits of its threads to headers."""

    def __init__(self, kernel: Kernel, launch: Launch, chance: random.Random, refuted: RefutedCandidates) -> None:
        self._kernel, self._chance, self._refuted = kernel, chance, refuted
        self._widths = kernel.all_widths()
        self.ends = time.monotonic() + _SECONDS
        self._visits: dict[tuple[str, tuple[int, ...]], list[_Visit]] = {}
        self._count = 0
        steps = kernel.steps
        self._written = {step.array for step in steps if isinstance(step, Access) and step.kind != "read"}
        sizes = {name: chance.choice(_SIZES) if size is None else size for name, size in launch.sizes().items()}
        fixed_scalars = dict(launch.scalars)
        numbers = (*_SCALARS, sizes["lsize.0"], sizes["lsize.0"] * sizes["groups.0"] % TOO_LARGE)
        scalars = {
            name: fixed_scalars.get(name, chance.choice(numbers) & ((1 << width) - 1)) for name, width in kernel.scalars
        }
        self._runner = Runner(
            kernel,
            sizes,
            scalars,
            tolerate_benign=False,
            contents=_contents(chance),
            until=self.ends,
            at_header=self._keep,
            waits_fence=launch.waits_fence,
        )
        self._scalars = scalars
        self._run = self._runner.run(_some_threads(sizes, chance))

    def _keep(self, thread: Thread, block: Block, rounds: tuple[int, ...], values: Mapping[str, int]) -> None:
        """Keep a visit, unless there was a fault that the two-thread program excludes from here on."""
        if self._refuted.stop.is_set():
            raise _EndedRunError
        if self._count >= MOST_VISITS or any(fault.kind != "bounds" for fault in self._runner.memory.faults):
            return
        self._count += 1
        stale = {
            instruction.name for instruction in block.instructions if isinstance(instruction, DEFINING)
        }  # these are of the round before
        seen = {name: value for name, value in values.items() if name not in stale}
        here = self._visits.setdefault((block.name, rounds), [])
        if len(here) < len(_SIZES):
            pending = tuple(access for access in self._runner.memory.pending(thread) if access.array in self._written)
            here.append(_Visit(thread, block, seen, pending))
        if not self._holds_claims(block, seen):
            self._count = MOST_VISITS

    def _holds_claims(self, block: Block, values: Mapping[str, int]) -> bool:
        """Return whether user invariants hold. Only the visits before the first that fails count."""
        if not any(
            isinstance(instruction, KernelClaim) and instruction.kind == "invariant"
            for instruction in block.instructions
        ):
            return True
        seen = dict(values)
        for instruction in block.instructions:
            if isinstance(instruction, Compute) and self._is_known(instruction, seen):
                seen[instruction.name] = self._result(instruction, [seen])[0]
            elif (
                isinstance(instruction, KernelClaim)
                and instruction.kind == "invariant"
                and not self._value(instruction.value, seen)
            ):
                return False
        return True

    def covered(self) -> set[str]:
        """Return the headers to which two threads came in one round after the first."""
        if not self._run.counts:
            return set()
        return {header for (header, rounds), seen in self._visits.items() if rounds[0] and len(seen) > 1}

    def pairs(self) -> Iterator[tuple[_Visit, _Visit]]:
        """Yield visits of two threads in the same rounds, some of each header first."""
        if not self._run.counts:
            return
        rounds = list(self._visits.values())
        self._chance.shuffle(rounds)
        for visits in rounds[:_MOST_PAIRS]:
            orders = list(itertools.permutations(visits, 2))
            yield from self._chance.sample(orders, min(3, len(orders)))

    def failing(self, first: _Visit, second: _Visit, of_pair: Mapping[str, frozenset[str]]) -> Iterator[int]:
        """Yield the lines of candidates that fail for two threads at a header, for some watched places."""
        is_same = first.thread[0] == second.thread[0]
        local = {array.name for array in self._kernel.arrays if array.space == "local"}
        pending: dict[int, list[PendingRunAccess]] = {}
        for access in first.pending:
            if access.is_near if is_same else access.array not in local:
                pending.setdefault(access.element, []).append(access)
        places = sorted(pending)
        flags = dict.fromkeys((f"{kind}.{array.name}" for array in self._kernel.arrays for kind in FLAGS), 0)
        words = self._scalars | flags | {"same_group": int(is_same), "enabled": 1}
        for place in self._chance.sample(places, min(MOST_PLACES, len(places))) or [self._chance.randrange(64)]:
            here = words | {"watched": place}
            accesses_here = pending.get(place, [])
            here["watched.event"] = event = max((access.event for access in accesses_here), default=0)
            seen = (f"{access.flag}.{access.array}" for access in accesses_here if access.event in {0, event})
            here |= dict.fromkeys(seen, 1)
            yield from self._failing([here | dict(first.values), here | dict(second.values)], first.block, of_pair)

    def _failing(
        self, values: list[dict[str, int]], block: Block, of_pair: Mapping[str, frozenset[str]]
    ) -> Iterator[int]:
        for instruction in block.instructions:
            if isinstance(instruction, Compute) and all(self._is_known(instruction, seen) for seen in values):
                for seen, result in zip(values, self._result(instruction, values), strict=True):
                    seen[instruction.name] = result
            elif (
                isinstance(instruction, KernelClaim)
                and instruction.kind == "candidate"
                and instruction.line not in self._refuted.found
            ):
                words = of_pair.get(str(instruction.value), frozenset()) - {"enabled"}
                whose = values[:1] if words or instruction.once else values
                if any(self._value(instruction.value, seen) == 0 for seen in whose):
                    yield instruction.line
            elif not isinstance(instruction, PURE | KernelClaim):
                return

    @staticmethod
    def _is_known(compute: Compute, seen: Mapping[str, int]) -> bool:
        return all(isinstance(operand, Constant) or operand in seen for operand in compute.operands)

    def _result(self, instruction: Compute, values: list[dict[str, int]]) -> list[int]:
        """Return the result of an operator in each thread."""
        operands = [[self._value(operand, seen) or 0 for operand in instruction.operands] for seen in values]
        if instruction.operator in RELATING:
            first, second = operands[0][0], operands[-1][0]
            return [int(first == second)] * 2 if instruction.operator == "uniform" else [second, first]
        last = instruction.operands[-1]
        width = last.width if isinstance(last, Constant) else self._widths[last]
        return [
            0
            if instruction.operator in BINARY and is_undefined(instruction.operator, numbers[-1], width)
            else compute(instruction.operator, numbers, width, instruction.width)
            for numbers in operands
        ]

    @staticmethod
    def _value(operand: Operand, seen: Mapping[str, int]) -> int | None:
        """Return the value of an operand, or None if it is not known."""
        return operand.value if isinstance(operand, Constant) else seen.get(operand)


def _contents(chance: random.Random) -> Callable[[Location], int]:
    """Return what memory holds at each place: zeros, or small numbers that depend on the place."""
    factor, added = chance.choice((0, 1, 40503)), chance.choice((0, 1, 7))
    return lambda place: (place[2] * factor + added) & 127


def _some_threads(sizes: Mapping[str, int], chance: random.Random) -> list[Thread]:
    """Return some threads of a launch, most of them of one group."""

    def position(word: str, kind: str) -> tuple[int, ...]:
        return tuple(
            {"first": 0, "next": min(1, size - 1), "last": size - 1}.get(kind, chance.randrange(size))
            for size in (sizes[f"{word}.{number}"] for number in range(DIMENSIONS))
        )

    group = position("groups", chance.choice(("first", "any")))
    near: list[Thread] = [(group, position("lsize", kind)) for kind in ("first", "next", "any", "any", "last")]
    far: list[Thread] = [(position("groups", "last"), position("lsize", kind)) for kind in ("first", "any")]
    return list(dict.fromkeys([*near, *far]))
