"""The text of `synth campaign compare`: which cells changed, and which change would have been found in the others."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from synth_analysis.cell_comparison import LEVEL
from synth_analysis.power import POWER
from synth_documents.lines import printable
from synth_documents.phrases import count

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from synth_analysis.cell_comparison import CellPair
    from synth_analysis.tables.comparison import CampaignComparison
    from synth_campaigns.cell_result import CellResult

#: So many kinds of unchanged cells are shown, those with the most cells.
_MOST_KINDS = 5


@printable
def comparison_lines(compared: CampaignComparison) -> Iterator[str]:
    """Yield lines about both sides, about each cell that changed, and about the power for the others."""
    comparison = compared.comparison
    loads = _loads(comparison.pairs)
    for side, devices, load in zip(("before", "after"), (compared.before, compared.after), loads, strict=True):
        for device, driver in devices:
            yield f"{side + ':':7} {device}: {driver or 'nothing was launched yet'}{load}"
    changed = comparison.changed
    total = len(comparison.pairs)
    yield f"{len(changed)} of {count(total, 'cell')} changed"
    for pair in changed:
        yield f"  {_pair(pair)}"
    if len(changed) < total:
        yield f"In an unchanged cell, a change would have been found with a probability of {POWER:.0%}"
        yield from _powers([pair for pair in comparison.pairs if not pair.is_changed])
    yield (
        f"By Fisher's exact test, with Holm's correction for {count(comparison.corrected, 'cell')} that could have "
        f"shown a change; if nothing changed, it finds one with a probability of at most {LEVEL:.0%}"
    )
    for number, what in zip(
        (*comparison.unmatched, comparison.unknown),
        ("only before", "only after", "on both sides, but without launches or numbers on one of them"),
        strict=True,
    ):
        if number:
            yield f"not compared: {count(number, 'cell')} {what}"


def _loads(pairs: Sequence[CellPair]) -> tuple[str, str]:
    """Return how many processes kept the processors busy on each side, if the sides differ in that."""
    if not pairs:
        return "", ""
    before, after = _busy(pair.before for pair in pairs), _busy(pair.after for pair in pairs)
    return ("", "") if before == after else (before, after)


def _busy(cells: Iterable[CellResult]) -> str:
    *most, last = sorted({cell.cell.busy for cell in cells})
    return f", beside {''.join(f'{number} or ' for number in most)}{count(last, 'busy process')}"


def _pair(pair: CellPair) -> str:
    cell = pair.before.cell
    rates = " and then in ".join(f"{rate.hung} of {rate.counted}" for rate in (pair.before, pair.after))
    return f"{cell.test} under {cell.setting.mapping} hung in {rates} launches, p = {pair.corrected:.2g}"


def _powers(pairs: list[CellPair]) -> Iterator[str]:
    """Yield a line for each kind of cells: those with the same numbers of launches and hangs before."""
    kinds = Counter(
        (pair.before.hung, pair.before.counted, pair.after.counted, pair.power) for pair in pairs
    ).most_common()
    for (hung, before, after, power), number in kinds[:_MOST_KINDS]:
        ways = [
            *([f"to at least {power.above:.1%}"] if power.above is not None else []),
            *([f"to at most {power.below:.1%}"] if power.below is not None else []),
        ]
        change = f"a change {' or '.join(ways)}" if ways else "no change"
        yield f"  {count(number, 'cell')}, {hung} of {before} hung before, {count(after, 'launch')} after: {change}"
    rest = kinds[_MOST_KINDS:]
    if rest:
        cells = count(sum(number for _, number in rest), "cell")
        yield f"  {cells} with other numbers; --json has the power of each"
