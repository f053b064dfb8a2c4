"""The text of `synth campaign next`: what a device may guarantee, what to launch next, and why."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from synth_documents.lines import printable
from synth_documents.phrases import count, listed
from synth_documents.readable import duration

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_analysis.answers.advice import DeviceAdvice, PossibleGuarantee

#: At most so many hypotheses are shown, and none that is less probable than this. The others are only counted.
_MOST_SHOWN, _LEAST_SHOWN = 6, 0.01


@printable
def advice_lines(advice: DeviceAdvice) -> Iterator[str]:
    """Yield lines about one device: how probable each hypothesis is, and the best next launches with the reason."""
    yield f"{advice.device}: {advice.driver or 'nothing was launched yet'}"
    also = f", and what {listed(advice.earlier)} did" if advice.earlier else ""
    yield f"After {count(advice.launches, 'launch')}{also}, the device probably guarantees:"
    shown = [hypothesis for hypothesis in advice.hypotheses if hypothesis.probability >= _LEAST_SHOWN][:_MOST_SHOWN]
    for hypothesis in shown:
        yield f"  {hypothesis.probability:6.1%}  {_named(hypothesis)}"
    if rest := len(advice.hypotheses) - len(shown):
        unlikely = 1 - sum(hypothesis.probability for hypothesis in shown)
        yield f"  {unlikely:6.1%}  {'one' if rest == 1 else f'one of {rest}'} other{'' if rest == 1 else 's'}"
    best = advice.proposals[0]
    launches = count(best.launches, "launch")
    yield f"Next: {launches} of {best.test}, {best.name}, under {best.mapping}"
    yield (
        f"  This test passes {listed(best.passes)}. So it must end if the device guarantees "
        f"{'this' if len(best.passes) == 1 else 'one of these'} or more."
    )
    yield f"  It fails {listed(best.fails)}. So it may hang if the device guarantees no more."
    yield (
        f"  It hangs with a probability of {best.hangs:.0%}. So the launches answer {best.bits:.2f} of the "
        f"{advice.open_bits:.2f} bits that are open."
    )
    command = (
        f": synth campaign run --device {shlex.quote(advice.device)} --mapping {best.mapping} "
        f"--launches {best.launches} {best.test} --out next.campaign"
    )
    yield f"  They take {_seconds(best.seconds)}{command if advice.is_here else ''}"


def _named(hypothesis: PossibleGuarantee) -> str:
    return ", or ".join(listed(names) if names != ("unfair",) else "nothing" for names in hypothesis.guarantees)


def _seconds(seconds: float) -> str:
    return f"about {duration(seconds)}" if seconds >= 0.1 else "less than 0.1 s"
