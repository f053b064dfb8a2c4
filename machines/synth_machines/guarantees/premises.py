"""What must be proved so that a machine guarantees a model for every setting.

A reading gives *stages*: formulas that say how far a thread is on its way to its next step. The last stage is the
nearest. Each stage has a *helpful* event, to which runs are fair. docs/semantics.md (section 12) proves the rule: a
machine guarantees a model if, for each thread t that the model promises steps,

- t is in a stage (`covered`),
- in each stage a helpful instance is possible (`possible`) and stays so, unless t gets into a later stage (`kept`),
- the helpful instance leads to a later stage, or to the same one with a smaller variant, or it is the step (`helps`).

An event that is only strongly fair need not stay possible. Then another instance, which is weakly fair, makes it
possible again (`freed`). In each premise, t may also lose the promise, and then nothing is left to show.

The premises are about the machine without time, with one more variable `stepped`: the threads that have stepped. So its
invariants must be proved, too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_checker.models import expression as sets
from synth_machines.components import Action, Assignment, Identifier, Labelled
from synth_machines.formulas.formula import FALSITY, Binding, Bound, Constant, Name, Number, Operation, conjunction
from synth_machines.formulas.inference import Scope
from synth_machines.formulas.names import substitute
from synth_machines.formulas.reading import read_expression, read_predicate
from synth_machines.formulas.types import INTEGER, PowerType
from synth_machines.guarantees.untimed import untimed
from synth_machines.obligations import obligations_of
from synth_machines.obligations.effects import Effect
from synth_machines.obligations.obligation import Hypothesis, Obligation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth_checker.models.model import Model
    from synth_machines.checked import CheckedEvent, CheckedMachine
    from synth_machines.formulas.formula import Formula
    from synth_machines.formulas.types import Type
    from synth_machines.guarantees.fairness import Fairness
    from synth_machines.guarantees.reading import Reading, Stage

_STEPPED, _THREAD, _BEFORE = "stepped", "thread", "before"
#: Names in premises, and what they stand for. A machine may not have them, nor `other0`, `other1` and so on.
_RESERVED = {
    _STEPPED: "the threads that have stepped",
    _THREAD: "the thread that is promised steps",
    _BEFORE: "the old value of a variant",
}
_OTHER = "other"


class Premises:
    """The premises of a machine under a reading and declared fairness.

    Raises:
        InputError: the reading does not fit the machine, or a helpful event is not fair.
    """

    def __init__(self, machine: CheckedMachine, reading: Reading, fairness: Fairness) -> None:
        reading.check(machine)
        self.reading = reading
        self.fairness = fairness
        self.machine = self._watched(untimed(machine, reading.times).machine)
        self.types: dict[str, Type] = {**self.machine.types, _THREAD: INTEGER}
        self.types |= {f"{name}'": kind for name, kind in self.machine.types.items()}
        scope = Scope({**self.machine.types})
        self.threads = scope.typed(scope.expression(read_expression(reading.threads), PowerType(INTEGER)))
        self._live = self._read(reading.live)
        self.events = {one.label: one for one in self.machine.events if not one.is_initialisation}
        self.stages = [one for one in reading.stages if not one.machines or machine.name in one.machines]
        for one in self.stages:
            self._check(one)

    def _check(self, stage: Stage) -> None:
        wanted = [(stage.helpful, self.fairness.strong if stage.freed_by else self.fairness.weak)]
        if stage.freed_by:
            wanted.append((stage.freed_by, self.fairness.weak))
        for label, fair in wanted:
            if label not in self.events:
                raise InputError(f"reading: stage {stage.name}: found no event {label} in {self.machine.name}")
            if label not in fair:
                raise UnfairError(f"the stage {stage.name!r} needs fairness of {label}, which is not declared")

    def _watched(self, machine: CheckedMachine) -> CheckedMachine:
        """Return a machine with the variable `stepped`, further invariants, and what is assumed of constants."""
        parameters = {name for event in machine.events for name in event.types}
        reserved = _RESERVED | {f"{name}_": f"the helpful value of {name}" for name in parameters}
        for name in sorted({*machine.types, *machine.carriers, *parameters}):
            use = "another thread" if re.fullmatch(rf"{_OTHER}\d+", name) else reserved.get(name)
            if use is not None:
                raise InputError(f"{machine.name}: found the name {name}, expected it for {use}")
        kind = PowerType(INTEGER)
        types = {**machine.types, _STEPPED: kind}
        scope = Scope(types)

        def labelled(label: str, text: str) -> Labelled:
            return Labelled(label, scope.typed(scope.predicate(read_predicate(text))))

        invariants = tuple(labelled(f"stepped{number}", text) for number, text in enumerate(self.reading.invariants, 1))
        axioms = tuple(labelled(f"assumed{number}", text) for number, text in enumerate(self.reading.assumed, 1))
        mine = Operation("{,}", (Name(self.reading.thread),))
        started = Assignment("≔", (_STEPPED,), (Constant("∅", kind),))
        more = Assignment("≔", (_STEPPED,), (Operation("∪", (Name(_STEPPED), mine)),))
        added = {"INITIALISATION": Action("watch", started), self.reading.step: Action("watch", more)}
        events = tuple(
            replace(one, actions=(*one.actions, added[one.label])) if one.label in added else one
            for one in machine.events
        )
        return replace(
            machine,
            machine=replace(machine.machine, variables=(*machine.machine.variables, Identifier(_STEPPED))),
            types=types,
            axioms=(*machine.axioms, *axioms),
            invariants=(*machine.invariants, *invariants),
            all_invariants=(*machine.all_invariants, *invariants),
            events=events,
        )

    def invariants(self) -> Iterator[Obligation]:
        """Yield the obligations of the machine without time."""
        yield from obligations_of(self.machine)

    def of_model(self, model: Model) -> Iterator[Obligation]:
        """Yield the premises of a model.

        Raises:
            InputError: the model is no set expression.
        """
        if not isinstance(model.fair, sets.Expression):
            raise InputError(
                f"model {model.name}: found an automaton, expected a set expression such as live & stepped"
            )
        fair = self._member(model.fair, _THREAD, 0)
        owed = conjunction([Operation("∈", (Name(_THREAD), self.threads)), self._named(self._live, _THREAD), fair])
        whens = [self._when(one) for one in self.stages]
        yield self._obligation(f"{model.name}/covered", [("promised", owed)], _any(whens))
        for place, stage in enumerate(self.stages):
            later = _any(whens[place + 1 :])
            where = _Where(f"{model.name}/{stage.name}", owed, whens[place], later)
            yield from _OfStage(self, stage, where).all()

    def _when(self, stage: Stage) -> Formula:
        return self._named(self._read(stage.when), _THREAD)

    def _read(self, text: str, more: dict[str, Type] | None = None) -> Formula:
        scope = Scope({**self.machine.types, self.reading.thread: INTEGER, **(more or {})})
        return scope.typed(scope.predicate(read_predicate(text)))

    def _named(self, formula: Formula, name: str) -> Formula:
        return substitute(formula, {self.reading.thread: Name(name)})

    def _member(self, expression: sets.Expression, name: str, depth: int) -> Formula:
        """Return the predicate that a thread is in a set; `name` is that of the thread."""
        match expression:
            case sets.Name("live"):
                return self._named(self._live, name)
            case sets.Name("stepped"):
                return Operation("∈", (Name(name), Name(_STEPPED)))
            case sets.Name("all"):
                return Operation("∈", (Name(name), self.threads))
            case sets.Name():
                return FALSITY
            case sets.Operation(operator, left, right):
                one, other = self._member(left, name, depth), self._member(right, name, depth)
                if operator == "-":
                    other = Operation("¬", (other,))
                return Operation("∨" if operator == "|" else "∧", (one, other))
            case sets.Function(function, of):
                other_name = f"{_OTHER}{depth}"
                other = self._member(of, other_name, depth + 1)
                there = Operation("∈", (Name(other_name), self.threads))
                bound = (Bound(other_name, INTEGER),)
                mine = (Name(name), Name(other_name))
                if function == "upto":
                    return Binding("∃", bound, conjunction([there, Operation("≤", mine), other]))
                beyond = Operation("<" if function == "highest" else ">", mine)
                none = Binding("∀", bound, Operation("⇒", (conjunction([there, beyond]), Operation("¬", (other,)))))
                return conjunction([self._member(of, name, depth + 1), none])

    def guards(self, event: CheckedEvent) -> list[Formula]:
        """Return the guards of an event."""
        return [one.predicate for one in event.guards]

    def instance(self, label: str, where: str) -> tuple[dict[str, str], Formula]:
        """Return new names for the parameters of an event, and that the instance is the one that a stage speaks of."""
        event = self.events[label]
        names = {name: f"{name}_" for name in event.parameters}
        types = {f"{name}_": kind for name, kind in event.types.items()}
        self.types |= types
        if not where:
            where = f"{self.reading.thread}_ = {self.reading.thread}" if self.reading.thread in names else "⊤"
        chosen = self._named(self._read(where, types), _THREAD)
        renamed = {old: Name(new) for old, new in names.items()}
        return names, conjunction([*(substitute(one, renamed) for one in self.guards(event)), chosen])

    def _obligation(self, name: str, local: Sequence[tuple[str, Formula]], goal: Formula) -> Obligation:
        return self.about(None, name, local, goal)

    def about(
        self, event: CheckedEvent | None, name: str, local: Sequence[tuple[str, Formula]], goal: Formula
    ) -> Obligation:
        """Return an obligation about the state, or about that after an event."""
        machine = self.machine
        known = [Hypothesis(one.label, one.predicate) for one in (*machine.axioms, *machine.all_invariants)]
        here = [Hypothesis(label, formula) for label, formula in local]
        types = self.types
        if event is not None:
            effect = Effect(machine, event)
            goal = effect.after(goal)
            here += [Hypothesis(one.label, one.predicate) for one in event.guards]
            here += effect.hypotheses(goal)
            types = {**types, **event.types}
        label = None if event is None else event.label
        return Obligation(machine.name, name, "THM", (*known, *here), goal, types, machine.carriers, label, len(here))


@dataclass(frozen=True, slots=True)
class _Where:
    """A stage of a model: that the thread is promised steps, that it is in the stage, and that it is in a later one."""

    name: str
    owed: Formula
    when: Formula
    later: Formula


class _OfStage:
    """The premises of a stage."""

    def __init__(self, premises: Premises, stage: Stage, where: _Where) -> None:
        self.premises, self.stage, self.name = premises, stage, where.name
        self.owed, self.when, self.later = where.owed, where.when, where.later
        self.names, self.possible = premises.instance(stage.helpful, stage.where)
        types = premises.events[stage.helpful].types
        self.bound = tuple(Bound(self.names[name], kind) for name, kind in types.items())
        self.here = [("promised", self.owed), ("stage", self.when)]
        self.variant = self._expression(stage.variant) if stage.variant else None

    def _expression(self, text: str) -> Formula:
        scope = Scope({**self.premises.machine.types, self.premises.reading.thread: INTEGER})
        read = scope.typed(scope.expression(read_expression(text), INTEGER))
        return substitute(read, {self.premises.reading.thread: Name(_THREAD)})

    def all(self) -> Iterator[Obligation]:
        """Yield the premises."""
        if self.stage.freed_by:
            yield from self._strong()
        else:
            make = self.premises.about
            yield make(None, f"{self.name}/possible", self.here, self._some())
            yield from self._kept([("helpful", self.possible)], self.possible, self.stage.helpful, self.names, "kept")
        yield from self._helps()

    def _some(self) -> Formula:
        return Binding("∃", self.bound, self.possible) if self.bound else self.possible

    def _unless(self, formula: Formula) -> Formula:
        """Return the goal that a formula holds, or the thread is in a later stage, or is promised nothing.

        With a variant, the formula may also fail if the variant is smaller than `before`, which is its old value. The
        variant never grows in a stage.
        """
        parts = [self.later, formula]
        if self.variant is not None:
            before = Name(_BEFORE)
            if formula != FALSITY:
                parts[1] = conjunction([formula, Operation("≤", (self.variant, before))])
            smaller = [Operation("<", (self.variant, before)), Operation("≤", (Number(0), before))]
            parts.append(conjunction([self.when, *smaller]))
        return Operation("⇒", (self.owed, _any(parts)))

    def _before(self) -> list[tuple[str, Formula]]:
        if self.variant is None:
            return []
        self.premises.types[_BEFORE] = INTEGER
        return [("variant", Operation("=", (Name(_BEFORE), self.variant)))]

    def _others(self, label: str, names: dict[str, str]) -> list[tuple[str, Formula]]:
        """That an event is neither the step of the thread nor the instance with some parameters."""
        found: list[tuple[str, Formula]] = []
        thread = self.premises.reading.thread
        if label == self.premises.reading.step:
            found.append(("no step", Operation("≠", (Name(thread), Name(_THREAD)))))
        if names:
            same = conjunction([Operation("=", (Name(old), Name(new))) for old, new in names.items()])
            found.append(("another", Operation("¬", (same,))))
        return found

    def _kept(
        self, local: list[tuple[str, Formula]], kept: Formula, label: str, names: dict[str, str], word: str
    ) -> Iterator[Obligation]:
        goal = self._unless(conjunction([self.when, kept]))
        for event in self.premises.events.values():
            if event.label == label and not names:
                continue  # the event has one instance, which `helps` is about
            others = self._others(event.label, names if event.label == label else {})
            yield self.premises.about(
                event, f"{self.name}/{event.label}/{word}", [*self.here, *local, *self._before(), *others], goal
            )

    def _helps(self) -> Iterator[Obligation]:
        event = self.premises.events[self.stage.helpful]
        same = [("same", Operation("=", (Name(old), Name(new)))) for old, new in self.names.items()]
        others = self._others(event.label, {})
        local = [*self.here, ("helpful", self.possible), *self._before(), *same, *others]
        goal = self._unless(FALSITY)
        yield self.premises.about(event, f"{self.name}/{event.label}/helps", local, goal)

    def _strong(self) -> Iterator[Obligation]:
        """The helpful event need not stay possible: another one makes it possible again."""
        names, blocked = self.premises.instance(self.stage.freed_by, self.stage.blocked or "⊤")
        event = self.premises.events[self.stage.freed_by]
        bound = tuple(Bound(names[name], kind) for name, kind in event.types.items())
        freeing = Binding("∃", bound, blocked) if bound else blocked
        make = self.premises.about
        yield make(None, f"{self.name}/possible", self.here, _any([self._some(), freeing]))
        nothing: list[tuple[str, Formula]] = [("impossible", Operation("¬", (self._some(),)))]
        yield from self._kept([], self.when, "", {}, "stays")
        yield from self._kept(
            [*nothing, ("freeing", blocked)], _any([self._some(), blocked]), self.stage.freed_by, names, "kept"
        )
        same = [("same", Operation("=", (Name(old), Name(new)))) for old, new in names.items()]
        goal = self._unless(conjunction([self.when, self._some()]))
        local = [*self.here, *nothing, ("freeing", blocked), *self._before(), *same]
        yield make(event, f"{self.name}/{event.label}/freed", local, goal)


class UnfairError(Exception):
    """A stage needs fairness that is not declared, so the rule does not apply."""


def _any(parts: Sequence[Formula]) -> Formula:
    kept = [one for one in parts if one != FALSITY]
    if not kept:
        return FALSITY
    return kept[0] if len(kept) == 1 else Operation("∨", tuple(kept))
