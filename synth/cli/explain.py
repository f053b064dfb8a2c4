"""`synth explain`: why a program fails or passes a verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from synth.cli.options import NamesOf
from synth.cli.vocabulary import completed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth.explaining import Explanation
    from synth.inputs.programs import GivenProgram
    from synth_checker.certificates.certificate import Lasso, ProductState, Ranking
    from synth_checker.program import Program

EXAMPLE = "Example: synth explain 01100002-01100002 --model HSA.weak"
_STATE = ("memory", "pcs", "owed")
#: Rows of a ranking; --json has all.
_MOST_STATES = 20


def explain_command(
    source: Annotated[str, typer.Argument(metavar="ID|NAME|FILE", help="A program.")],
    model: Annotated[
        str,
        typer.Option(
            help="The verdict: {verdicts}; NAME.weak = EXPRESSION, or FILE:NAME.weak.",
            metavar="VERDICT",
            autocompletion=completed("verdicts"),
        ),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="As a JSON object, with the whole certificate.")] = False,
    corpus: NamesOf = None,
) -> None:
    """Explain a verdict: how a program may run for ever, step by step, or why it always ends."""
    from synth.explaining import explain
    from synth.inputs.programs import given_program

    given = given_program(source, corpus)
    found = explain(given.program, model)
    if as_json:
        typer.echo(_json(given, found))
        return
    for line in _lines(given, found):
        typer.echo(line)


def _lines(given: GivenProgram, found: Explanation) -> Iterator[str]:
    # Not the tables of `summary`: rich would take a third of the time in which this answers.
    from synth.views.words import shown
    from synth_checker.certificates.certificate import Lasso
    from synth_checker.normal import written_out
    from synth_checker.text import write_program

    check, certificate = found.check, found.certificate
    program = check.judged
    yield f"{shown(given.name)}: {written_out(program)}" if given.name else written_out(program)
    yield write_program(program).rstrip("\n")
    if check.has_no_ops:
        yield f"(the program given, with its no-ops; its normal form is {check.id})"
    elif given.program != program:
        yield "(the normal form of the program given)"
    yield f"{found.verdict}: {found.result}; {found.model.text}"
    if isinstance(certificate, Lasso):
        head, *steps = _aligned(_steps(program, certificate))
        yield from (head, *steps[: certificate.prefix], "for ever:", *steps[certificate.prefix :])
    elif found.rounds:
        yield from _aligned(_ranks(program, certificate, found.rounds))
        if len(found.rounds) > _MOST_STATES:
            yield f"({len(found.rounds) - _MOST_STATES} more such states)"
    yield from found.sentences


def _steps(program: Program, lasso: Lasso) -> list[tuple[str, ...]]:
    """A row a step: its number, the state before it, who is owed a step there, and the step that is taken."""
    rows: list[tuple[str, ...]] = [("", *_STATE, "takes")]
    for number, (state, fair, thread) in enumerate(lasso.steps, 1):
        rows.append((str(number), *_state(program, state, fair), _step(program, state, thread)))
    return rows


def _ranks(program: Program, ranking: Ranking, states: Sequence[ProductState]) -> list[tuple[str, ...]]:
    """A row a state, the highest ranks first: its rank, who is owed a step there, and what lowers the rank."""
    rows: list[tuple[str, ...]] = [("rank", *_STATE, "lowers it")]
    for state in sorted(states, key=lambda state: -ranking.ranks[state].rank)[:_MOST_STATES]:
        fair, rank, helper = ranking.ranks[state]
        lowers = "every step" if helper is None else _step(program, state, helper)
        rows.append((str(rank), *_state(program, state, fair), lowers))
    return rows


def _state(program: Program, state: ProductState, fair: int) -> tuple[str, str, str]:
    from synth.explaining.words import written_set

    ends = [len(thread) for thread in program]
    pcs = ["END" if pc == end else str(pc) for pc, end in zip(state.pcs, ends, strict=True)]
    return " ".join(map(str, state.memory)), " ".join(pcs), written_set(fair)


def _step(program: Program, state: ProductState, thread: int) -> str:
    from synth_checker.text import write_instruction

    return f"thread {thread}: {write_instruction(program[thread], state.pcs[thread])}"


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _json(given: GivenProgram, found: Explanation) -> str:
    import json

    from synth.explaining.certificate_json import certificate_fields
    from synth_checker.normal import written_out

    fields = {
        "id": found.check.id,
        **({"with_no_ops": written_out(found.check.judged)} if found.check.has_no_ops else {}),
        "name": given.name,
        "verdict": {found.verdict: found.result},
        "model": found.model.definition,
        "certificate": certificate_fields(found.certificate),
        "explanation": found.sentences,
    }
    return json.dumps(fields, separators=(",", ":"))
