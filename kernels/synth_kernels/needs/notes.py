"""The sentences that say what there is to remark about an answer and about the source of its kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.needs.premises import raced_in
from synth_kernels.progress.counters import counted_loops
from synth_kernels.progress.plain_spins import plain_spins
from synth_kernels.scopes import narrow_scope_reason, wider_access_reason
from synth_kernels.verdict_premises import notes_of as notes_of_kernel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.needs import Needs


def _about_lockstep(found: Needs) -> str:
    if found.lost is None:
        return "With independent lanes, there are too many states to say whether the answer needs lockstep."
    if not found.lost:
        return "With independent lanes, the launches pass the same verdicts."
    return f"The answer needs lockstep: with independent lanes, a launch fails {', '.join(found.lost)}."


def reason_of(found: Needs) -> str:
    """Return why it is not known what launches pass, or nothing if it is."""
    narrow, wide = ([(found.kernel, some)] for some in (found.too_narrow, found.of_two_widths))
    reasons = [narrow_scope_reason(narrow)] * bool(found.too_narrow) + [wider_access_reason(wide)] * bool(
        found.of_two_widths
    )
    return "; ".join(reasons)


def notes_of(found: Needs) -> Iterator[str]:
    """Yield what there is to remark."""
    if found.asked.rules.lockstep:
        yield _about_lockstep(found)
    yield from notes_of_kernel(found.kernel)
    spaces = [launch.space for launch in found.launches]
    spun = {line for space in spaces for line in space.spun}
    for line in sorted(spun.union(plain_spins(found.kernel, {name for name, _ in raced_in(found)}))):
        where = spaces[0].machine.where(line)
        yield (
            f"{where}: this loop waits on a plain read. A compiler may read only once, and then the loop never ends. "
            "Make the read atomic or volatile."
        )
    for line in counted_loops(found.kernel):
        where = spaces[0].machine.where(line)
        yield f"{where}: a counter ends this loop. Each count makes more states. The answer holds for this limit only."
