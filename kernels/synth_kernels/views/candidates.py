"""The text of `synth verify --show-candidates`: what the rules guessed about loops, and what came of it.

The kept candidates stand first, as annotations or lines that can be pasted into the loop.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from synth_documents.phrases import count, listed
from synth_kernels.verification.answer import candidates_of
from synth_kernels.verification.contracts import contract_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.program import SourcePlace
    from synth_kernels.verification import Verified
    from synth_kernels.verification.answer import Judged


def candidate_lines(one: Verified) -> Iterator[str]:
    """Yield lines about the candidates of a kernel, loop by loop."""
    yield from _of_contract(one)
    judged = candidates_of(one)
    for place, group in itertools.groupby(judged, key=lambda found: found.place):
        yield from _of_loop(place, list(group))
    if one.report.inferred.dropped:
        yield "  Not maximal: the solver gave up on some candidates, so there may be more invariants."


def _of_contract(one: Verified) -> Iterator[str]:
    """Yield the contract of a function as lines that can be pasted at the beginning of its body."""
    made = [found for found in contract_of(one) if found.outcome != "given"]
    kept = [found for found in made if found.outcome == "kept"]
    if made:
        yield f"  contract: {count(len(made), 'candidate')}, {len(kept)} kept"
        yield from (f"    {found.text};" for found in kept)


def _of_loop(place: SourcePlace, judged: list[Judged]) -> Iterator[str]:
    kept = [found for found in judged if found.outcome == "kept"]
    yield f"  loop at {place.file}:{place.line}: {count(len(judged), 'candidate')}, {len(kept)} kept"
    for found in kept:
        for line in found.lines:
            is_last = line == found.lines[-1] and len(found.lines) > 1
            remark = "" if found.rule else "  # your own"
            yield f"    {line}{f'  # {found.rule}' if is_last else remark}"
    outcomes = dict.fromkeys(
        (found.outcome, found.engine, found.round)
        for found in sorted(judged, key=lambda found: (found.engine == "H", found.engine, found.round))
        if found.outcome != "kept"
    )
    for outcome in sorted(outcomes, key=lambda one: one[0] == "dropped"):
        rules = [found.rule for found in judged if (found.outcome, found.engine, found.round) == outcome]
        counts = [
            f"{len(list(same))} {f'of {rule}' if rule else 'of your own'}" for rule, same in itertools.groupby(rules)
        ]
        yield f"    {_outcome(*outcome)}: {listed(counts)}"


def _outcome(outcome: str, engine: str, number: int) -> str:
    if outcome == "dropped":
        return "dropped because the solver gave up"
    return f"refuted in round {number}" if engine == "H" else f"refuted by {engine} in round {number}"
