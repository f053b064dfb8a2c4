"""Look for a run that shows a fault which the solver found.

The first run takes the numbers of the solver, and only its two threads. Memory holds zeros, so that the values of the
answer are simple. In the second run, memory holds from the start what these threads read in the solver's state. If they
read something behind a barrier that others may have stored, all threads of their groups run.

If these runs do not have the fault, the solver's state may be one that no run reaches. Then the two threads run with
other contents of memory. After that, all threads of the launch run, if they are few, with the same scalars and with
small ones. At last the loops are unrolled a few times, so that each state of the solver is one that its two threads
reach, and the solver looks for the fault again. At first it gets little time for each number of rounds, because one of
them may be hard where another one is easy. It gets more time while no fault of the kernel is confirmed.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from synth_kernels.deadline import OverdueError
from synth_kernels.flow import Flow
from synth_kernels.launch import members, threads
from synth_kernels.pair.walk import Walk
from synth_kernels.program import DIMENSIONS, Barrier
from synth_kernels.querying import open_numbers, state_in_which
from synth_kernels.running import Runner
from synth_kernels.terms import evaluated
from synth_kernels.unrolling import unrolled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from synth_kernels.launch import Launch, Thread
    from synth_kernels.memory import Fault, Location
    from synth_kernels.pair.options import Options
    from synth_kernels.pair.state import Check
    from synth_kernels.program import Kernel
    from synth_kernels.running import Inputs, Run
    from synth_kernels.terms import Term
    from synth_solvers.asking import Solver

#: All threads of a launch run if there are at most so many, and with at most so many choices of scalars.
MOST_THREADS = 64
MOST_CHOICES = 24
#: If the pair reads behind a barrier what others may have stored, its groups run if they have at most so many threads.
MOST_IN_GROUPS = 2048
#: How many further rounds of each loop are looked at, and with how many blocks at most.
ROUNDS = (1, 3)
MOST_BLOCKS = 400
#: A query about unrolled loops gets so many seconds of the solver's work at first. All that get more share the second.
_FIRST_SECONDS, _MORE_SECONDS = 4.0, 15.0
#: What memory holds at a place before a run that takes nothing from the solver: more than zeros. The first of these
#: differ between neighbours, and the last ones between places that are a power of two apart, too.
CONTENTS: tuple[Callable[[Location], int], ...] = (
    lambda place: place[2] & 127,
    lambda place: 100 * (place[2] & 1),
    lambda place: place[2] * 0x9E3779B1 >> 24 & 127,
)
_SMALL = (2, 1, 3, 4, 8, 0)
#: Scalars and sizes below this are preferred.
_LEAST = 9


@dataclass(frozen=True, slots=True)
class Found:
    """The numbers of a state: sizes, scalars, the two threads, and what they get from outside."""

    sizes: dict[str, int]
    scalars: dict[str, int]
    pair: tuple[Thread, Thread]
    inputs: Inputs


def roots_of(walk: Walk) -> Iterable[Term]:
    """Return the terms that `found_in` needs the values of."""
    state = walk.state
    return [
        *state.scalars.values(),
        *(term for ids in state.ids for term in ids.values()),
        *(term for one in walk.inputs for term in (one.happens, one.value, one.invented)),
        *(one.happens for one in walk.partings),
        *(one.happens for one in walk.rounds),
        *(one.happens for one in walk.calls),
    ]


def found_in(walk: Walk, values: Mapping[Term, int]) -> Found:
    """Return the numbers of a state of the two threads."""
    state = walk.state
    first, second = (
        tuple(tuple(values[ids[f"{word}.{dimension}"]] for dimension in range(DIMENSIONS)) for word in ("gid", "lid"))
        for ids in state.ids
    )
    pair = (first[0], first[1]), (second[0], second[1])
    inputs: dict[tuple[Thread, int], list[int]] = {}
    for one in walk.inputs:
        if values[one.happens]:
            inputs.setdefault((pair[one.thread], one.line), []).append(values[one.value])
    sizes = {name: values[term] for name, term in state.ids[0].items() if not name.startswith(("gid", "lid"))}
    return Found(sizes, {name: values[term] for name, term in state.scalars.items()}, pair, inputs)


def _count(sizes: Mapping[str, int]) -> int:
    """Return how many threads there are."""
    return math.prod(size for name, size in sizes.items() if not name.startswith("offset"))


class Confirming:
    """Looks for runs of a kernel in launches of one class."""

    def __init__(self, kernel: Kernel, launch: Launch, solver: Solver, options: Options) -> None:
        self._kernel, self._launch, self._solver, self._options = kernel, launch, solver, options
        self._steps = [one for block in kernel.blocks for one in block.instructions]
        self._has_loops = bool(Flow(kernel).loops)
        self._walks: dict[int, Walk | None] = {}
        self._patience = _MORE_SECONDS
        self._has_confirmed = False
        self._runs: dict[tuple[int, ...], list[Fault]] = {}

    def confirmed(self, check: Check, found: Found) -> tuple[Fault, Found] | None:
        """Return the fault of a check as it happens in a run, and the numbers of the run; None if no run shows it."""
        states = itertools.chain([found], self._unrolled(check) if self._has_loops else ())
        real = next((real for state in states if (real := self._tried(check, state)) is not None), None)
        self._has_confirmed = self._has_confirmed or real is not None
        return real

    def _unrolled(self, check: Check) -> Iterator[Found]:
        """Yield states in which the check fails after a few rounds: those first that the solver finds soon."""
        hard = []
        for rounds in ROUNDS:
            if (walk := self._walk(rounds)) is None:
                break
            found = self._asked(walk, check, _FIRST_SECONDS)
            if found == "unknown":
                hard.append(walk)
            elif found is not None:
                yield found
        for walk in hard:
            if self._patience > 0 and not self._has_confirmed:
                before = self._solver.worked
                found = self._asked(walk, check, self._patience)
                self._patience -= self._solver.worked - before
                if isinstance(found, Found):
                    yield found

    def _tried(self, check: Check, found: Found) -> tuple[Fault, Found] | None:
        for fault, numbers in self._faults(found):
            if _is_of(fault, check) and self._is_asked_for(fault):
                return fault, numbers
        return None

    def _faults(self, found: Found) -> Iterator[tuple[Fault, Found]]:
        """Yield the faults of runs, each with the numbers of its run."""
        pair = list(dict.fromkeys(found.pair))
        group = self._groups(found)
        zeros = replace(found, inputs={})
        for numbers, contents in ((zeros, None), (found, None), *((zeros, held) for held in CONTENTS)):
            run = self._run(numbers, pair, contents)
            if run.needs_others and group:
                run = self._run(numbers, group, contents)
            if group or not run.needs_others:
                yield from ((fault, found) for fault in run.faults)
        if _count(found.sizes) > MOST_THREADS:
            return
        if run.ends:
            yield from ((fault, found) for fault in self._run(found, list(threads(found.sizes))).faults)
        for numbers in self._choices(found):
            key = (*numbers.sizes.values(), *numbers.scalars.values())
            if key not in self._runs:
                self._runs[key] = self._run(numbers, list(threads(numbers.sizes))).faults
            yield from ((fault, numbers) for fault in self._runs[key])

    def _groups(self, found: Found) -> list[Thread]:
        """Return the threads of the groups of the pair, which store all that the pair may read; none if too many.

        With a barrier of the whole launch, these are all threads.
        """
        groups = list(dict.fromkeys(group for group, _ in found.pair))
        local = _count({name: size for name, size in found.sizes.items() if name.startswith("lsize")})
        is_grid = any(isinstance(one, Barrier) and one.scope == "grid" for one in self._steps)
        if (_count(found.sizes) if is_grid else local * len(groups)) > MOST_IN_GROUPS:
            return []
        return list(threads(found.sizes) if is_grid else members(groups, found.sizes))

    def _run(self, found: Found, chosen: Sequence[Thread], contents: Callable[[Location], int] | None = None) -> Run:
        runner = Runner(
            self._kernel,
            found.sizes,
            found.scalars,
            tolerate_benign=self._options.tolerate_benign,
            inputs=found.inputs,
            contents=contents,
            until=self._solver.until,
            warp=self._launch.warp,
            waits_fence=self._launch.waits_fence,
            check_bounds=self._options.check_bounds,
        )
        return runner.run(chosen)

    def _is_asked_for(self, fault: Fault) -> bool:
        """Return whether a fault is not a race between groups if these do not count."""
        groups = {group for group, _ in fault.threads}
        return fault.kind != "race" or self._options.only != "intra-group" or len(groups) == 1

    def _choices(self, found: Found) -> Iterator[Found]:
        """Yield the same launch with small scalars where it leaves them open, and with no values from outside."""
        given = dict(self._launch.scalars)
        masks = {name: (1 << width) - 1 for name, width in self._kernel.scalars if name not in given}
        for values in itertools.islice(itertools.product(_SMALL, repeat=len(masks)), MOST_CHOICES):
            small = {name: value & mask for (name, mask), value in zip(masks.items(), values, strict=True)}
            yield replace(found, scalars=found.scalars | small, inputs={})

    def _walk(self, rounds: int) -> Walk | None:
        """Return the walk through the kernel with its loops unrolled, or None if that is too much."""
        if rounds not in self._walks:
            kernel = unrolled(self._kernel, rounds)
            few = len(kernel.blocks) <= MOST_BLOCKS
            self._walks[rounds] = self._made(kernel) if few else None
        return self._walks[rounds]

    def _made(self, kernel: Kernel) -> Walk | None:
        try:
            return Walk(kernel, self._launch, options=self._options, until=self._solver.until)
        except OverdueError:
            return None

    def _asked(self, walk: Walk, check: Check, seconds: float) -> Found | Literal["unknown"] | None:
        """Look for a state in which the check fails after a few rounds, at first one with small numbers."""
        state = walk.state
        fails = state.terms.any(*(one.fails for one in state.checks if _same(one, check)))
        if fails.value == 0:
            return None
        small = [(term, _LEAST) for term in open_numbers(state)]
        before, self._solver.seconds = self._solver.seconds, min(self._solver.seconds, seconds)
        try:
            answer = state_in_which(fails, state, self._solver, [small])
        finally:
            self._solver.seconds = before
        if answer.verdict != "sat":
            return "unknown" if answer.verdict == "unknown" else None
        return found_in(walk, evaluated(roots_of(walk), {name: int(value) for name, value in answer.values.items()}))


def _same(one: Check, other: Check) -> bool:
    if (one.kind, one.line, one.other) != (other.kind, other.line, other.other):
        return False
    kinds = [None if check.access is None else (check.access.array, check.access.kind) for check in (one, other)]
    return kinds[0] == kinds[1]


def _is_of(fault: Fault, check: Check) -> bool:
    """Whether a fault has the kind, the line and the array of a check."""
    if check.access is None or fault.location is None:
        kind = "invariant" if check.kind in {"base", "step"} else check.kind
        return fault.kind == kind and check.line in fault.lines
    if fault.kind != check.kind:
        return False
    if check.other is None:
        return check.line in fault.lines
    accesses = set(zip(fault.lines, fault.kinds, strict=True))
    return (
        fault.location[0] == check.access.array
        and (check.line, check.access.kind) in accesses
        and sorted(fault.kinds) == sorted([check.access.kind, check.other_kind or ""])
    )
