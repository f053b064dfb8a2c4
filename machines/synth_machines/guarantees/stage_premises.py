"""The premises of one stage, as obligations (`premises` explains the rule)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from synth_machines.formulas.definedness import well_definedness
from synth_machines.formulas.formula import (
    TRUTH,
    Binding,
    BoundName,
    FormulaName,
    FormulaOperation,
    conjunction,
    conjuncts,
)
from synth_machines.formulas.names import substitute
from synth_machines.formulas.types import INTEGER, has_integers
from synth_machines.guarantees.ranks import any_of
from synth_machines.guarantees.watched_machine import THREAD
from synth_machines.obligations.effects import EventEffect
from synth_machines.obligations.obligation import Obligation, SourcedPredicate, is_named

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from synth_machines.checked_components import CheckedEvent, CheckedMachine
    from synth_machines.components import LabelledPredicate
    from synth_machines.formulas.formula import Formula
    from synth_machines.formulas.types import Type
    from synth_machines.guarantees.ranks import StageRanks
    from synth_machines.guarantees.scheduler_parts import Reading

    #: Predicates that hold before an event, with labels.
    Local = Sequence[tuple[str, Formula]]


@dataclass(frozen=True, slots=True)
class StageInstance:
    """The instance of an event that a stage speaks of.

    `names` has the new name of each parameter, and `types` the types of new names. `guards` and `where` are about them:
    that the instance is possible, and that it is the one.
    """

    event: CheckedEvent
    names: Mapping[str, str]
    types: Mapping[str, Type]
    guards: Formula
    where: Formula

    @property
    def is_possible(self) -> Formula:
        """The predicate that the instance is possible, and the one that the stage speaks of."""
        return conjunction([self.guards, self.where])

    @property
    def is_some_possible(self) -> Formula:
        """The predicate that some such instance is possible, with the values that `where` gives."""
        values, others = self._parameter_values()
        bound = tuple(BoundName(name, kind) for name, kind in self.types.items() if name not in values)
        possible = substitute(conjunction([self.guards, *others]), values)
        return Binding("∃", bound, possible) if bound else possible

    def unbounded(self, variables: Collection[str]) -> list[str]:
        """Return the parameters that may have infinitely many values in one setting.

        Strong fairness says nothing if each of infinitely many instances is possible only once. So a parameter whose
        type has integers needs a value that stays the same.
        """
        values, _ = self._parameter_values()
        return [
            old
            for old, new in self.names.items()
            if has_integers(self.types[new]) and (new not in values or is_named(variables, values[new]))
        ]

    def _parameter_values(self) -> tuple[dict[str, Formula], list[Formula]]:
        """Return the values that `where` gives to parameters, and what else it says."""
        values: dict[str, Formula] = {}
        others: list[Formula] = []
        for conjunct in conjuncts(self.where):
            match conjunct:
                case FormulaOperation("=", (FormulaName(name), value)) if (
                    name in self.types and name not in values and not is_named(self.types, value)
                ):
                    values[name] = value
                case _:
                    others.append(conjunct)
        return values, others

    @property
    def is_this(self) -> list[Formula]:
        """The predicates that the event that happens is this instance."""
        return [FormulaOperation("=", (FormulaName(old), FormulaName(new))) for old, new in self.names.items()]


class Obligations:
    """Makes obligations about a thread of a machine."""

    def __init__(self, machine: CheckedMachine) -> None:
        self.machine = machine
        self.events = [event for event in machine.events if not event.is_initialisation]
        self.types: Mapping[str, Type] = {
            **machine.types,
            THREAD: INTEGER,
            **{f"{name}'": kind for name, kind in machine.types.items()},
        }

    def defined(
        self, name: str, local: Local, goal: Formula, types: Mapping[str, Type] | None = None, axioms: int | None = None
    ) -> Obligation:
        """Return the obligation that a formula has a meaning. `axioms` is how many axioms may be used, or None."""
        machine = self.machine
        known = [*machine.axioms, *machine.all_invariants] if axioms is None else machine.axioms[:axioms]
        return self._obligation(name, "WD", known, [SourcedPredicate(*named) for named in local], goal, types)

    def about(
        self,
        event: CheckedEvent | None,
        name: str,
        local: Local,
        goal: Formula,
        types: Mapping[str, Type] | None = None,
    ) -> Obligation:
        """Return an obligation about the state, or about that after an event. `types` are those of further names."""
        known = (*self.machine.axioms, *self.machine.all_invariants)
        here = [SourcedPredicate(*named) for named in local]
        types = dict(types or {})
        if event is not None:
            effect = EventEffect(self.machine, event)
            goal = effect.after(goal)
            here += [SourcedPredicate(guard.label, guard.predicate) for guard in event.guards]
            here += effect.hypotheses(goal)
            types |= event.types
        return self._obligation(name, "THM", known, here, goal, types, None if event is None else event.label)

    def _obligation(  # noqa: PLR0913, PLR0917  (the parts of an obligation)
        self,
        name: str,
        kind: Literal["WD", "THM"],
        known: Iterable[LabelledPredicate],
        here: Sequence[SourcedPredicate],
        goal: Formula,
        types: Mapping[str, Type] | None,
        event: str | None = None,
    ) -> Obligation:
        machine = self.machine
        hypotheses = (*(SourcedPredicate(hypothesis.label, hypothesis.predicate) for hypothesis in known), *here)
        all_types = {**self.types, **(types or {})}
        return Obligation(machine.name, name, kind, hypotheses, goal, all_types, machine.carriers, event, len(here))


class StagePremises:
    """The premises of a stage. `owed` says that the thread is promised steps, and `name` begins their names."""

    def __init__(  # noqa: PLR0913, PLR0917  (all that a stage is about)
        self, make: Obligations, name: str, owed: Formula, ranks: StageRanks, place: int, reading: Reading
    ) -> None:
        self.make, self.name, self.owed, self.reading = make, name, owed, reading
        self.when, self.smaller, self.same = ranks.stages[place].when, ranks.smaller(place), ranks.same(place)
        self.here = [("promised", owed), ("stage", self.when)]
        self.old = [("variant", rank.old_is_now) for rank in ranks.values(place)]
        self.old_types = {rank.before: rank.type for rank in ranks.values(place)}

    def all(self, helpful: StageInstance, freeing: StageInstance | None) -> Iterator[Obligation]:
        """Yield the premises. If there is a freeing instance, the helpful one need not stay possible."""
        yield from self._defined([event for event in (helpful, freeing) if event is not None])
        if freeing is None:
            local = [*self.here, *self._meaning(helpful)]
            yield self.make.about(None, f"{self.name}/possible", local, helpful.is_some_possible)
            yield from self._kept("kept", [("helpful", helpful.is_possible)], helpful.is_possible, helpful)
        else:
            yield from self._strong(helpful, freeing)
        local = [("helpful", helpful.is_possible), *(("same", formula) for formula in helpful.is_this)]
        yield self._after("helps", helpful.event, local, self._or_smaller(), helpful.types)

    def _defined(self, instances: Sequence[StageInstance]) -> Iterator[Obligation]:
        """Formulas of the stage must have a meaning where the premises use them."""
        defined = well_definedness(self.same, {**self.make.types, **self.old_types})
        if defined != TRUTH:
            yield self.make.defined(f"{self.name}/when/defined", self.here[:1], defined, self.old_types)
        for instance in instances:
            name = f"{self.name}/{instance.event.label}"
            meaning = self._meaning(instance)
            for place, (_, part) in enumerate(meaning):
                yield self.make.defined(f"{name}/value{place + 1}", [*self.here, *meaning[:place]], part)
            parts = [part for part in self._definedness(instance) if is_named(instance.types, part)]
            if parts:
                local = [*self.here, *meaning, ("guards", instance.guards)]
                yield self.make.defined(f"{name}/defined", local, conjunction(parts), instance.types)

    def _definedness(self, instance: StageInstance) -> Iterator[Formula]:
        defined = well_definedness(instance.where, {**self.make.types, **instance.types})
        return (conjunct for conjunct in conjuncts(defined) if conjunct != TRUTH)

    def _meaning(self, instance: StageInstance) -> Local:
        """Return that the values which `where` gives to parameters have a meaning, as `_defined` proves it."""
        return [
            ("value", condition) for condition in self._definedness(instance) if not is_named(instance.types, condition)
        ]

    def _or_smaller(self, *others: Formula) -> Formula:
        """Return the goal that the rank gets smaller, or another formula holds, or the thread is promised nothing."""
        return FormulaOperation("⇒", (self.owed, any_of([self.smaller, *others])))

    def _after(
        self, word: str, event: CheckedEvent, local: Local, goal: Formula, types: Mapping[str, Type]
    ) -> Obligation:
        """Return the premise about an event that is not the step of the thread."""
        local = [*self.here, *self.old, *local]
        if event.label == self.reading.step:
            local.append(("no step", FormulaOperation("≠", (FormulaName(self.reading.thread), FormulaName(THREAD)))))
        name = f"{self.name}/{event.label}/{word}"
        return self.make.about(event, name, local, goal, {**self.old_types, **types})

    def _kept(self, word: str, local: Local, kept: Formula, instance: StageInstance) -> Iterator[Obligation]:
        """Each event but one instance keeps a formula and the rank, or makes the rank smaller."""
        goal = self._or_smaller(conjunction([self.same, kept]))
        for event in self.make.events:
            others: list[tuple[str, Formula]] = []
            if event.label == instance.event.label:
                if not instance.names:
                    continue  # the event has one instance
                others = [("another", FormulaOperation("¬", (conjunction(instance.is_this),)))]
            yield self._after(word, event, [*local, *others], goal, instance.types)

    def _strong(self, helpful: StageInstance, freeing: StageInstance) -> Iterator[Obligation]:
        """The helpful event need not stay possible: another one makes it possible again."""
        local = [*self.here, *self._meaning(helpful), *self._meaning(freeing)]
        yield self.make.about(
            None, f"{self.name}/possible", local, any_of([helpful.is_some_possible, freeing.is_some_possible])
        )
        for event in self.make.events:
            yield self._after("stays", event, [], self._or_smaller(self.same), {})
        nothing = [("impossible", FormulaOperation("¬", (helpful.is_some_possible,))), ("freeing", freeing.is_possible)]
        yield from self._kept("kept", nothing, any_of([helpful.is_some_possible, freeing.is_possible]), freeing)
        local = [*nothing, *(("same", formula) for formula in freeing.is_this)]
        goal = self._or_smaller(conjunction([self.same, helpful.is_some_possible]))
        yield self._after("freed", freeing.event, local, goal, freeing.types)
