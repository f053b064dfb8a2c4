"""Hypothesis strategies for formulas and components of Event-B.

`predicates()` and `expressions(kind)` yield formulas that are well typed over the names of `TYPES`, with all types
filled in. `predicates(integers_only=True)` leaves out what solvers find hard.
"""

from __future__ import annotations

from hypothesis import strategies as st

from synth_machines.components import (
    Action,
    Assignment,
    Context,
    Identifier,
    LabelledPredicate,
    MachineComponent,
    MachineEvent,
)
from synth_machines.formulas.formula import (
    Binding,
    BoundName,
    FormulaConstant,
    FormulaName,
    FormulaNumber,
    FormulaOperation,
    binary,
)
from synth_machines.formulas.types import BOOLEAN, INTEGER, CarrierType, PowerType, relation

S = CarrierType("S")
#: The free names of the formulas, with their types.
TYPES = {
    "S": PowerType(S),
    "i": INTEGER,
    "n": INTEGER,
    "p": BOOLEAN,
    "e": S,
    "a": PowerType(INTEGER),
    "b": PowerType(INTEGER),
    "s": PowerType(S),
    "f": relation(INTEGER, S),
    "g": relation(INTEGER, INTEGER),
}
#: The types of which expressions are made.
KINDS = tuple(dict.fromkeys(TYPES.values()))
_NUMBERS = st.integers(-2, 3).map(FormulaNumber)


def names_of(kind, types):
    return [FormulaName(name) for name, type_ in types.items() if type_ == kind]


@st.composite
def expressions(draw, kind=INTEGER, depth=2, types=None):  # noqa: C901, PLR0911, PLR0912  (a case for each operator)
    """An expression of a type, with at most so many operators inside each other."""
    types = types or TYPES
    leaves = names_of(kind, types)
    if kind == INTEGER:
        leaves = [*leaves, draw(_NUMBERS)]
    elif kind == BOOLEAN:
        leaves = [*leaves, FormulaConstant("TRUE"), FormulaConstant("FALSE")]
    elif isinstance(kind, PowerType):
        leaves = [*leaves, FormulaConstant("∅", kind)]
    if depth == 0 or draw(st.integers(0, 3)) == 0:
        return draw(st.sampled_from(leaves))

    def inner(of):
        return draw(expressions(of, depth - 1, types))

    numbers, elements = PowerType(INTEGER), PowerType(S)
    if kind == INTEGER:
        operator = draw(st.sampled_from(["+", "−", "∗", "÷", "mod", "-", "()", "card", "max"]))
        match operator:
            case "-":
                return FormulaOperation("−", (inner(INTEGER),))
            case "()":
                return binary("()", FormulaName("g"), inner(INTEGER))
            case "card" | "max":
                return FormulaOperation(operator, (inner(numbers),))
            case _:
                return binary(operator, inner(INTEGER), inner(INTEGER))
    if kind == BOOLEAN:
        return FormulaOperation("bool", (draw(predicates(depth - 1, types)),))
    if kind == S:
        return binary("()", FormulaName("f"), inner(INTEGER))
    if kind in {numbers, elements}:
        options = ["∪", "∩", "∖", "{,}", "{}", "‥" if kind == numbers else "ran", "dom", "[]"]
        operator = draw(st.sampled_from(options))
        of = kind.of
        match operator:
            case "{,}":
                return FormulaOperation("{,}", (inner(of),))
            case "{}":
                return draw(_sets(of, depth - 1, types))
            case "‥":
                return binary("‥", inner(INTEGER), inner(INTEGER))
            case "ran" | "dom" | "[]":
                return _of_relation(operator, kind, inner)
            case _:
                return binary(operator, inner(kind), inner(kind))
    pair = kind.of
    operator = draw(st.sampled_from(["∪", "<+", "◁", "▷", "×", "{,}"]))
    match operator:
        case "◁":
            return binary(operator, inner(PowerType(pair.left)), inner(kind))
        case "▷":
            return binary(operator, inner(kind), inner(PowerType(pair.right)))
        case "×":
            return binary(operator, inner(PowerType(pair.left)), inner(PowerType(pair.right)))
        case "{,}":
            return FormulaOperation("{,}", (binary("↦", inner(pair.left), inner(pair.right)),))
        case _:
            return binary(operator, inner(kind), inner(kind))


def _of_relation(operator, kind, inner):
    is_number = kind.of == INTEGER
    if operator == "[]":
        return binary("[]", inner(relation(INTEGER, kind.of)), inner(PowerType(INTEGER)))
    if operator == "dom" and not is_number:
        return FormulaOperation("ran", (inner(relation(INTEGER, S)),))
    return FormulaOperation(operator, (inner(relation(INTEGER, INTEGER if is_number else S)),))


@st.composite
def _sets(draw, of, depth, types):
    """A set with a condition: {x·x ∈ A ∧ P ∣ E}."""
    kind = draw(st.sampled_from([INTEGER, S]))
    inner = {**types, "x": kind}
    members = draw(expressions(PowerType(kind), 0, types))
    condition = FormulaOperation("∧", (binary("∈", FormulaName("x"), members), draw(predicates(depth, inner))))
    return Binding("{}", (BoundName("x", kind),), condition, draw(expressions(of, depth, inner)))


@st.composite
def predicates(draw, depth=2, types=None):  # noqa: PLR0911  (a case for each operator)
    """A predicate, with at most so many operators inside each other."""
    types = types or TYPES
    if depth > 0 and draw(st.booleans()):
        operator = draw(st.sampled_from(["¬", "∧", "∨", "⇒", "⇔", "∀", "∃"]))
        if operator == "¬":
            return FormulaOperation("¬", (draw(predicates(depth - 1, types)),))
        if operator in {"∀", "∃"}:
            kind = draw(st.sampled_from([INTEGER, S]))
            members = draw(expressions(PowerType(kind), 0, types))
            body = draw(predicates(depth - 1, {**types, "y": kind}))
            joined = binary("⇒" if operator == "∀" else "∧", binary("∈", FormulaName("y"), members), body)
            return Binding(operator, (BoundName("y", kind),), joined)
        return binary(operator, draw(predicates(depth - 1, types)), draw(predicates(depth - 1, types)))
    operator = draw(st.sampled_from(["=", "≠", "<", "≤", "∈", "∉", "⊆", "⊂", "finite", "⊤"]))
    below = max(depth - 1, 0)
    kind = draw(st.sampled_from(KINDS))
    match operator:
        case "⊤":
            return FormulaConstant("⊤")
        case "<" | "≤":
            kind = INTEGER
        case "∈" | "∉":
            kind = draw(st.sampled_from([INTEGER, S]))
            left, right = expressions(kind, below, types), expressions(PowerType(kind), below, types)
            return binary(operator, draw(left), draw(right))
        case "⊆" | "⊂" | "finite":
            kind = draw(st.sampled_from([kind for kind in KINDS if isinstance(kind, PowerType)]))
    left = draw(expressions(kind, below, types))
    if operator == "finite":
        return FormulaOperation("finite", (left,))
    return binary(operator, left, draw(expressions(kind, below, types)))


LABELS = st.from_regex(r"[a-z]{1,4}[0-9]{0,2}", fullmatch=True)
COMMENTS = st.sampled_from(["", "", "", "why", "first line\nsecond line"])


def labelled(**options):
    return st.builds(LabelledPredicate, LABELS, predicates(**options), st.booleans(), COMMENTS)


@st.composite
def components(draw):
    """A context and a machine that sees it. They are well formed as text; labels may repeat."""
    context = Context(
        "ctx",
        sets=(Identifier("S", draw(COMMENTS)),),
        constants=tuple(Identifier(name, draw(COMMENTS)) for name in ("i", "e", "a")),
        axioms=tuple(draw(st.lists(labelled(), max_size=2))),
        comment=draw(COMMENTS),
    )
    assignments = [
        Assignment("≔", ("n",), (draw(expressions(INTEGER)),)),
        Assignment(":∈", ("b",), (FormulaOperation("ℙ", (draw(expressions(PowerType(INTEGER))),)),)),
        Assignment("≔", ("g",), (draw(expressions(INTEGER)),), draw(expressions(INTEGER))),
        Assignment(":∣", ("p", "f"), (draw(predicates(types={**TYPES, "p'": BOOLEAN})),)),
    ]
    event = MachineEvent(
        draw(st.sampled_from(["move", "end", "any"])),
        draw(st.sampled_from(["ordinary", "anticipated", "convergent"])),
        parameters=tuple(Identifier(name, draw(COMMENTS)) for name in draw(st.sets(st.sampled_from(["x1", "where"])))),
        guards=tuple(draw(st.lists(labelled(), max_size=2))),
        witnesses=tuple(draw(st.lists(labelled(), max_size=1))),
        actions=tuple(
            Action(f"act{place}", assignment, draw(COMMENTS)) for place, assignment in enumerate(assignments)
        ),
        comment=draw(COMMENTS),
    )
    machine = MachineComponent(
        "mch",
        sees=("ctx",),
        variables=tuple(Identifier(name) for name in ("n", "p", "b", "s", "f", "g")),
        invariants=tuple(draw(st.lists(labelled(), max_size=2))),
        events=(event,),
        comment=draw(COMMENTS),
    )
    return [context, machine]
