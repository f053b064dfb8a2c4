"""Where nobody sees flags during a launch, time alone must tell a hang from a slow launch.

A hang that was waited for counts *by time* only if slowness does not explain it. That takes other launches of the same
test on the same device under the same mapping, with the same stress:

- The *control* is the test without its waiting: each jump backwards goes on to the next instruction. With the same
  number of instances, it must end in a tenth of the time that the hang was waited for.
- The hang must be there at three *sizes*, which are numbers of instances. The smallest of them is one instance. Or it
  is a larger size, and at least half as many instances ended in a hundredth of the time. Such a hang comes from how
  many workgroups run at once. Slowness that grows with the number of workgroups is not so steep.

A run asks for these launches by itself: `next_cell` is the next cell that it needs. The mapping `plain` is that of one
instance under `round-robin`, so its other sizes are those.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from synth_campaigns.cell_result import ByTime
from synth_checker.programs.normal import program_of_id, written_out
from synth_checker.programs.program import Program, Thread

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_campaigns.cell_result import CellResult
    from synth_campaigns.cells import Cell

#: The control must end within this part of the time that was waited for, and half of the smallest size within that.
_QUICK, _AT_ONCE = 0.1, 0.01
#: At so many sizes a hang must be there.
_SIZES = 3
#: How many launches a cell has that the campaign does not declare, and how many such cells one hang gets at most.
_LAUNCHES, _MOST_CELLS = 5, 30
#: How many times as many instances the next size has that is looked at, and the mapping of sizes beside `plain`.
_STEP, _BESIDE_PLAIN = 8, "round-robin"


def control_of(test: str) -> str:
    """Return the id of a test without its waiting: each jump backwards goes on to the next instruction."""
    return written_out(
        Program(
            tuple(
                Thread(
                    tuple(
                        replace(instruction, target=max(instruction.target, pc + 1))
                        for pc, instruction in enumerate(thread)
                    )
                )
                for thread in program_of_id(test)
            )
        )
    )


def control_cell(cell: Cell) -> Cell:
    """Return the cell that launches the test of another cell without its waiting, in the same setting."""
    return _cell(cell, "control", control_of(cell.test), cell.setting.instances)


def with_time_evidence(cells: Sequence[CellResult]) -> list[CellResult]:
    """Return the results of a device, in which hangs by time count as confirmed where slowness does not explain them.

    Where they do not count, `doubt` says why. It also says if a cell hung only directly after launches that did not
    end.
    """
    known = _grouped(cells)
    return [_with_time_evidence(cell, known) for cell in cells]


def next_cell(result: CellResult, cells: Sequence[CellResult]) -> Cell | None:
    """Return the next cell that a hang by time needs to count, or None if it counts or never will.

    `cells` are all results of the device.
    """
    known = _grouped(cells)
    cell, controls, alike = result.cell, _controls(result, known), known[_group(result.cell)]
    if not result.alone or not result.timed or not cell.setting.instances or result.by_time:
        return None
    if not any(map(_is_tried, controls)):
        return control_cell(cell)
    tried = {other.cell.setting.instances for other in alike if _is_tried(other)}
    if _control_s(result, controls) is None or sum(bool(other.cell.purpose) for other in alike) > _MOST_CELLS:
        return None
    size = _next_size(result, alike)
    return None if size is None or size in tried else _cell(cell, "size", cell.test, size)


def _with_time_evidence(result: CellResult, known: dict[object, list[CellResult]]) -> CellResult:
    if result.is_published or not (result.confirmed or result.timed):
        return result
    if not result.alone:
        ended = result.outcomes.get("ended", 0) + result.beyond.get("ended", 0)
        other = f"{ended} other launch{'es' if ended > 1 else ''} ended"
        why = f"and {other}, so it is order-dependent" if ended else "and was not launched otherwise"
        return replace(result, confirmed=0, doubt=f"it hung only directly after launches that did not end, {why}")
    if result.confirmed and (result.decides or result.seen_alone):
        return result
    by_time = _by_time(result, known)
    if isinstance(by_time, str):
        return replace(result, confirmed=0, doubt=f"nobody sees flags, and slowness may be the reason: {by_time}")
    return replace(result, confirmed=result.confirmed + result.timed, by_time=by_time)


def _by_time(result: CellResult, known: dict[object, list[CellResult]]) -> ByTime | str:
    """Return why slowness does not explain a hang, or what is missing for that."""
    controls, control = _controls(result, known), f"{control_of(result.cell.test)}, the test without its waiting,"
    control_s = _control_s(result, controls)
    if not result.cell.setting.instances:
        return "nobody knows how many instances ran at once"
    if control_s is None:
        wrong = next((", ".join(other.trouble) for other in controls if other.went_wrong and not other.hung), "")
        why = "did not end quickly either" if any(map(_is_tried, controls)) else "was not launched in this setting"
        return f"{control} {f'did not end: {wrong}' if wrong else why}"
    alike, most = known[_group(result.cell)], _AT_ONCE * (result.waited or 0.0)
    hung, ended = _hung(alike), _ended(alike)
    quick = [size for size, seconds in ended.items() if 2 * size >= hung[0] > size and seconds <= most]
    if len(hung) < _SIZES:
        return f"{instances_words(hung)} hung at once, expected three numbers of instances"
    if hung[0] > 1 and not quick:
        return f"{instances_words(hung)} hung at once, but half as many as the fewest did not end in a moment"
    waited = min(other.waited or 0.0 for other in alike if _counts(other))
    return ByTime(control_s, waited, hung, max(quick, default=None))


def _next_size(result: CellResult, alike: Sequence[CellResult]) -> int | None:
    """Return the next number of instances to look at, or None if slowness may explain the hang."""
    most, hung, ended = result.cell.setting.instances, _hung(alike), _ended(alike)
    least = min(hung, default=most)
    for size in (size for size in ended if size < least):
        if ended[size] > _AT_ONCE * (result.waited or 0.0):
            return None
    below = max((size for size in ended if size < least), default=0)
    step = 1 if not below else below * _STEP
    if step < least and step not in ended:
        return step
    if below and 2 * below < least:
        return max(below + 1, math.isqrt(below * least))
    if len(hung) >= _SIZES:
        return None
    others = (math.isqrt(least * most), (below + least) // 2, *(most * _STEP**power for power in range(1, _SIZES)))
    return next((size for size in others if size > below and size not in hung), None)


def _is_tried(result: CellResult) -> bool:
    return bool(result.counted or result.went_wrong)


def _hung(alike: Sequence[CellResult]) -> tuple[int, ...]:
    """Return the sizes at which a test hung and was waited for."""
    return tuple(sorted({result.cell.setting.instances for result in alike if _counts(result)}))


def _counts(result: CellResult) -> bool:
    """Whether a hang was waited for where nobody sees flags, and did not only come directly after another one."""
    return bool(result.timed and result.alone)


def _ended(alike: Sequence[CellResult]) -> dict[int, float]:
    """Return the sizes at which all launches of a test ended, each with the seconds of the longest one."""
    longest: dict[int, float] = {}
    for cell_result in alike:
        if (
            cell_result.counted
            and not cell_result.hung
            and not cell_result.went_wrong
            and cell_result.longest is not None
        ):
            size = cell_result.cell.setting.instances
            longest[size] = max(longest.get(size, 0.0), cell_result.longest)
    hung = {result.cell.setting.instances for result in alike if result.hung}
    return {size: longest[size] for size in sorted(longest) if size not in hung}


def _controls(result: CellResult, known: dict[object, list[CellResult]]) -> list[CellResult]:
    like = known.get(_group(replace(result.cell, test=control_of(result.cell.test))), [])
    return [other for other in like if other.cell.setting.instances == result.cell.setting.instances]


def _control_s(result: CellResult, controls: Sequence[CellResult]) -> float | None:
    """Return the seconds of the longest launch of the controls if all ended quickly, otherwise None."""
    longest = [other.longest for other in controls if other.counted]
    is_well = longest and not any(other.hung or other.went_wrong for other in controls)
    if not is_well or any(seconds is None or seconds > _QUICK * (result.waited or 0.0) for seconds in longest):
        return None
    return max(seconds for seconds in longest if seconds is not None)


def _grouped(cells: Sequence[CellResult]) -> dict[object, list[CellResult]]:
    groups: dict[object, list[CellResult]] = {}
    for cell in cells:
        groups.setdefault(_group(cell.cell), []).append(cell)
    return groups


def _group(cell: Cell) -> tuple[object, ...]:
    """Return what cells have in common that differ only in their number of instances."""
    setting = cell.setting
    mapping = _BESIDE_PLAIN if setting.mapping == "plain" else setting.mapping
    return cell.test, mapping, setting.stress, setting.stress_shape, setting.width, cell.busy, cell.across


def _cell(cell: Cell, purpose: str, test: str, instances: int) -> Cell:
    mapping = cell.setting.mapping
    if mapping == "plain" and instances > 1:
        mapping = _BESIDE_PLAIN
    setting = replace(cell.setting, mapping=mapping, instances=instances)
    declared = min(cell.declared, _LAUNCHES)
    return replace(cell, test=test, setting=setting, declared=declared, purpose=purpose)  # type: ignore[arg-type]


def instances_words(sizes: Sequence[int]) -> str:
    """Return numbers of instances in words, such as `1, 8 and 64 instances`."""
    words = [f"{size:,}" for size in sizes]
    numbers = f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]
    return f"{numbers} instance{'' if tuple(sizes) == (1,) else 's'}"
