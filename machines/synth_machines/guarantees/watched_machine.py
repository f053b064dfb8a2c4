"""A machine beside which somebody watches: a further variable holds the threads that have stepped.

The premises of a guarantee (`premises`) are about such a machine, because models speak of the threads that have
stepped. It has the invariants that the reading adds, and as axioms what the reading assumes of constants. Premises need
names of their own, which the machine may not have.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_machines.components import Action, Assignment, Identifier, LabelledPredicate
from synth_machines.formulas.formula import FormulaConstant, FormulaName, FormulaOperation
from synth_machines.formulas.inference import Scope
from synth_machines.formulas.parser import read_predicate
from synth_machines.formulas.types import INTEGER, PowerType

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from synth_machines.checked_components import CheckedMachine
    from synth_machines.guarantees.scheduler_parts import Reading

#: The variable of the threads that have stepped, and the name of the thread that is promised steps.
STEPPED, THREAD = "stepped", "thread"
#: Names that end in a number: old values of variants, and other threads.
BEFORE, OTHER = "before", "other"
_RESERVED = {STEPPED: "the threads that have stepped", THREAD: "the thread that is promised steps"}
_NUMBERED = {BEFORE: "the old value of a variant", OTHER: "another thread"}


def instance_name(parameter: str) -> str:
    """Return the name of a parameter of the instance that a stage speaks of."""
    return f"{parameter}_"


def with_stepped(machine: CheckedMachine, reading: Reading) -> CheckedMachine:
    """Return a machine with the variable `stepped`, further invariants, and what is assumed of constants.

    Raises:
        InputError: the machine has a name that premises need, or a formula of the reading can't be read.
    """
    _check_names(machine)
    kind = PowerType(INTEGER)
    scope = Scope({**machine.types, STEPPED: kind})

    def labelled(label: str, texts: Collection[str]) -> Iterator[LabelledPredicate]:
        for number, text in enumerate(texts, 1):
            yield LabelledPredicate(f"{label}{number}", scope.typed(scope.predicate(read_predicate(text))))

    invariants = tuple(labelled(STEPPED, reading.invariants_of(machine.name)))
    mine = FormulaOperation("{,}", (FormulaName(reading.thread),))
    started = Assignment("≔", (STEPPED,), (FormulaConstant("∅", kind),))
    more = Assignment("≔", (STEPPED,), (FormulaOperation("∪", (FormulaName(STEPPED), mine)),))
    added = {"INITIALISATION": Action("watch", started), reading.step: Action("watch", more)}
    return replace(
        machine,
        machine=replace(machine.machine, variables=(*machine.machine.variables, Identifier(STEPPED))),
        types={**machine.types, STEPPED: kind},
        axioms=(*machine.axioms, *labelled("assumed", reading.assumed)),
        invariants=(*machine.invariants, *invariants),
        all_invariants=(*machine.all_invariants, *invariants),
        events=tuple(
            replace(event, actions=(*event.actions, added[event.label])) if event.label in added else event
            for event in machine.events
        ),
    )


def _check_names(machine: CheckedMachine) -> None:
    parameters = {name for event in machine.events for name in event.types}
    reserved = _RESERVED | {instance_name(name): f"the helpful value of {name}" for name in parameters}
    for name in sorted({*machine.types, *machine.carriers, *parameters}):
        word = re.fullmatch(r"([a-z]+)\d+", name)
        use = reserved.get(name) or _NUMBERED.get(word[1] if word else "")
        if use is not None:
            raise InputError(f"{machine.name}: found the name {name}, expected it for {use}")
