"""What an event does to variables, as substitutions and hypotheses.

A goal about the state after an event has primed names: `x'` is the value of x after the event. Deterministic actions
say what these values are, so they are substituted. Deterministic witnesses do the same for abstract parameters and
variables, and so do deterministic actions of the abstract event for variables that have vanished. What is not
deterministic becomes a hypothesis about the primed name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_machines.formulas.formula import FormulaName, FormulaOperation
from synth_machines.formulas.names import free_names, prime, substitute
from synth_machines.obligations.obligation import SourcedPredicate, is_named

if TYPE_CHECKING:
    from collections.abc import Iterable

    from synth_machines.checked_components import CheckedEvent, CheckedMachine
    from synth_machines.components import Action, LabelledPredicate
    from synth_machines.formulas.formula import Formula


class EventEffect:
    """The effect of an event, with that of the event that it refines."""

    def __init__(self, machine: CheckedMachine, event: CheckedEvent) -> None:
        abstract = event.abstract[0].actions if event.abstract else ()
        lost = [action for action in abstract if machine.vanished.intersection(action.assignment.targets)]
        vanished = [name for action in lost for name in action.assignment.targets if name in machine.vanished]
        self._assigned = {*event.assigned, *vanished}
        frame = {prime(name): FormulaName(name) for name in (*machine.variables, *machine.vanished)}
        concrete = _deterministic(event.actions)
        self._concrete: dict[str, Formula] = {
            name: value for name, value in frame.items() if name.removesuffix("'") not in self._assigned
        } | concrete
        self._abstract = {
            name: value for name, value in _deterministic(lost).items() if name.removesuffix("'") in machine.vanished
        }
        self._open: list[tuple[set[str], SourcedPredicate]] = []
        for witness in event.witnesses:
            if (value := deterministic_value(witness)) is not None:
                self._abstract[witness.label] = value
        for action in event.actions:
            if action.assignment.operator != "≔":
                names = set(map(prime, action.assignment.targets))
                self._open.append((names, SourcedPredicate(action.label, before_after(action))))
        for witness in event.witnesses:
            if deterministic_value(witness) is None:
                predicate = self.applied(witness.predicate)
                self._open.append(({witness.label}, SourcedPredicate(witness.label, predicate)))

    def after(self, formula: Formula) -> Formula:
        """Return what a formula about variables says about the state after the event."""
        primed: dict[str, Formula] = {name: FormulaName(prime(name)) for name in self._assigned}
        return self.applied(substitute(formula, primed))

    def applied(self, formula: Formula, without: str | None = None) -> Formula:
        """Substitute what is deterministic in a formula with primed names and abstract parameters.

        `without` names what is left as it is.
        """
        abstract = {name: value for name, value in self._abstract.items() if name != without}
        for _ in abstract:
            if not is_named(abstract, formula):
                break
            formula = substitute(formula, abstract)
        return substitute(formula, self._concrete)

    def hypotheses(self, goal: Formula) -> list[SourcedPredicate]:
        """Return what is known about primed names and abstract parameters of a goal, or of such a hypothesis."""
        known: list[SourcedPredicate] = []
        names = set(free_names(goal))
        remaining = list(self._open)
        while new := [assignment for assignment in remaining if assignment[0] & names]:
            remaining = [assignment for assignment in remaining if assignment not in new]
            known += [hypothesis for _, hypothesis in new]
            names |= set(free_names(*(hypothesis.predicate for _, hypothesis in new)))
        return known


def before_after(action: Action, kept: Iterable[str] | None = None) -> Formula:
    """Return the before-after predicate of an action; that of `≔` only for the variables in `kept`, if it is given."""
    assignment = action.assignment
    match assignment.operator:
        case ":∈":
            return FormulaOperation("∈", (FormulaName(prime(assignment.targets[0])), assignment.values[0]))
        case ":∣":
            return assignment.values[0]
        case _:
            shown = set(assignment.targets if kept is None else kept)
            pairs = zip(assignment.targets, assignment.results, strict=True)
            parts = tuple(
                FormulaOperation("=", (FormulaName(prime(name)), value)) for name, value in pairs if name in shown
            )
            return parts[0] if len(parts) == 1 else FormulaOperation("∧", parts)


def deterministic_value(witness: LabelledPredicate) -> Formula | None:
    """Return E if a witness is of the form p = E, where p is its label and is not in E."""
    match witness.predicate:
        case FormulaOperation("=", (FormulaName(name), value)) if name == witness.label and not is_named([name], value):
            return value
        case _:
            return None


def _deterministic(actions: Iterable[Action]) -> dict[str, Formula]:
    return {
        prime(name): value
        for action in actions
        if action.assignment.operator == "≔"
        for name, value in zip(action.assignment.targets, action.assignment.results, strict=True)
    }
