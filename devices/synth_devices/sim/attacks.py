"""The schedule of an adversary as lines of text, its replay, and the proof that it keeps the promise of a model.

    start 0 0
    start 1 1
    cycle
    step 0
    hung

The lines are those of `schedules`. One instance of the test runs, all its workgroups have slots, and they step in the
order of the lines. The line `cycle` stands before the steps that can be repeated without end, because they lead back to
the same state.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.certificates.certificate import Lasso, LassoStep, ProductState
from synth_checker.certificates.checker import refusal
from synth_checker.twin import semantics
from synth_devices.sim.adversary import Attack
from synth_devices.sim.schedules import Reader, numbered

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from synth_checker.models.automaton import Automaton
    from synth_checker.models.model import Form
    from synth_checker.programs.program import Program, State
    from synth_devices.sim.adversary import Table


def attack_lines(attack: Attack, table: Table) -> Iterator[str]:
    """Yield the lines of an attack. `table` has the steps of one instance, see `adversary.Table`."""
    for thread in range(len(table[0])):
        yield f"start {thread} {thread}"
    state = 0
    for place, thread in enumerate((*attack.stem, *attack.cycle)):
        if place == len(attack.stem):
            yield "cycle"
        yield f"step {thread}"
        state = table[state][thread]
        if table[state][thread] < 0:
            yield f"end {thread}"
    yield "hung"


def is_attack(lines: Iterable[str]) -> bool:
    """Return whether the lines of a schedule are those of an adversary: one of them is `cycle`."""
    return any(line == "cycle" for _, line in numbered(lines))


def replay_attack(lines: Iterable[str], table: Table) -> Attack:
    """Run the steps of an attack, and return it.

    Raises:
        ScheduleError: a line breaks a rule, or the cycle does not lead back to the state in which it begins.
    """
    reader = Reader(lines)
    threads = range(len(table[0]))
    for thread in threads:
        reader.take(f"start {thread} {thread}")
    state, start = 0, -1
    steps: list[int] = []
    prefix = 0
    while (line := reader.next()) != "hung":
        if line == "cycle" and start < 0:
            start, prefix = state, len(steps)
            continue
        live = [thread for thread in threads if table[state][thread] >= 0]
        chosen = [thread for thread in live if line == f"step {thread}"]
        if not chosen:
            expected = [f"step {thread}" for thread in live] + ["hung" if start >= 0 else "cycle"]
            raise reader.fault(line, f"one of {', '.join(expected)}")
        (thread,) = chosen
        steps.append(thread)
        state = table[state][thread]
        if table[state][thread] < 0:
            reader.take(f"end {thread}")
    if start < 0 or prefix == len(steps):
        raise reader.fault(line, "a cycle with a step before it")
    if state != start:
        raise reader.fault(line, "steps that lead back to the state at the line 'cycle'")
    reader.take_end()
    return Attack(tuple(steps[:prefix]), tuple(steps[prefix:]))


def lasso_of(attack: Attack, program: Program, automaton: Automaton) -> Lasso[State]:
    """Return what an attack on a program does as a certificate, beside the automaton of a model."""
    steps, state, model = [], semantics.start(program), 0
    for thread in (*attack.stem, *attack.cycle):
        live = semantics.live(program, state)
        fair = automaton.fair[model][sum(1 << live_thread for live_thread in live)]
        steps.append(LassoStep(ProductState(state, model), fair, thread))
        state = semantics.step(program, state, thread)
        is_live = thread in semantics.live(program, state)
        model = (automaton.steps if is_live else automaton.ends)[model][thread]
    return Lasso(tuple(steps), len(attack.stem))


def broken_promise(attack: Attack, program: Program, automaton: Automaton, form: Form) -> str | None:
    """Return why an attack does not keep the promise of one form of a model; None if it does."""
    return refusal(lasso_of(attack, program, automaton), program, automaton, form)
