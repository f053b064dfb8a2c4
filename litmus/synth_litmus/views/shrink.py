"""The text of `synth shrink`: a program, and each step that leads to one of its minimal tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.programs.normal import program_of_id
from synth_checker.programs.text import write_program
from synth_documents.lines import Heading
from synth_documents.phrases import count
from synth_documents.readable import safe_title

if TYPE_CHECKING:
    from synth_documents.lines import Lines
    from synth_litmus.facts.shrink_facts import ShrinkAnswer


def lines(answer: ShrinkAnswer) -> Lines:
    """Yield the normal form of a program, how the given program differs from it, and the relaxations, line by line."""
    minimal = answer.minimal
    yield Heading(safe_title(answer.name, answer.id))
    yield from write_program(answer.program).splitlines()
    if as_given := _as_given(answer):
        yield as_given
    if answer.normal_form_breaks:
        yield f"Not a test: it breaks {', '.join(answer.normal_form_breaks)}."
    what = "its signature" if answer.keep is None else ", ".join(f"{name}={end}" for name, end in answer.keep.items())
    if not minimal:
        yield f"Neither this program nor any of its sub-programs is a test with {what}."
    elif not minimal[0].steps:
        yield f"Minimal: no sub-program is a test with {what}."
    else:
        yield f"{count(len(minimal), 'minimal test')} with {what}."
    for shrunk in minimal if minimal and minimal[0].steps else ():
        yield ""
        yield Heading(f"Down to {shrunk.id}, {shrunk.called}:")
        for number, step in enumerate(shrunk.steps, 1):
            yield Heading(f"{number}. {step.does}: {step.left}")
            yield from write_program(program_of_id(step.left)).splitlines()


def _as_given(answer: ShrinkAnswer) -> str:
    """Say what holds for a program as given but not for its normal form: rules that it breaks, and other verdicts."""
    breaks = [rule for rule in answer.breaks if rule not in answer.normal_form_breaks]
    others = [f"{name} {verdict}" for name, verdict in answer.others.items()]
    faults = [f"breaks {', '.join(breaks)}"] if breaks else []
    faults += [f"has other verdicts ({', '.join(others)})"] if others else []
    return (
        f"The program as given {' and '.join(faults)}; the program above is its normal form, which is shrunk."
        if faults
        else ""
    )
