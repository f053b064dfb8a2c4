"""The text of `synth explain`: a table of the steps of a lasso or of the ranks of a ranking, and the sentences.

The table is plain text. A table of rich would take a third of the time in which this command answers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.certificates.certificate import Lasso
from synth_checker.programs.normal import written_out
from synth_checker.programs.text import write_instruction, write_program
from synth_documents.phrases import written_set
from synth_documents.readable import aligned, safe_title

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth_checker.certificates.certificate import ProductState, Ranking
    from synth_checker.programs.program import Program, State
    from synth_litmus.explanation import Explanation
    from synth_litmus.inputs.programs import GivenProgram

_STATE = ("memory", "pcs", "promised")
#: The most rows of a ranking. --json has all.
_MOST_STATES = 20


def lines(program_given: GivenProgram, explanation: Explanation) -> Iterator[str]:
    """Yield the lines that `synth explain` prints: the program, the verdict, its proof, and what the proof says."""
    check, certificate = explanation.check, explanation.certificate
    program = check.judged
    yield safe_title(program_given.name, written_out(program))
    yield from write_program(program).splitlines()
    if check.has_no_ops:
        yield f"(the program given, with its no-ops; its normal form is {check.id})"
    elif program_given.program != program:
        yield "(the normal form of the program given)"
    yield from f"{explanation.verdict}: {explanation.result}; {explanation.model.text}".splitlines()
    if isinstance(certificate, Lasso):
        head, *steps = aligned(_steps(program, certificate))
        yield from (head, *steps[: certificate.prefix], "again and again:", *steps[certificate.prefix :])
    elif explanation.rounds:
        yield from aligned(_ranks(program, certificate, explanation.rounds))
        if len(explanation.rounds) > _MOST_STATES:
            yield f"({len(explanation.rounds) - _MOST_STATES} more such states)"
    yield from explanation.sentences


def _steps(program: Program, lasso: Lasso[State]) -> list[tuple[str, ...]]:
    """Return a row for each step: its number, the state before it, the threads promised a step there, and the step."""
    rows: list[tuple[str, ...]] = [("", *_STATE, "takes")]
    for number, (state, fair, thread) in enumerate(lasso.steps, 1):
        rows.append((str(number), *_state(program, state, fair), _step(program, state, thread)))
    return rows


def _ranks(program: Program, ranking: Ranking[State], states: Sequence[ProductState[State]]) -> list[tuple[str, ...]]:
    """Return a row for each state, highest rank first: its rank, promised threads, and what lowers the rank."""
    rows: list[tuple[str, ...]] = [("rank", *_STATE, "lowers it")]
    for state in sorted(states, key=lambda state: -ranking.ranks[state].rank)[:_MOST_STATES]:
        fair, rank, helper = ranking.ranks[state]
        lowers = "every step" if helper is None else _step(program, state, helper)
        rows.append((str(rank), *_state(program, state, fair), lowers))
    return rows


def _state(program: Program, state: ProductState[State], fair: int) -> tuple[str, str, str]:
    ends = [len(thread) for thread in program]
    pcs = ["END" if pc == end else str(pc) for pc, end in zip(state.system.pcs, ends, strict=True)]
    return " ".join(map(str, state.system.memory)), " ".join(pcs), written_set(fair)


def _step(program: Program, state: ProductState[State], thread: int) -> str:
    return f"thread {thread}: {write_instruction(program[thread], state.system.pcs[thread])}"
