"""Queries that ask whether an obligation holds: the hypotheses, and that the goal is false.

If a solver finds the query unsatisfiable, the obligation holds for all values. A goal `∀x·P ⇒ Q` becomes the goal Q for
a constant x, with P as one more hypothesis. What must be well defined has obligations of its own. So a query about
anything else takes for granted that the goal and the guards are well defined.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from synth_machines.formulas.definedness import well_definedness
from synth_machines.formulas.formula import TRUTH, Binding, Bound, Formula, Name, Operation, conjuncts
from synth_machines.formulas.names import free_names, new_name, substitute
from synth_machines.formulas.operators import FUNCTIONS
from synth_machines.formulas.types import CarrierType, PowerType
from synth_machines.sequents.declarations import Symbols
from synth_machines.sequents.finiteness import Finiteness
from synth_machines.sequents.predicates import Encoder
from synth_machines.sequents.settings import FiniteSymbols, Setting
from synth_machines.sequents.terms import FALSE, TRUE, negation

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from synth_machines.formulas.types import Type
    from synth_machines.obligations.obligation import Obligation

#: The obligations about being well defined. Theirs is all that is not taken for granted.
DEFINEDNESS = frozenset({"WD", "VWD", "WWD"})


@dataclass(frozen=True, slots=True)
class Sequent:
    """An obligation without ∀ and ⇒ at the front of its goal, and with what is taken for granted."""

    hypotheses: tuple[Formula, ...]
    goal: Formula
    types: Mapping[str, Type]


def sequent_of(obligation: Obligation) -> Sequent:
    """Return the sequent of an obligation."""
    types = dict(obligation.types)
    hypotheses = [hypothesis.predicate for hypothesis in obligation.hypotheses]
    local = hypotheses[len(hypotheses) - obligation.local :]
    granted = [well_definedness(formula, types) for formula in local]
    if obligation.kind not in DEFINEDNESS:
        granted.append(well_definedness(obligation.goal, types))
    hypotheses += [hypothesis for hypothesis in granted if hypothesis != TRUTH]
    goal = obligation.goal
    while True:
        match goal:
            case Binding("∀", bound, condition):
                goal = _opened(bound, condition, types)
            case Operation("⇒", (left, right)):
                hypotheses.append(left)
                goal = right
            case _:
                return Sequent(tuple(hypotheses), goal, types)


def parts_of(obligation: Obligation) -> tuple[Sequent, ...]:
    """Return a sequent for each part of a goal that says several things. If all are proved, the obligation is.

    `P ⇒ A ∧ B` has the parts `P ⇒ A` and `P ⇒ B`. Each takes for granted only that it is well defined itself. If the
    goal is well defined and A holds, then B is well defined.
    """
    return tuple(sequent_of(replace(obligation, goal=part)) for part in parts_of_goal(obligation.goal))


def parts_of_goal(goal: Formula) -> list[Formula]:
    """Return predicates that together say the same as a goal."""
    match goal:
        case Operation("∧", operands):
            return [part for operand in operands for part in parts_of_goal(operand)]
        case Operation("⇒", (left, right)):
            return [replace(goal, operands=(left, part)) for part in parts_of_goal(right)]
        case Binding("∀", _, condition):
            return [replace(goal, condition=part) for part in parts_of_goal(condition)]
        case _:
            return [goal]


def _opened(bound: tuple[Bound, ...], condition: Formula, types: dict[str, Type]) -> Formula:
    """Return what a quantifier says, with free names for its bound names."""
    values: dict[str, Formula] = {}
    for name_ in bound:
        name = name_.name if name_.name not in types else new_name(name_.name, types)
        values[name_.name] = Name(name)
        if name_.type is not None:
            types[name] = name_.type
    return substitute(condition, values)


def script_of(sequent: Sequent, used: Collection[int] | None = None) -> str:
    """Return the query of a sequent in SMT-LIB, with only some of its hypotheses if `used` has their places.

    Raises:
        UnsupportedError: the query would need something that it can't say.
    """
    places = range(len(sequent.hypotheses)) if used is None else used
    chosen = [sequent.hypotheses[place] for place in places]
    facts = [fact for formula in chosen for fact in conjuncts(formula)]
    symbols = Symbols(sequent.types, enumerated_in(facts, sequent.types), functions_in(facts))
    return _script(symbols, chosen, sequent.goal, facts)


def finite_script_of(sequent: Sequent, setting: Setting) -> tuple[str, FiniteSymbols]:
    """Return the query of a sequent over few values, and its symbols, which read the values of names.

    It raises the same error as `script_of`.
    """
    facts = [fact for hypothesis in sequent.hypotheses for fact in conjuncts(hypothesis)]
    enumerated = enumerated_in(facts, sequent.types)
    symbols = FiniteSymbols(sequent.types, enumerated, functions_in(facts), setting)
    return _script(symbols, sequent.hypotheses, sequent.goal, facts), symbols


def _script(symbols: Symbols, chosen: Sequence[Formula], goal: Formula, facts: Sequence[Formula]) -> str:
    encoder = Encoder(symbols)
    assertions = [encoder.predicate(formula) for formula in chosen]
    assertions.append(negation(encoder.with_finite(Finiteness(facts).is_finite).predicate(goal)))
    lines = [f"(assert {axiom})" for axiom in (*symbols.axioms, *assertions) if axiom != TRUE]
    if FALSE in assertions:
        lines = ["(assert false)"]
    return "\n".join(["(set-logic ALL)", *symbols.declarations, *lines, "(check-sat)", ""])


def enumerated_in(facts: Sequence[Formula], types: Mapping[str, Type]) -> dict[str, tuple[str, ...]]:
    """Return the carrier sets of which a hypothesis lists all elements: `partition(S, {a}, {b})`."""
    found: dict[str, tuple[str, ...]] = {}
    for fact in facts:
        match fact:
            case Operation("partition", (Name(carrier), *parts)) if types[carrier] == PowerType(CarrierType(carrier)):
                names = [_single(part) for part in parts]
                taken = {name for listed in found.values() for name in listed}
                if parts and None not in names and len(set(names)) == len(names) and not taken & set(names):
                    found.setdefault(carrier, tuple(name for name in names if name is not None))
    return found


def _single(part: Formula) -> str | None:
    match part:
        case Operation("{,}", (Name(name),)):
            return name
        case _:
            return None


def functions_in(facts: Sequence[Formula]) -> set[str]:
    """Return the free names that a hypothesis says are functions."""
    return {
        fact.operands[0].name
        for fact in facts
        if isinstance(fact, Operation)
        and fact.operator == "∈"
        and isinstance(fact.operands[0], Name)
        and isinstance(fact.operands[1], Operation)
        and fact.operands[1].operator in FUNCTIONS
    }


def names_shared(sequent: Sequent, rounds: int) -> list[int]:
    """Return the places of hypotheses that share a name with the goal, or with those found so far, a few times."""
    names = set(free_names(sequent.goal))
    found: set[int] = set()
    own = [set(free_names(hypothesis)) for hypothesis in sequent.hypotheses]
    for _ in range(rounds):
        found |= {place for place, words in enumerate(own) if words & names}
        names |= {name for place in found for name in own[place]}
    return sorted(found)
