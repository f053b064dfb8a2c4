"""Make a counterexample from a state in which a check fails: by a run that shows the fault, or else by this state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.confirmation.states import numbers_of_state
from synth_kernels.reports import Counterexample

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from synth_kernels.confirmation.attempts import ConfirmationSearch
    from synth_kernels.confirmation.states import StateNumbers
    from synth_kernels.pair.state import KernelCheck, ThreadPairState
    from synth_kernels.pair.walk import Walk
    from synth_kernels.reports import Fault
    from synth_kernels.terms import Term

#: What kind of fault there is if a check of some kind fails, the worst first.
KINDS: dict[str, Fault] = {
    "race": "race",
    "divergence": "divergence",
    "assertion": "assertion",
    "overflow": "overflow",
    "bounds": "bounds",
    "constant-write": "constant-write",
    "base": "invariant",
    "step": "invariant",
}


def counterexample(
    check: KernelCheck, walk: Walk, values: Mapping[Term, int], confirming: ConfirmationSearch | None
) -> Counterexample:
    """Return the counterexample of a check that fails in a state. Without a way to confirm it, it is a possible one."""
    state = numbers_of_state(walk, values)
    array = None if check.access is None else check.access.array
    real = None if confirming is None else confirming.confirm(check, state)
    if real is not None:
        fault, of_run = real
        element = None if fault.location is None else fault.location[2]
        return Counterexample(
            KINDS[check.kind],
            fault.threads,
            fault.lines,
            array,
            element,
            of_run.sizes,
            of_run.scalars,
            is_confirmed=True,
            parting=fault.parting,
            values=fault.values,
            one_barrier=fault.one_barrier,
        )
    element = None if check.element is None else values[check.element]
    lines = (_line_of_first(check, walk.state, values), check.line)
    before = set(walk.order[: walk.order.index(check.line) + 1])
    partings = [parting.line for parting in walk.partings if parting.line in before and values[parting.happens]]
    return Counterexample(
        KINDS[check.kind],
        state.pair,
        lines,
        array,
        element,
        state.sizes,
        state.scalars,
        is_confirmed=False,
        parting=partings[-1] if partings and check.kind == "divergence" else 0,
        values=_values_of(check, lines, state) if check.kind == "race" else (),
        invented=tuple(
            (state.pair[input_.thread], input_.line, values[input_.value])
            for input_ in walk.inputs
            if input_.line in before and values[input_.invented]
        ),
        loops=tuple(round_.line for round_ in walk.rounds if round_.first in before and values[round_.happens]),
        calls=tuple(call.line for call in walk.calls if call.first in before and values[call.happens]),
    )


def _values_of(check: KernelCheck, lines: Sequence[int], state: StateNumbers) -> tuple[int | None, ...]:
    """Return what the two accesses of a race have read or written, as far as that is known."""
    assert check.access is not None  # noqa: S101  (a race has one)
    kinds = check.other_kind, check.access.kind
    return tuple(
        None if kind == "atomic" else next(reversed(state.inputs.get((thread, line), [None])), None)
        for thread, line, kind in zip(state.pair, lines, kinds, strict=True)
    )


def _line_of_first(check: KernelCheck, state: ThreadPairState, values: Mapping[Term, int]) -> int:
    """Return the line of thread 1, which for a race is that of the last access that sets the flag, or 0."""
    if check.access is None:
        return check.line
    logged = [
        log.access.line
        for log in state.logs[: check.logs]
        if log.access.array == check.access.array and log.access.kind == check.other_kind and values[log.happens]
    ]
    return logged[-1] if logged else 0
