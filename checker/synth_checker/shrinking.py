"""From a program down to its minimal sub-programs, one relaxation after the other.

What is kept on the way down is asked of the end only: the programs between need not be tests (definitions, section 6).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_checker.models import Model, library, verdict_names
from synth_checker.rules import broken_rules, rule_mask
from synth_checker.subprograms import Relaxation, subprograms
from synth_checker.verdicts import judge

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping


@dataclass(frozen=True, slots=True)
class Shrunk:
    """A minimal sub-program, or the program itself, by its id, and the fewest relaxations that lead there."""

    id: str
    steps: tuple[Relaxation, ...]


def shrink(
    id_: str,
    keep: Mapping[str, bool] | None = None,
    models: tuple[Model, ...] | None = None,
    without: Collection[str] = (),
) -> list[Shrunk]:
    """The minimal tests among a program, given by its id, and its sub-programs, the smallest first.

    A test is wanted if its verdicts are those in `keep`, by name and true for a pass, or by default if its signature is
    the program's; it is minimal if no sub-program of it is wanted. A program that is no test may have none.

    Raises:
        InputError: the id can't be read, or `keep` names a verdict that the models don't have.
        LimitError: the program has more than eight threads or too many sub-programs, or one of these too many states.
    """
    allowed = rule_mask(without)
    keep_store_checks = "meaningful-comparisons" in without
    below = dict(subprograms(id_, keep_store_checks=keep_store_checks))
    forms = list(below)
    models = library() if models is None else models
    mask, value = _wanted(forms[0], keep, models)
    wanted = {
        form
        for form, broken, passes in zip(forms, broken_rules(forms), judge(forms, models), strict=True)
        if not broken & ~allowed and passes & mask == value
    }
    return [Shrunk(form, _steps(below, form)) for form in sorted(_minimal(below, wanted), key=size_of)]


def _wanted(program: str, keep: Mapping[str, bool] | None, models: tuple[Model, ...]) -> tuple[int, int]:
    """Which bits of a verdict mask matter, and what they are to be."""
    names = verdict_names(models)
    if keep is None:
        return (1 << len(names)) - 1, judge([program], models)[0]
    for name in keep:
        if name not in names:
            msg = f"keep: found verdict {name!r}, expected one of {', '.join(names)}"
            raise InputError(msg)
    return (
        sum(1 << names.index(name) for name in keep),
        sum(1 << names.index(name) for name, passes in keep.items() if passes),
    )


def _minimal(below: Mapping[str, tuple[Relaxation, ...]], wanted: set[str]) -> list[str]:
    """The wanted programs that have no wanted one below them."""
    # Upwards from the wanted ones: one program may be met before another that it is a sub-program of.
    above: dict[str, list[str]] = {form: [] for form in below}
    for form, row in below.items():
        for relaxation in row:
            above[relaxation.left].append(form)
    spoilt: set[str] = set()
    to_do = list(wanted)
    while to_do:
        for form in above[to_do.pop()]:
            if form not in spoilt:
                spoilt.add(form)
                to_do.append(form)
    return [form for form in wanted if form not in spoilt]


def _steps(below: Mapping[str, tuple[Relaxation, ...]], goal: str) -> tuple[Relaxation, ...]:
    """The fewest relaxations from the first program to another: `below` is in the order of their number."""
    first = next(iter(below))
    reached: dict[str, tuple[str, Relaxation]] = {}
    for form, row in below.items():
        if goal in reached or goal == first:
            break
        for relaxation in row:
            reached.setdefault(relaxation.left, (form, relaxation))
    steps: list[Relaxation] = []
    while goal != first:
        goal, relaxation = reached[goal]
        steps.append(relaxation)
    return tuple(reversed(steps))


def size_of(id_: str) -> tuple[int, int, str]:
    """Smallest first, as the definitions say: instructions, then threads, then id."""
    threads = id_.count("-") + 1
    return (len(id_) - threads + 1) // 4, threads, id_
