"""The sentences that say what an answer about a kernel rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.progress.counters import counted_loops
from synth_kernels.progress.plain_spins import plain_spins

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth.kernel_needs import Needs


def _about_lockstep(found: Needs) -> str:
    size = found.asked.rules.subgroup
    start = f"The lanes of a subgroup of {size} run in lockstep here. No specification promises this."
    if found.lost is None:
        return f"{start} With independent lanes, there are too many states to say whether the answer needs that."
    if not found.lost:
        return f"{start} With independent lanes, the launches pass the same verdicts."
    return f"{start} The answer needs it: with independent lanes, a launch fails {', '.join(found.lost)}."


def notes_of(found: Needs) -> Iterator[str]:
    """Yield the sentences that say what an answer rests on."""
    yield "The answer is about these launches only. Memory is taken to be sequentially consistent."
    if found.asked.rules.lockstep:
        yield _about_lockstep(found)
    spaces = [one.space for one in found.launches]
    raced = sorted({space.machine.layout.names[element][::2] for space in spaces for element in space.raced})
    if raced:
        first = ", ".join(f"{array}[{number}]" for array, number in raced[:3])
        more = f" and {len(raced) - 3} more" if len(raced) > 3 else ""
        yield f"Plain accesses race for {first}{more}. The answer takes them as if they were atomic."
    spun = {line for space in spaces for line in space.spun}
    for line in sorted(spun.union(plain_spins(found.kernel, {name for name, _ in raced}))):
        where = spaces[0].machine.where(line)
        yield (
            f"{where}: this loop waits on a plain read. A compiler may read only once, and then the loop never ends. "
            "Make the read atomic or volatile."
        )
    for line in counted_loops(found.kernel):
        where = spaces[0].machine.where(line)
        yield f"{where}: a counter ends this loop. Each count makes more states. The answer holds for this limit only."
