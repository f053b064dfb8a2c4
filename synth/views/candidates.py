"""The text of `synth verify --show-candidates`: what the rules guessed about loops, and what came of it.

The kept candidates stand first, as annotations or lines that can be pasted into the loop.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from synth.phrases import listed
from synth.verification.answer import candidates_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth.verification import Verified
    from synth.verification.answer import Judged
    from synth_kernels.program import Place


def candidate_lines(one: Verified) -> Iterator[str]:
    """Yield lines about the candidates of a kernel, loop by loop."""
    judged = candidates_of(one)
    for place, group in itertools.groupby(judged, key=lambda found: found.place):
        yield from _of_loop(place, list(group))
    if one.report.inferred.dropped:
        yield "  Not maximal: the solver gave up on some candidates, so there may be more invariants."


def _of_loop(place: Place, judged: list[Judged]) -> Iterator[str]:
    kept = [found for found in judged if found.outcome == "kept"]
    yield f"  loop at {place.file}:{place.line}: {len(judged)} candidates, {len(kept)} kept"
    for found in kept:
        for line in found.lines:
            yield f"    {line}  # {found.rule}" if line == found.lines[-1] and len(found.lines) > 1 else f"    {line}"
    outcomes = [("refuted", f"in round {number}", number) for number in sorted({found.round for found in judged} - {0})]
    for outcome, when, number in (*outcomes, ("dropped", "because the solver gave up", 0)):
        rules = [found.rule for found in judged if (found.outcome, found.round) == (outcome, number)]
        if rules:
            counts = [f"{len(list(same))} of {rule}" for rule, same in itertools.groupby(rules)]
            yield f"    {outcome} {when}: {listed(counts)}"
