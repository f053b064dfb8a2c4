"""The LTS of a program as a graph for people and for other tools: alone, or as the product with a model.

A step is `on_cycle` if some execution can take it again, and it may go on `for_ever` under the forms of the model in
whose failing sets it lies. Without a model each cycle is one that nobody promises to leave.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from synth.inputs.given_models import given_model
from synth_checker.certificates.product import Product, failing_sets, product_of, recurrent_sets
from synth_checker.errors import InputError
from synth_checker.models import Form, Model, library
from synth_checker.normal import normal_form, with_no_ops, written_out

if TYPE_CHECKING:
    from synth_checker.program import Program


class Transition(NamedTuple):
    """A step of a thread between two states, which are numbered from 0, the start."""

    source: int
    thread: int
    target: int
    on_cycle: bool
    for_ever: tuple[Form, ...]


@dataclass(frozen=True, slots=True)
class Lts:
    """A program, the product with the model, if there is one, and all steps in the order of states.

    The program has its no-ops, and its locations and values are named by first use; `id` is that of its normal form.
    `forms` are the forms of the model that were asked for.
    """

    name: str | None
    id: str
    program: Program
    model: Model | None
    forms: tuple[Form, ...]
    product: Product
    transitions: tuple[Transition, ...]

    @property
    def title(self) -> str:
        """What is shown: the program by its name and written out, and the model."""
        program = written_out(self.program)
        title = f"{self.name}: {program}" if self.name else program
        if self.model is None:
            return title
        return (
            f"{title} under {self.model.name}{f'.{self.forms[0]}' if len(self.forms) < len(self.model.forms) else ''}"
        )


def lts_of(program: Program, model: str | None = None, name: str | None = None) -> Lts:
    """The LTS of a program, no-ops and all; `model` names a model, or a verdict for one form only.

    Raises:
        InputError: there is no such model, or the program consists of no-ops.
        LimitError: the program has more than 32 threads, or too many states.
    """
    form = normal_form(program)
    if not form.threads:
        msg = "program: found nothing but no-ops, expected an instruction that does something"
        raise InputError(msg)
    judged = with_no_ops(program)
    chosen, forms = (None, library()[0].forms) if model is None else given_model(model)
    # A model that is never fair leaves the LTS as it is, and nobody promises to leave a cycle.
    product = product_of(judged, (chosen or library()[0]).beside(len(judged)))
    cycles = _numbers(recurrent_sets(product, set(range(len(product.states)))))
    failing = {each: _numbers(failing_sets(product, each)) for each in forms}
    transitions = tuple(
        Transition(
            source,
            thread,
            target,
            _is_inside(cycles, source, target),
            tuple(each for each in forms if _is_inside(failing[each], source, target)),
        )
        for source, row in enumerate(product.successors)
        for thread, target in row.items()
    )
    return Lts(name, written_out(form), judged, chosen, forms, product, transitions)


def _numbers(sets: list[set[int]]) -> dict[int, int]:
    """For each state that is in one of some disjoint sets, which."""
    return {state: number for number, c in enumerate(sets) for state in c}


def _is_inside(numbers: dict[int, int], source: int, target: int) -> bool:
    return source in numbers and numbers[source] == numbers.get(target)
