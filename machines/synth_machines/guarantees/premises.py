"""What must be proved so that a machine guarantees a model for every setting.

A reading gives *stages*: formulas that say how far a thread is on its way to its next step. Each stage has a *helpful*
event, to which runs are fair. It also has a *rank* (`ranks`): the last stage has the smallest.
docs/understand/semantics.md (section 12) proves the rule. A machine guarantees a model if, for each thread t that the
model promises steps,

- t is in a stage, or in a round, and in each round it is in one of its stages (`covered`),
- in each stage, its formulas have a meaning (`defined`),
- in each stage a helpful instance is possible (`possible`), and stays so until the rank gets smaller (`kept`),
- the helpful instance makes the rank smaller, or it is the step (`helps`).

An event that is only strongly fair need not stay possible. Then another instance, which is weakly fair, makes it
possible again (`freed`). In each premise, t may also lose the promise, and then nothing is left to show.

The premises are about the machine without time, beside which somebody watches who has stepped (`with_stepped`). So its
invariants must be proved, too.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from synth_checker.errors import InputError, quoted
from synth_checker.models.expression import Expression
from synth_machines.formulas.definedness import well_definedness
from synth_machines.formulas.formula import TRUTH, FormulaName, conjunction
from synth_machines.formulas.inference import Scope, type_of
from synth_machines.formulas.names import substitute
from synth_machines.formulas.parser import read_expression, read_predicate
from synth_machines.formulas.types import INTEGER, PowerType
from synth_machines.guarantees.memberships import Memberships
from synth_machines.guarantees.ranks import RankedStage, Round, StageRanks, is_value_type, values_of
from synth_machines.guarantees.stage_premises import Obligations, StageInstance, StagePremises
from synth_machines.guarantees.untimed_machine import untimed
from synth_machines.guarantees.watched_machine import THREAD, instance_name, with_stepped
from synth_machines.obligations import obligations_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_checker.models.model import Model
    from synth_machines.checked_components import CheckedMachine
    from synth_machines.formulas.formula import Formula
    from synth_machines.formulas.types import Type
    from synth_machines.guarantees.fairness import Fairness
    from synth_machines.guarantees.scheduler_parts import Reading, Stage
    from synth_machines.obligations.obligation import Obligation


class NoRuleError(Exception):
    """The rule does not apply: to an automaton, to fairness that is not declared, or to infinitely many instances."""


class Premises:
    """The premises of a machine under a reading and declared fairness.

    Raises:
        InputError: the reading does not fit the machine.
        NoRuleError: a helpful event is not fair, or strong fairness is about infinitely many instances of it.
    """

    def __init__(self, machine: CheckedMachine, reading: Reading, fairness: Fairness) -> None:
        reading.check(machine)
        self.reading = reading
        self.fairness = fairness
        self.machine = with_stepped(untimed(machine, reading.times).machine, reading)
        self.events = {event.label: event for event in self.machine.events if not event.is_initialisation}
        scope = Scope({**self.machine.types})
        threads = scope.typed(scope.expression(read_expression(reading.threads), PowerType(INTEGER)))
        live = self._read(reading.live)
        self._members = Memberships(threads, lambda name: substitute(live, {reading.thread: FormulaName(name)}))
        self.stages = [stage for stage in reading.stages if not stage.machines or machine.name in stage.machines]
        for stage in self.stages:
            self._check(stage)
        self._ranked = self._ranks()

    def _check(self, stage: Stage) -> None:
        wanted = [(stage.helpful, self.fairness.strong if stage.freed_by else self.fairness.weak)]
        if stage.freed_by:
            wanted.append((stage.freed_by, self.fairness.weak))
        for label, fair in wanted:
            if label not in self.events:
                raise InputError(f"reading: stage {stage.name}: found no event {label} in {self.machine.name}")
            if label not in fair:
                raise NoRuleError(f"the stage {stage.name!r} needs fairness of {label}, which is not declared")
        unbounded = self._instance(stage.helpful, stage.where).unbounded(self.machine.variables)
        if stage.freed_by and unbounded:
            raise NoRuleError(
                f"the stage {stage.name!r} has a helpful event whose parameter {unbounded[0]} may have infinitely many "
                f"values; let `where` give it a value without variables, as in {instance_name(unbounded[0])} = 0"
            )

    def _ranks(self) -> StageRanks:
        rounds: list[Round] = []
        stages: list[RankedStage] = []
        for name, group in groupby(self.stages, lambda stage: stage.round or f"{stage.name}:"):
            round_given = self.reading.rounds.get(name)
            if round_given is not None and name in [round_.name for round_ in rounds]:
                raise InputError(f"reading: found stages between those of the round {quoted(name)}, expected none")
            values = values_of([self._value(term) for term in round_given.variant]) if round_given else ()
            inside = self._of_thread(self._read(round_given.when)) if round_given else TRUTH
            for stage in group:
                own = values_of([self._value(term) for term in stage.variant], len(values))
                when = self._of_thread(self._read(stage.when))
                stages.append(RankedStage(conjunction([inside, when]), when, len(rounds), own))
            rounds.append(Round(name, inside, values) if round_given else Round("", stages[-1].when))
        return StageRanks(rounds, stages)

    def _value(self, text: str) -> tuple[Formula, Type]:
        types = {**self.machine.types, self.reading.thread: INTEGER}
        scope = Scope(types)
        formula = scope.typed(scope.expression(read_expression(text)))
        kind = type_of(formula, types)
        if not is_value_type(kind):
            raise InputError(f"reading: found the variant {quoted(text)}, expected an integer or bool(P)")
        return self._of_thread(formula), kind

    def _read(self, text: str, more: dict[str, Type] | None = None) -> Formula:
        scope = Scope({**self.machine.types, self.reading.thread: INTEGER, **(more or {})})
        return scope.typed(scope.predicate(read_predicate(text)))

    def _of_thread(self, formula: Formula) -> Formula:
        return substitute(formula, {self.reading.thread: FormulaName(THREAD)})

    def invariants(self) -> Iterator[Obligation]:
        """Yield the obligations of the machine without time, and that assumptions have a meaning."""
        make = Obligations(self.machine)
        for place, axiom in enumerate(self.machine.axioms):
            defined = well_definedness(axiom.predicate, self.machine.types)
            if axiom.label.startswith("assumed") and defined != TRUTH:
                yield make.defined(f"{axiom.label}/WD", [], defined, axioms=place)
        yield from obligations_of(self.machine)

    def of_model(self, model: Model) -> Iterator[Obligation]:
        """Yield the premises of a model; the first two say that it is covered.

        Raises:
            NoRuleError: the model is no set expression.
        """
        if not isinstance(model.fair, Expression):
            raise NoRuleError(f"no rule is known for automata such as {model.name}, only for set expressions")
        owed = self._members.promised(model.fair, THREAD)
        make = Obligations(self.machine)
        ranks = self._ranked
        yield make.about(None, f"{model.name}/covered", [("promised", owed)], ranks.covered)
        defined = well_definedness(owed, {**self.machine.types, THREAD: INTEGER})
        if defined != TRUTH:
            yield make.defined(f"{model.name}/defined", [], defined)
        for number, round_ in enumerate(ranks.rounds):
            if round_.name:
                local = [("promised", owed), ("round", round_.when)]
                yield make.about(None, f"{model.name}/{round_.name}/covered", local, ranks.of_round(number))
                defined = well_definedness(round_.when, {**self.machine.types, THREAD: INTEGER})
                if defined != TRUTH:
                    yield make.defined(f"{model.name}/{round_.name}/defined", local[:1], defined)
        for place, stage in enumerate(self.stages):
            name = f"{model.name}/{stage.name}"
            helpful = self._instance(stage.helpful, stage.where)
            freeing = self._instance(stage.freed_by, stage.blocked or "⊤") if stage.freed_by else None
            of_stage = StagePremises(make, name, owed, ranks, place, self.reading)
            yield from of_stage.all(helpful, freeing)

    def _instance(self, label: str, where: str) -> StageInstance:
        """Return the instance of an event that a stage speaks of."""
        event = self.events[label]
        names = {name: instance_name(name) for name in event.parameters}
        types = {names[name]: event.types[name] for name in event.parameters}
        if not where:
            thread = self.reading.thread
            where = f"{instance_name(thread)} = {thread}" if thread in names else "⊤"
        renamed: dict[str, Formula] = {old: FormulaName(new) for old, new in names.items()}
        guards = conjunction([substitute(guard.predicate, renamed) for guard in event.guards])
        return StageInstance(event, names, types, guards, self._of_thread(self._read(where, types)))
