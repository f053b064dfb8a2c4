"""The texts of `synth find` and `synth separate`: what is proven of bounds, a test, and what the test shrinks to."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from synth_checker.programs.normal import program_of_id
from synth_checker.programs.text import write_program
from synth_documents.columns import verdict_table
from synth_documents.lines import Heading
from synth_documents.phrases import count
from synth_documents.readable import tests
from synth_litmus.views.more_threads import look_further

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from synth_documents.lines import Lines
    from synth_search.directed.answer import DirectionAnswer, FindAnswer, FirstTest


def find_lines(answer: FindAnswer) -> Lines:
    """Yield lines about one test, its verdicts and what it shrinks to, or a line which says that there is none."""
    first = answer.first
    yield from _bounds_without(answer)
    if first is None:
        return
    bound = next(each.bound for each in answer.bounds if each.tests)
    rank = "the smallest such test" if answer.smallest else "which may not be the smallest such test"
    yield Heading(f"In {bound} {_names(answer)}, {rank}: {first.id}, {first.called}")
    yield from write_program(program_of_id(first.id)).splitlines()
    yield verdict_table(first.check.verdicts)
    yield from _shrunk(first)


def separate_lines(answer: Sequence[DirectionAnswer], again: Callable[[int], str]) -> Lines:
    """Yield, for each direction, lines about one test, or a line which says why there is none.

    `again` returns the command that looks at more threads.
    """
    for direction in answer:
        yield Heading(f"Passes {direction.passes}, fails {direction.fails}:")
        threads, promises = direction.threads, f"{direction.fails} promises whatever {direction.passes} does"
        if direction.settled:
            yield f"None at all: with any number of threads {promises}."
        elif direction.search is None:
            yield f"None with up to {count(threads, 'thread')}, because there {promises}."
            yield look_further(threads, again)
        else:
            if direction.included > 1 and direction.search.first is None:
                yield f"None with up to {direction.included} threads, because there {promises}."
            yield from find_lines(direction.search)
        yield ""


def count_lines(answer: FindAnswer) -> Iterator[str]:
    """Yield lines which say how many tests were found in each bound, and how many in all."""
    for each in answer.bounds:
        yield f"{each.bound}: {tests(len(each.tests))}, {each.state.value}"
    stopped = "" if answer.complete else f", but there may be more: {answer.stopped}"
    yield f"{tests(sum(len(each.tests) for each in answer.bounds))}{stopped}"


def _bounds_without(answer: FindAnswer) -> list[str]:
    """Say what is known of the bounds in which nothing was found: which were searched to the end, and which not."""
    empty = [each for each in answer.bounds if not each.tests]
    if not empty:
        return []
    listed = "; ".join(
        f"{', '.join(each.bound for each in bounds)} {state.value}"
        for state, bounds in groupby(empty, lambda each: each.state)
    )
    if answer.complete:
        return [f"None up to {empty[-1].bound} {_names(answer)}: {listed}."]
    return [f"Stopped: {answer.stopped}.", f"Nothing found: {listed}."]


def _names(answer: FindAnswer) -> str:
    """Say which locations and values tests may have; with more of them, a smaller test may be found."""
    return f"({count(answer.locations, 'location')}, {count(answer.values, 'value')})"


def _shrunk(first: FirstTest) -> list[str]:
    """Say what a test shrinks to if it must keep its wanted verdicts."""
    if [each.id for each, _ in first.minimal] == [first.id]:
        return ["No sub-program is a test with these verdicts."]
    return [f"Shrinks in {count(len(each.steps), 'step')} to {each.id}, {called}" for each, called in first.minimal]
