"""The text of `synth verify --show-candidates`: what the rules guessed about loops, and what came of it.

The kept candidates stand first, as annotations or lines that can be pasted into the loop.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from synth_documents.phrases import count, listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth_kernels.source_place import SourcePlace
    from synth_kernels.verification.answer import VerifiedKernel
    from synth_kernels.verification.candidates import JudgedCandidate
    from synth_kernels.verification.contracts import ContractLine


def candidate_lines(answer: VerifiedKernel) -> Iterator[str]:
    """Yield lines about the candidates of a kernel, loop by loop."""
    yield from _of_contract(answer.contract)
    for place, group in itertools.groupby(answer.candidates, key=lambda candidate: candidate.place):
        yield from _of_loop(place, list(group))
    if not answer.is_maximal:
        yield "  Not maximal: the solver gave up on some candidates, so there may be more invariants."


def _of_contract(contract: Sequence[ContractLine]) -> Iterator[str]:
    """Yield the contract of a function as lines that can be pasted at the beginning of its body."""
    guessed = [line for line in contract if line.outcome != "given"]
    kept_lines = [line for line in guessed if line.outcome == "kept"]
    if guessed:
        yield f"  contract: {count(len(guessed), 'candidate')}, {len(kept_lines)} kept"
        yield from (f"    {line.text};" for line in kept_lines)


def _of_loop(place: SourcePlace, judged: list[JudgedCandidate]) -> Iterator[str]:
    kept_candidates = [candidate for candidate in judged if candidate.outcome == "kept"]
    yield f"  loop at {place.file}:{place.line}: {count(len(judged), 'candidate')}, {len(kept_candidates)} kept"
    for candidate in kept_candidates:
        for line in candidate.lines:
            is_last = line == candidate.lines[-1] and len(candidate.lines) > 1
            remark = "" if candidate.rule else "  # your own"
            yield f"    {line}{f'  # {candidate.rule}' if is_last else remark}"
    outcomes = dict.fromkeys(
        (candidate.outcome, candidate.engine, candidate.round)
        for candidate in sorted(
            judged, key=lambda candidate: (candidate.engine == "H", candidate.engine, candidate.round)
        )
        if candidate.outcome != "kept"
    )
    for outcome in sorted(outcomes, key=lambda outcome: outcome[0] == "dropped"):
        rules = [
            candidate.rule for candidate in judged if (candidate.outcome, candidate.engine, candidate.round) == outcome
        ]
        counts = [
            f"{len(list(same))} {f'of {rule}' if rule else 'of your own'}" for rule, same in itertools.groupby(rules)
        ]
        yield f"    {_outcome(*outcome)}: {listed(counts)}"


def _outcome(outcome: str, engine: str, number: int) -> str:
    if outcome == "dropped":
        return "dropped because the solver gave up"
    return f"refuted in round {number}" if engine == "H" else f"refuted by {engine} in round {number}"
