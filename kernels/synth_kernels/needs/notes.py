"""The sentences that say what there is to remark about an answer and about the source of its kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.needs.premises import raced_elements
from synth_kernels.progress.counters import counted_loops
from synth_kernels.progress.plain_spins import plain_spins
from synth_kernels.scopes import narrow_scope_reason, wider_access_reason
from synth_kernels.verdict_premises import notes_of as notes_of_kernel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.needs import Needs


def _about_lockstep(needs: Needs) -> str:
    if needs.lost is None:
        return "With independent lanes, there are too many states to say whether the answer needs lockstep."
    if not needs.lost:
        return "With independent lanes, the launches pass the same verdicts."
    return f"The answer needs lockstep: with independent lanes, a launch fails {', '.join(needs.lost)}."


def reason_of(needs: Needs) -> str:
    """Return why it is not known what launches pass, or nothing if it is."""
    narrow, wide = ([(needs.kernel, accesses)] for accesses in (needs.too_narrow, needs.of_two_widths))
    reasons = [narrow_scope_reason(narrow)] * bool(needs.too_narrow) + [wider_access_reason(wide)] * bool(
        needs.of_two_widths
    )
    return "; ".join(reasons)


def notes_of(needs: Needs) -> Iterator[str]:
    """Yield what there is to remark."""
    if needs.query.rules.lockstep:
        yield _about_lockstep(needs)
    yield from notes_of_kernel(needs.kernel)
    spaces = [launch.space for launch in needs.launches]
    spun = {line for space in spaces for line in space.spun}
    for line in sorted(spun.union(plain_spins(needs.kernel, {name for name, _ in raced_elements(needs)}))):
        where = spaces[0].machine.where(line)
        yield (
            f"{where}: this loop waits on a plain read. A compiler may read only once, and then the loop never ends. "
            "Make the read atomic or volatile."
        )
    for line in counted_loops(needs.kernel):
        where = spaces[0].machine.where(line)
        yield f"{where}: a counter ends this loop. Each count makes more states. The answer holds for this limit only."
