"""Look for executions that reach what refutes an obligation.

The first setting is that of the refutation: its carrier sets, its constants, and its values for what an event may
choose freely among infinitely many numbers. Solvers like zeros, with which little can happen. So in a second setting
the integer constants are at least 2, if the axioms allow this. States are visited nearest first. That nothing is found
within some steps does not mean that nothing can be reached.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_checker.errors import InputError, InternalError
from synth_documents.phrases import count
from synth_machines.animation.machine_steps import Animation
from synth_machines.animation.replay import Rejection, TraceStep, replayed
from synth_machines.animation.search import Exploration, Violations, witness_of
from synth_machines.animation.settings import setting_of
from synth_machines.answers.proofs import Proofs
from synth_machines.answers.traces import step_fields
from synth_machines.checked_components import CheckedMachine
from synth_machines.evaluation.values import Element, written_value
from synth_machines.formulas.names import prime
from synth_machines.obligations import obligations_of
from synth_machines.sequents.scripts import sequent_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from synth_machines.animation.machine_steps import MachineStep
    from synth_machines.animation.search import ReachedWitness
    from synth_machines.answers.proof_attempts import ProofResult
    from synth_machines.answers.traces import TraceFields
    from synth_machines.checked_components import CheckedContext
    from synth_machines.obligations.obligation import Obligation
    from synth_machines.refutations import SequentRefutation

#: How many steps an execution may have, unless the caller says something else, and how many states are visited.
STEPS, _MOST_STATES = 12, 400
#: A search ends after so many seconds of the processor. They do not depend on how busy the computer is.
_MOST_S = 10.0
#: What is tried for a freely chosen number, beside the value that the refutation has.
_SMALL = (0, 1)


@dataclass(frozen=True, slots=True)
class ReachabilityResult:
    """What became of the search for an execution: a witness with its setting, or in words why there is none."""

    words: str
    witness: ReachedWitness | None = None
    setting: Mapping[str, str] | None = None

    def trace(self, machine: str) -> TraceFields | None:
        """Return the steps before the event, as a trace that `synth machine replay` takes."""
        if self.witness is None or self.setting is None:
            return None
        steps = [step_fields(step) for step in self.witness.before]
        return {"machine": machine, "setting": dict(self.setting), "steps": steps}


class ReachabilitySearch:
    """Looks for executions of some machines, with so many steps and seconds at most for a setting."""

    def __init__(
        self, components: Iterable[CheckedContext | CheckedMachine], steps: int = STEPS, seconds: float = _MOST_S
    ) -> None:
        self._seconds = seconds
        self._machines = {
            component.name: component for component in components if isinstance(component, CheckedMachine)
        }
        self._steps = steps

    def reach(self, decided: ProofResult) -> ReachabilityResult | None:
        """Return what is found about a refutation; None if the obligation is not refuted, or not one of a machine."""
        machine = self._machines.get(decided.obligation.component)
        if decided.refutation is None or machine is None:
            return None
        if self._steps == 0:
            return ReachabilityResult("no execution was looked for")
        setting = _setting(machine, decided.refutation)
        first = self._reach(machine, decided, setting)
        larger = _larger_setting(setting)
        if first.witness is not None or larger == setting:
            return first
        second = self._reach(machine, decided, larger)
        return first if second.witness is None else second

    def _reach(self, machine: CheckedMachine, decided: ProofResult, setting: Mapping[str, str]) -> ReachabilityResult:
        assert decided.refutation is not None  # noqa: S101  (`reach` has looked)
        try:
            animation = Animation(
                machine, setting_of(machine, setting, "the refutation"), numbers=_numbers(machine, decided.refutation)
            )
            until = time.thread_time() + self._seconds
            exploration = Exploration(animation, self._steps, _MOST_STATES, lambda: time.thread_time() > until)
            witness = witness_of(exploration, decided.obligation)
        except InputError as error:
            return ReachabilityResult(f"no execution was looked for: {error}")
        if witness is None:
            within = f"within {count(self._steps, 'step')}"
            cut = f"among the first {_MOST_STATES} states" if exploration.is_cut else within
            return ReachabilityResult(
                f"no execution was found {f'in {self._seconds:g} s' if exploration.is_stopped else cut}"
            )
        _check(animation, witness)
        return ReachabilityResult(f"reached {witness_words(witness)}", witness, animation.setting.texts)


class ProvedObligations:
    """The proved obligations of a machine, which must hold in all states that an animation reaches.

    A proof says that the goal holds wherever the hypotheses do. So a state in which it does not is a defect of `synth`.
    """

    def __init__(self, animation: Animation, obligations: Iterable[Obligation]) -> None:
        self._violations = [Violations(animation, obligation) for obligation in obligations]

    def __len__(self) -> int:
        return len(self._violations)

    def check(self, trace: Sequence[MachineStep]) -> None:
        """Look at the last state of an execution.

        Raises:
            InternalError: all hypotheses of a proved obligation hold there, but its goal does not.
        """
        for violation in self._violations:
            witness = violation.after(tuple(trace))
            if witness is not None and not witness.broken:
                name = violation.obligation.full_name
                raise InternalError(f"{name} is proved, but does not hold {witness_words(witness)}")


def proved_of(animation: Animation, file: Path) -> ProvedObligations:
    """Return the obligations of an animated machine of which a file has proofs.

    Raises:
        InputError: there is no such proof, or the file holds something else.
    """
    proofs = Proofs(file)
    known = [
        obligation
        for obligation in obligations_of(animation.machine)
        if proofs.find(sequent_of(obligation)) is not None
    ]
    if not known:
        raise InputError(
            f"{file}: found no proof about {animation.machine.name}, expected a file of synth machine prove --proofs"
        )
    return ProvedObligations(animation, known)


def _setting(machine: CheckedMachine, refutation: SequentRefutation) -> dict[str, str]:
    """Return the sizes and values of a refutation as somebody would give them with --set."""
    variables = {*machine.variables, *machine.hidden}
    setting = {}
    for name in machine.carriers:
        elements = refutation.carriers.get(name, frozenset())
        if not any(element.name for element in elements):
            setting[name] = str(max(1, len(elements)))
    constants = [name for name in machine.types if name not in variables and name not in machine.carriers]
    for name in constants:
        value = refutation.values.get(name)
        if value is not None and not (isinstance(value, Element) and value.name):
            setting[name] = written_value(value)
    return setting


def _larger_setting(setting: Mapping[str, str]) -> dict[str, str]:
    """Return a setting whose numbers are at least 2."""
    return {name: "2" if text in {"−1", "0", "1"} else text for name, text in setting.items()}


def _numbers(machine: CheckedMachine, refutation: SequentRefutation) -> dict[str, tuple[int, ...]]:
    """Return numbers to try for what may have infinitely many values, by names."""
    numbers: dict[str, tuple[int, ...]] = {}
    scalars = {
        name: value
        for name, value in refutation.values.items()
        if isinstance(value, int) and not isinstance(value, bool)
    }
    for event in machine.events:
        for name in event.parameters:
            numbers[name] = tuple(sorted({*_SMALL, scalars.get(name, 1)}))
    for name in machine.variables:
        # Before INITIALISATION there is no value, so what it chooses is the value before the event of the refutation.
        numbers[prime(name)] = (scalars.get(name, 1),)
    return numbers


def _check(animation: Animation, witness: ReachedWitness) -> None:
    """Raise InternalError unless the steps of a witness replay."""
    trace = [TraceStep(step.event, dict(step.parameters), dict(step.chosen)) for step in witness.before]
    replay = replayed(animation, trace)
    if isinstance(replay, Rejection):
        raise InternalError(
            f"{animation.machine.name}: a step that was found is rejected: {replay.event}: {replay.reason}"
        )


def witness_words(witness: ReachedWitness) -> str:
    """Return when the goal of a witness is false: `after 2 steps: INITIALISATION, up(d = 3)`."""
    steps = [step.text for step in witness.before]
    if witness.event is not None:
        named = ", ".join(f"{name} = {written_value(value)}" for name, value in witness.parameters)
        steps.append(f"{witness.event}({named})" if named else witness.event)
    broken = f"; before that, {', '.join(witness.broken)} did not hold" if witness.broken else ""
    return f"after {count(witness.steps, 'step')}: {', '.join(steps)}{broken}"
