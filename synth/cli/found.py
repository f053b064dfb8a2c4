"""What a directed search has found, in words: what is proven of its bounds, a test and what it shrinks to."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import typer

from synth.cli.printing import plain_console, print_table
from synth.views.tables import verdict_table
from synth.views.words import tests

if TYPE_CHECKING:
    from synth.directed import Directed


def print_first(found: Directed) -> None:
    """One test, its verdicts and what it shrinks to; or that there is none."""
    console = plain_console()
    for line in _bounds_without(found):
        console.print(line)
    if not found.tests:
        return
    from synth.judging.checking import check_programs
    from synth_checker.names import name_of
    from synth_checker.normal import program_of_id
    from synth_checker.text import write_program

    id_ = found.tests[0]
    bound = next(str(each.bound) for each in found.bounds if each.tests)
    rank = "the smallest there is" if found.is_smallest else "which need not be the smallest"
    console.print(f"In {bound}, {rank}: {id_}, {name_of(id_)}", style="bold")
    console.print(write_program(program_of_id(id_)).strip())
    (check,) = check_programs([program_of_id(id_)], models=found.query.wanted.models)
    print_table(console, verdict_table(check.verdicts))
    for line in _shrunk(found, id_):
        console.print(line)


def print_all(found: Directed) -> None:
    """The ids of all tests, one a line; how many there are in which bounds goes to standard error."""
    for id_ in found.tests:
        typer.echo(id_)
    console = plain_console(to_stderr=True)
    for each in found.bounds:
        console.print(f"{each.bound}: {tests(len(each.tests))}, {each.state.value}")
    stopped = "" if found.complete else f", not all there are: {found.why_stopped}"
    console.print(f"{tests(len(found.tests))}{stopped}")


def _bounds_without(found: Directed) -> list[str]:
    """What is known of the bounds in which nothing was found: `None up to 2x3: 2x2, 2x3 searched to the end`."""
    empty = [each for each in found.bounds if not each.tests]
    if not empty:
        return []
    listed = "; ".join(
        f"{', '.join(str(each.bound) for each in some)} {state.value}"
        for state, some in groupby(empty, lambda each: each.state)
    )
    if found.complete:
        return [f"None up to {empty[-1].bound}: {listed}."]
    return [f"Stopped: {found.why_stopped}.", f"Nothing found: {listed}."]


def _shrunk(found: Directed, id_: str) -> list[str]:
    """What a test shrinks to while its wanted verdicts stay."""
    from synth_checker.names import name_of
    from synth_checker.shrinking import shrink

    wanted, question = found.query.wanted, found.query.question
    keep = dict.fromkeys(wanted.passes, True) | dict.fromkeys(wanted.fails, False)
    shrunk = shrink(id_, keep, wanted.models, question.without)
    if [each.id for each in shrunk] == [id_]:
        return ["No sub-program is a test with these verdicts."]
    return [
        f"Shrinks in {len(each.steps)} step{'' if len(each.steps) == 1 else 's'} to {each.id}, {name_of(each.id)}"
        for each in shrunk
    ]
