"""Look for an execution that shows a fault which the solver found.

The first execution has the numbers of the solver, and memory holds zeros, so that the values of the answer are simple.
In the second one, memory holds from the start what the two threads read in the solver's state. In the next ones, it
holds simple patterns, and threads take their turns in other orders. Where the launch leaves scalars open, small ones
are tried. At last the loops are unrolled a few times, so that each state of the solver is one that its two threads
reach, and the solver looks for the fault again. At first it gets little time for each number of rounds, because one of
them may be hard where another one is easy. It gets more time while no fault of the kernel is confirmed.

All threads of a launch run if they are not too many. Of larger launches, the groups of the two threads run, and all
others have not begun. That is a true beginning of an execution. But the numbers of such a launch may be so large that
an index wraps around, and then other threads of it would leave their arrays. So such a run counts only if nothing
wraps. No device has a group of more than 1,024 threads.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from synth_kernels.confirmation.execution import ConfirmingRun
from synth_kernels.confirmation.states import StateNumbers, numbers_of_state, roots_of
from synth_kernels.deadline import OverdueError
from synth_kernels.fault_query import small_numbers, state_in_which
from synth_kernels.flow import Flow
from synth_kernels.launch import MOST_IN_GROUP, TOO_LARGE, members, threads
from synth_kernels.pair.walk import Walk
from synth_kernels.terms import evaluate
from synth_kernels.unrolled_loops import unroll

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from synth_kernels.launch import Launch, Thread
    from synth_kernels.memory import Location, RunFault
    from synth_kernels.pair.options import Options
    from synth_kernels.pair.state import KernelCheck
    from synth_kernels.program import Kernel
    from synth_solvers.client import Solver

#: All threads of a launch run if they are at most so many, and small scalars are tried if they are at most so many.
MOST_THREADS, MOST_WITH_CHOICES = 2048, 64
#: So many choices of small scalars are tried.
MOST_CHOICES = 24
#: All executions for a kernel together have so many instructions.
MOST_INSTRUCTIONS = 6_000_000
#: After so many executions that did not end, those that follow are shorter by a factor.
_ENDLESS, _SHORTER = 3, 10
#: How many further rounds of each loop are looked at, and with how many blocks at most.
ROUNDS = (1, 3)
MOST_BLOCKS = 400
#: A query about unrolled loops gets so many seconds of the solver's work at first. All that get more share the second.
_FIRST_SECONDS, _MORE_SECONDS = 4.0, 15.0
#: What memory holds at a place before an execution that takes nothing from the solver: zeros, then numbers that differ
#: between neighbours, and at last those that differ between places that are a power of two apart, too.
CONTENTS: tuple[Callable[[Location], int], ...] = (
    lambda _: 0,
    lambda place: place[2] + 1 & 127,
    lambda place: ~place[2] & 127,
    lambda place: 100 * (place[2] & 1),
    lambda place: place[2] * 0x9E3779B1 >> 24 & 127,
)
_SMALL = (2, 1, 3, 4, 8, 0)
#: Scalars and sizes below this are preferred.
_LEAST = 9


class ConfirmationSearch:
    """Looks for executions of a kernel in launches of one class."""

    def __init__(self, kernel: Kernel, launch: Launch, solver: Solver, options: Options) -> None:
        self._kernel, self._launch, self._solver, self._options = kernel, launch, solver, options
        self._has_loops = bool(Flow(kernel).loops)
        self._walks: dict[int, Walk | None] = {}
        self._patience = _MORE_SECONDS
        self._has_confirmed = False
        self._known: dict[tuple[object, ...], Sequence[RunFault]] = {}
        self._instructions_left = MOST_INSTRUCTIONS
        self._endless = 0

    def confirm(self, check: KernelCheck, first: StateNumbers) -> tuple[RunFault, StateNumbers] | None:
        """Return the fault of a check as it happens in an execution, and its numbers; None if no execution shows it."""
        states = itertools.chain([first], self._states_of_unrolled(check) if self._has_loops else ())
        real = next((real for state in states if (real := self._matching_fault(check, state)) is not None), None)
        self._has_confirmed = self._has_confirmed or real is not None
        return real

    def _states_of_unrolled(self, check: KernelCheck) -> Iterator[StateNumbers]:
        """Yield states in which the check fails after a few rounds: those first that the solver finds soon."""
        hard = []
        for rounds in ROUNDS:
            if (walk := self._walk(rounds)) is None:
                break
            state = self._failing_state(walk, check, _FIRST_SECONDS)
            if state == "unknown":
                hard.append(walk)
            elif state is not None:
                yield state
        for walk in hard:
            if self._patience > 0 and not self._has_confirmed:
                before = self._solver.worked
                state = self._failing_state(walk, check, self._patience)
                self._patience -= self._solver.worked - before
                if isinstance(state, StateNumbers):
                    yield state

    def _matching_fault(self, check: KernelCheck, state: StateNumbers) -> tuple[RunFault, StateNumbers] | None:
        for fault, numbers in self._faults(state):
            if _is_of(fault, check) and self._is_asked_for(fault):
                return fault, numbers
        return None

    def _faults(self, state: StateNumbers) -> Iterator[tuple[RunFault, StateNumbers]]:
        """Yield the faults of executions, each with the numbers of its execution."""
        locals_, everyone = (
            math.prod(size for name, size in state.sizes.items() if name.startswith(words))
            for words in (("lsize",), ("lsize", "groups"))
        )
        if locals_ > MOST_IN_GROUP or everyone >= TOO_LARGE:
            return
        zeros = replace(state, inputs={})
        first, second = state.pair
        for numbers, contents, pair in (
            (zeros, 0, (first, second)),
            (state, None, (first, second)),
            (state, None, (second, first)),
            *((zeros, number, (first, second)) for number in range(1, len(CONTENTS))),
            (zeros, 0, (second, first)),
        ):
            yield from ((fault, state) for fault in self._faults_of(numbers, contents, pair, everyone))
        for numbers in self._choices(state) if everyone <= MOST_WITH_CHOICES else ():
            yield from ((fault, numbers) for fault in self._faults_of(numbers, 0, (), everyone))

    def _faults_of(
        self, state: StateNumbers, contents: int | None, first: Sequence[Thread], everyone: int
    ) -> Sequence[RunFault]:
        """Return the faults of an execution in which some threads have the first turns, and memory holds `contents`."""
        key = (*state.sizes.values(), -1, *state.scalars.values(), -1, contents, *first)
        if contents is not None and key in self._known:
            return self._known[key]
        if self._instructions_left <= 0:
            return ()
        execution = ConfirmingRun(
            self._kernel,
            state.sizes,
            state.scalars,
            inputs=state.inputs,
            contents=None if contents is None else CONTENTS[contents],
            tolerate_benign=self._options.tolerate_benign,
            until=self._solver.until,
            warp=self._launch.warp,
            waits_fence=self._launch.waits_fence,
            check_bounds=self._options.check_bounds,
            one_barrier=self._options.one_barrier,
            shorter=_SHORTER if self._endless >= _ENDLESS else 1,
        )
        groups = dict.fromkeys(group for group, _ in state.pair)
        chosen = list(threads(state.sizes) if everyone <= MOST_THREADS else members(groups, state.sizes))
        mates = [thread for thread in chosen if first and thread[0] == first[0][0]]
        result = execution.run(list(dict.fromkeys([*first, *mates, *chosen])))
        self._instructions_left -= execution.executed
        self._endless += not result.ends
        faults = [] if everyone > MOST_THREADS and execution.has_wrapped else result.faults
        if contents is not None:
            self._known[key] = faults
        return faults

    def _is_asked_for(self, fault: RunFault) -> bool:
        """Return whether a fault is not a race between groups if these do not count."""
        groups = {group for group, _ in fault.threads}
        return fault.kind != "race" or self._options.only != "intra-group" or len(groups) == 1

    def _choices(self, state: StateNumbers) -> Iterator[StateNumbers]:
        """Yield the same launch with small scalars where it leaves them open, and with no values from outside."""
        fixed_scalars = dict(self._launch.scalars)
        masks = {name: (1 << width) - 1 for name, width in self._kernel.scalars if name not in fixed_scalars}
        for values in itertools.islice(itertools.product(_SMALL, repeat=len(masks)), MOST_CHOICES):
            small = {name: value & mask for (name, mask), value in zip(masks.items(), values, strict=True)}
            yield replace(state, scalars=state.scalars | small, inputs={})

    def _walk(self, rounds: int) -> Walk | None:
        """Return the walk through the kernel with its loops unrolled, or None if that is too much."""
        if rounds not in self._walks:
            kernel = unroll(self._kernel, rounds)
            few = len(kernel.blocks) <= MOST_BLOCKS
            self._walks[rounds] = self._walk_in_time(kernel) if few else None
        return self._walks[rounds]

    def _walk_in_time(self, kernel: Kernel) -> Walk | None:
        try:
            return Walk(kernel, self._launch, options=self._options, until=self._solver.until)
        except OverdueError:
            return None

    def _failing_state(
        self, walk: Walk, check: KernelCheck, seconds: float
    ) -> StateNumbers | Literal["unknown"] | None:
        """Look for a state in which the check fails after a few rounds, at first one with small numbers."""
        state = walk.state
        fails = state.terms.any(*(each_check.fails for each_check in state.checks if _are_alike(each_check, check)))
        if fails.value == 0:
            return None
        before, self._solver.seconds = self._solver.seconds, min(self._solver.seconds, seconds)
        try:
            answer = state_in_which(fails, state, self._solver, small_numbers(state, [_LEAST]), is_patient=False)
        finally:
            self._solver.seconds = before
        if answer.verdict != "sat":
            return "unknown" if answer.verdict == "unknown" else None
        return numbers_of_state(
            walk, evaluate(roots_of(walk), {name: int(value) for name, value in answer.values.items()})
        )


def _are_alike(first: KernelCheck, second: KernelCheck) -> bool:
    if (first.kind, first.line, first.other) != (second.kind, second.line, second.other):
        return False
    kinds = [None if check.access is None else (check.access.array, check.access.kind) for check in (first, second)]
    return kinds[0] == kinds[1]


def _is_of(fault: RunFault, check: KernelCheck) -> bool:
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
