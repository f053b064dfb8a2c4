"""Read and write assignments, such as `x,y ≔ 1,2` and `f(x) ≔ 3`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, cast

from synth_machines.components import Assignment
from synth_machines.formulas.parser import FormulaReader
from synth_machines.formulas.printer import shown
from synth_machines.formulas.tokens import tokens_of

if TYPE_CHECKING:
    from collections.abc import Callable

OPERATORS = ("≔", ":∈", ":∣")


def read_assignment(text: str) -> Assignment:
    """Read an assignment.

    Raises:
        InputError: the text is no assignment; the message says where.
    """
    reader = FormulaReader(tokens_of(text))
    found = assignment(reader)
    reader.expect_end()
    return found


def assignment(reader: FormulaReader) -> Assignment:
    """Take an assignment from a reader's tokens."""
    targets = [reader.name("the name of a variable")]
    argument = None
    if reader.is_next("("):
        reader.take()
        argument = reader.expression()
        reader.expect(")")
    while argument is None and reader.is_next(","):
        reader.take()
        targets.append(reader.name("the name of a variable"))
    if not reader.is_next(*(OPERATORS if argument is None else OPERATORS[:1])):
        raise reader.fail("≔, :∈ or :∣" if argument is None else "≔")
    token = reader.take()
    operator = cast("Literal['≔', ':∈', ':∣']", token.text)
    if operator == ":∣":
        return Assignment(operator, tuple(targets), (reader.predicate(),))
    values = [reader.expression()]
    while reader.is_next(","):
        reader.take()
        values.append(reader.expression())
    if operator == ":∈" and (len(targets) > 1 or len(values) > 1):
        raise reader.fail("one value and one variable", token)
    if len(targets) != len(values):
        raise reader.fail("as many values as variables", token)
    return Assignment(operator, tuple(targets), tuple(values), argument)


def shown_assignment(assignment: Assignment, *, quote: Callable[[str], str] = str, rodin: bool = False) -> str:
    """Return an assignment as text; `quote` and `rodin` are those of `shown`."""
    targets = ",".join(map(quote, assignment.targets))
    if assignment.argument is not None:
        targets = f"{targets}({shown(assignment.argument, quote=quote, rodin=rodin)})"
    # A comma in a value would end the value, but no formula has one without brackets around it.
    values = ", ".join(shown(value, quote=quote, rodin=rodin) for value in assignment.values)
    return f"{targets} {assignment.operator} {values}"
