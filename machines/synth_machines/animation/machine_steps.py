"""The steps of a machine in one setting.

A state is a tuple with the value of each variable, in the order of the machine. INITIALISATION yields the start states.
A step is an event with parameters for which all guards hold, and with the values that its actions choose. A guard or
action that is ill-defined in a state is a finding, and the step is not taken.

Parameters and chosen values are tried one by one. A parameter that no guard limits to finitely many values takes those
for which the guards are well defined, if these are finitely many. Otherwise it is an error that names the parameter,
unless the animation has numbers to try for such parameters. A *limit* is a predicate that somebody adds to an event for
the animation, such as `t ≤ T_ev + 1`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from synth_checker.errors import InputError
from synth_checker.nearest import check_known
from synth_machines.evaluation.values import IllDefinedError, LazySet, TooLargeError, UnboundedError, written_value
from synth_machines.formulas.definedness import well_definedness
from synth_machines.formulas.formula import BoundName, FormulaName, FormulaOperation, conjunction
from synth_machines.formulas.inference import Scope
from synth_machines.formulas.names import free_names, prime
from synth_machines.formulas.parser import read_predicate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from synth_machines.animation.settings import AnimationSetting
    from synth_machines.checked_components import CheckedEvent, CheckedMachine
    from synth_machines.evaluation.values import Evaluated
    from synth_machines.formulas.formula import Formula
    from synth_machines.formulas.types import Type

    State: TypeAlias = "tuple[Evaluated, ...]"
    Named: TypeAlias = "tuple[tuple[str, Evaluated], ...]"


@dataclass(frozen=True, slots=True)
class MachineStep:
    """An event with its parameters, the values that it chooses, and the state after it."""

    event: str
    parameters: Named
    chosen: Named
    state: State

    @property
    def text(self) -> str:
        """The event with its parameters and choices, such as `up(d = 2)`."""
        named = ", ".join(f"{name} = {written_value(value)}" for name, value in (*self.parameters, *self.chosen))
        return f"{self.event}({named})" if named else self.event


@dataclass(frozen=True, slots=True)
class IllDefinedPart:
    """A guard or action that is ill-defined in a state. `what` is the expression that has no value."""

    event: str
    label: str
    what: str

    @property
    def text(self) -> str:
        """The finding in words."""
        return f"{self.event}: {self.label} is ill-defined here: {self.what}"


class Animation:
    """The states and steps of a machine in a setting; `limits` are predicates as text, by the labels of events.

    `numbers` are tried for integers that nothing limits, by their names; a chosen value has a prime. Without them, such
    an integer is an error.

    Raises:
        InputError: a limit is not valid.
    """

    def __init__(
        self,
        machine: CheckedMachine,
        setting: AnimationSetting,
        limits: Mapping[str, Iterable[str]] | None = None,
        numbers: Mapping[str, Sequence[int]] | None = None,
    ) -> None:
        self.machine = machine
        self.setting = setting
        self.numbers = numbers
        self.events = {event.label: event for event in machine.events}
        self._limits = {label: [self._limit(label, text) for text in texts] for label, texts in (limits or {}).items()}
        self._conditions = {event.label: self._condition(event) for event in machine.events}

    def values(self, state: State) -> dict[str, Evaluated]:
        """Return the values of all names in a state; in the empty state before INITIALISATION, those of constants."""
        return {**self.setting.values, **dict(zip(self.machine.variables, state, strict=False))}

    def types_in(self, event: CheckedEvent) -> dict[str, Type]:
        """Return the types of all names that a formula about an event may use."""
        machine = self.machine
        primed = {prime(name): machine.types[name] for name in machine.variables}
        return {
            **self.setting.types,
            **{variable: machine.types[variable] for variable in machine.variables},
            **primed,
            **event.types,
        }

    def _limit(self, label: str, text: str) -> Formula:
        check_known("limit: event", label, self.events)
        scope = Scope(self.types_in(self.events[label]))
        try:
            return scope.typed(scope.predicate(read_predicate(text)))
        except InputError as error:
            raise type(error)(f"limit: {label}: {error}") from None

    def _limits_of(self, event: CheckedEvent, *, after: bool) -> list[Formula]:
        """Return the limits of an event that speak about the state after it, or the others."""
        conditions = self._limits.get(event.label, [])
        return [
            condition for condition in conditions if after == any(name.endswith("'") for name in free_names(condition))
        ]

    def _condition(self, event: CheckedEvent) -> Formula:
        """Return what limits the parameters: guards, limits, and last that all of them are well defined."""
        guards = [guard.predicate for guard in event.guards]
        guards += self._limits_of(event, after=False)
        types = self.types_in(event)
        return conjunction([*guards, *(well_definedness(guard, types) for guard in guards)])

    def starts(self) -> list[MachineStep]:
        """Return the steps of INITIALISATION.

        Raises:
            InputError: a value may be one of infinitely many, or INITIALISATION is ill-defined.
        """
        event = next(event for event in self.machine.events if event.is_initialisation)
        findings: list[IllDefinedPart] = []
        steps = list(self._steps_of(event, (), findings))
        if findings:
            raise InputError(findings[0].text)
        return _sorted(steps)

    def steps(self, state: State) -> tuple[list[MachineStep], list[IllDefinedPart]]:
        """Return all steps from a state, and what is ill-defined there. It raises the same error as `starts`."""
        steps: list[MachineStep] = []
        findings: list[IllDefinedPart] = []
        for event in self.machine.events:
            if not event.is_initialisation:
                steps += _sorted(self._steps_of(event, state, findings))
        return steps, sorted(dict.fromkeys(findings), key=lambda finding: finding.text)

    def _steps_of(self, event: CheckedEvent, state: State, findings: list[IllDefinedPart]) -> Iterator[MachineStep]:
        values = self.values(state)
        if self._is_surely_disabled(event, values):
            return
        bound = tuple(BoundName(name, event.types[name]) for name in event.parameters)
        try:
            for inner in self.setting.evaluator.tried(bound, self._conditions[event.label], values, self.numbers):
                parameters = tuple((name, inner[name]) for name in event.parameters)
                try:
                    if self.failing_guard(event, inner) is None and self._is_within(event, inner):
                        for chosen, after in self._effects(event, inner):
                            yield MachineStep(event.label, parameters, chosen, after)
                except IllDefinedHereError as error:
                    findings.append(IllDefinedPart(event.label, error.label, error.what))
        except UnboundedError as error:
            raise self.unbounded(event, error) from None
        except IllDefinedError as error:
            raise InputError(f"limit: {event.label}: found {error}, which is ill-defined here") from None

    def unbounded(self, event: CheckedEvent, error: UnboundedError) -> InputError:
        """Return the error that a name has no finite number of values, or too many."""
        if isinstance(error, TooLargeError):
            return InputError(f"{event.label}: found {error}, expected a smaller setting or a limit for this event")
        return InputError(
            f"{event.label}: found no finite number of values for {error}, expected a limit for this event"
        )

    def _is_surely_disabled(self, event: CheckedEvent, values: Mapping[str, Evaluated]) -> bool:
        """Return whether a guard without parameters does not hold, so that nobody needs to try parameters."""
        for guard in event.guards:
            if not any(name in event.types for name in free_names(guard.predicate)):
                try:
                    if not self.setting.evaluator.holds(guard.predicate, values):
                        return True
                except IllDefinedError:
                    return False
        return False

    def failing_guard(self, event: CheckedEvent, values: Mapping[str, Evaluated]) -> str | None:
        """Return the label of the first guard that does not hold.

        Raises:
            IllDefinedHereError: a guard has no value.
        """
        for guard in event.guards:
            try:
                if not self.setting.evaluator.holds(guard.predicate, values):
                    return guard.label
            except IllDefinedError as error:
                raise IllDefinedHereError(guard.label, str(error)) from None
        return None

    def _is_within(self, event: CheckedEvent, values: Mapping[str, Evaluated]) -> bool:
        return all(self.setting.evaluator.holds(limit, values) for limit in self._limits_of(event, after=False))

    def _effects(self, event: CheckedEvent, values: Mapping[str, Evaluated]) -> Iterator[tuple[Named, State]]:
        """Yield what the actions choose, with the state after them."""
        fixed = self.assigned(event, values)
        conditions, names = self._choices(event)
        limits = self._limits_of(event, after=True)
        bound = tuple(BoundName(name, kind) for name, kind in names.items())
        before = {**values, **{prime(name): values.get(name) for name in self.machine.variables}, **fixed}
        known = {name: value for name, value in before.items() if value is not None and name not in names}
        everything = conjunction([*(formula for _, formula in conditions), *limits])
        for inner in self.setting.evaluator.tried(bound, everything, known, self.numbers):
            if self.failing_action(event, inner) is None and all(
                self.setting.evaluator.holds(limit, inner) for limit in limits
            ):
                chosen = tuple((name, inner[prime(name)]) for name in event.assigned if prime(name) in names)
                yield chosen, tuple(inner[prime(name)] for name in self.machine.variables)

    def _choices(self, event: CheckedEvent) -> tuple[list[tuple[str, Formula]], dict[str, Type]]:
        """Return the conditions of actions that choose, by their labels, and the types of what they choose."""
        conditions: list[tuple[str, Formula]] = []
        names: dict[str, Type] = {}
        for action in event.actions:
            assignment = action.assignment
            if assignment.operator != "≔":
                names |= {prime(name): self.machine.types[name] for name in assignment.targets}
                is_member = assignment.operator == ":∈"
                value = assignment.values[0]
                condition = (
                    FormulaOperation("∈", (FormulaName(prime(assignment.targets[0])), value)) if is_member else value
                )
                conditions.append((action.label, condition))
        return conditions, names

    def assigned(self, event: CheckedEvent, values: Mapping[str, Evaluated]) -> dict[str, Evaluated]:
        """Return the values that deterministic actions give, by primed names.

        Raises:
            IllDefinedHereError: an action has no value.
            UnboundedError: the value is an infinite set.
        """
        next_values: dict[str, Evaluated] = {}
        for action in event.actions:
            assignment = action.assignment
            if assignment.operator != "≔":
                continue
            for target, result in zip(assignment.targets, assignment.results, strict=True):
                try:
                    value = self.setting.evaluator.value(result, values)
                except IllDefinedError as error:
                    raise IllDefinedHereError(action.label, str(error)) from None
                if isinstance(value, LazySet):
                    raise UnboundedError(target)
                next_values[prime(target)] = value
        return next_values

    def failing_action(self, event: CheckedEvent, values: Mapping[str, Evaluated]) -> str | None:
        """Return the label of the first action that does not allow the chosen values.

        Raises:
            IllDefinedHereError: an action has no value.
        """
        for label, condition in self._choices(event)[0]:
            try:
                if not self.setting.evaluator.holds(condition, values):
                    return label
            except IllDefinedError as error:
                raise IllDefinedHereError(label, str(error)) from None
        return None

    def violated(self, state: State) -> list[str]:
        """Return the labels of invariants that do not hold in a state, or are ill-defined there.

        Invariants about variables that only abstract machines have are left out.
        """
        values, labels = self.values(state), []
        for all_invariant in self.machine.all_invariants:
            if all(name in values or name in self.machine.carriers for name in free_names(all_invariant.predicate)):
                try:
                    if not self.setting.evaluator.holds(all_invariant.predicate, values):
                        labels.append(all_invariant.label)
                except IllDefinedError:
                    labels.append(all_invariant.label)
        return labels


class IllDefinedHereError(Exception):
    """A guard or action has no value in a state: its label, and the expression that has none."""

    def __init__(self, label: str, what: str) -> None:
        super().__init__(f"{label} is ill-defined here: {what}")
        self.label = label
        self.what = what


def _sorted(steps: Iterable[MachineStep]) -> list[MachineStep]:
    """Return steps in an order that is the same in each run, each step once."""
    return sorted(dict.fromkeys(steps), key=lambda step: (len(step.text), step.text))
