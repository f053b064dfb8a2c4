"""What the launches of campaigns say about the verdicts of a device.

For a verdict, only *admissible* cells count (`telling_verdicts`): a device that keeps the promise never hangs there.
The claim is one of four:

- *violates*: some cells have a confirmed hang. These are the witnesses. Those under the mapping `plain` come first, and
  then those with the smallest tests.
- *consistent with*: nothing hung, nothing went wrong, and each cell has all the launches that it needs.
- *inconclusive*: there is no witness, but some launch hung, some are missing, or something went wrong. The claim says
  where.
- *not tested*: no launch of such a cell ended or hung.

If a launch anywhere on the device left early, its driver is wrong, and whatever was launched is *inconclusive*.

If launches of the device were deleted, no hang counts as confirmed. A launch that is gone may have shown that a launch
may take as long and end, or that the driver is wrong.

No claim says that a device keeps a promise for sure. On a device with relaxed memory, the memory may cause a hang of a
test with two locations. Such a hang alone never makes a claim *violates*.

A caller may add sharper evidence: cells whose test fails a verdict, but in which who had finished speaks against it.
These cells are witnesses of their own kind.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from synth_campaigns.intervals import simultaneous_end, upper_end
from synth_campaigns.transfer import transfer_of
from synth_checker.models import library, verdict_names, verdicts_in
from synth_checker.programs.normal import program_of_id
from synth_checker.verdicts import judge

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from synth_campaigns.cell_result import CellResult
    from synth_campaigns.cells import Cell
    from synth_checker.models import Model

Status: TypeAlias = Literal["violates", "consistent with", "inconclusive", "not tested"]


@dataclass(frozen=True, slots=True)
class Claim:
    """What the launches on a device say about one verdict.

    - `cells` are those that are admissible, and `launches` is how many of their launches ended or hung.
    - `witnesses` are the cells with a confirmed hang that counts against the verdict, the most telling first.
    - `bound` is the upper end of the 95 % interval of the rate of hangs, in the cell where it is highest. It is None
      unless the claim is *consistent with*.
    - `because` says why the claim is *inconclusive*, and names the first cell with trouble. If it is *not tested*, it
      says what went wrong, if something did. It is empty for other claims.
    - `simultaneous` is, with 95 % confidence, a bound for the rates of all cells at once. It is None where `bound` is.
    - `troubled` are the cells that keep the claim from being *consistent with*, other than witnesses.
    - `relaxed_witnesses` are the cells with a confirmed hang that the relaxed memory may have caused.
    - `pattern_witnesses` are cells whose test fails the verdict, but who had finished in a hang speaks against it.
    """

    verdict: str
    status: Status
    cells: tuple[CellResult, ...]
    launches: int
    witnesses: tuple[CellResult, ...]
    bound: float | None
    because: str
    simultaneous: float | None = None
    troubled: tuple[CellResult, ...] = ()
    relaxed_witnesses: tuple[CellResult, ...] = ()
    pattern_witnesses: tuple[CellResult, ...] = ()

    @property
    def is_published(self) -> bool:
        """Whether all that the claim is made of was published by others."""
        return bool(self.cells) and all(cell.is_published for cell in self.cells)

    @property
    def tests(self) -> int:
        """How many different tests the cells have."""
        return len({cell.cell.test for cell in self.cells})


def telling_verdicts(cell: Cell, passed: frozenset[str], models: tuple[Model, ...] | None = None) -> frozenset[str]:
    """Return the verdicts of a device about which a cell tells: a hang of the cell speaks against them.

    `passed` are the verdicts that the test passes. These verdicts must also hold of the whole launch, see
    `transfer`. Verdicts speak of workgroups, so each thread of the test needs a workgroup.
    """
    if cell.across != "workgroups":
        return frozenset()
    return frozenset(
        name
        for model in (library() if models is None else models)
        for form, name in zip(model.forms, model.verdicts, strict=True)
        if name in passed and transfer_of(cell, model, form).holds
    )


def claims_of(
    results: Sequence[CellResult],
    models: tuple[Model, ...] | None = None,
    sharper: Mapping[tuple[str, int], frozenset[str]] | None = None,
) -> list[Claim]:
    """Return a claim for each verdict of some models, in their order. By default, these are the models of the paper.

    `sharper` may have verdicts that hangs of a cell speak against by who had finished, by campaign and number of cell.
    """
    models = library() if models is None else models
    if any(result.is_cut for result in results):
        results, sharper = [replace(result, confirmed=0, doubt="launches were deleted") for result in results], {}
    passes = passed_verdicts({result.cell.test for result in results}, models)
    names_of_results = [(result, telling_verdicts(result.cell, passes[result.cell.test], models)) for result in results]
    early = next((result for result in results if result.outcomes.get("left early")), None)
    patterns = [
        (result, (sharper or {}).get((result.campaign, result.number), frozenset()) - names)
        for result, names in names_of_results
    ]
    return [
        _claim(
            name,
            [cell_result for cell_result, names in names_of_results if name in names],
            [cell_result for cell_result, names in patterns if name in names],
            early,
        )
        for name in verdict_names(models)
    ]


def passed_verdicts(tests: Iterable[str], models: tuple[Model, ...] | None = None) -> dict[str, frozenset[str]]:
    """Return the verdicts of some models that each test passes, by id."""
    models = library() if models is None else models
    ids = sorted(tests)
    masks = judge(ids, models) if ids else []
    return {id_: frozenset(verdicts_in(mask, models)) for id_, mask in zip(ids, masks, strict=True)}


def may_be_of_memory(cell: Cell, *, is_relaxed: bool) -> bool:
    """Return whether the memory of a device, and not its scheduler, may be why a cell hung.

    `is_relaxed` says that the memory has no order between locations, or that nobody knows.
    """
    return is_relaxed and program_of_id(cell.test).locations() > 1


def _claim(
    verdict: str, cells: Sequence[CellResult], patterns: Sequence[CellResult], early: CellResult | None
) -> Claim:
    """Return the claim about a verdict.

    `patterns` are the cells that speak against it by who had finished. `early` is a cell of the device that left early,
    if there is one.
    """
    launches = sum(cell.counted for cell in cells)
    relaxed = [cell for cell in cells if cell.confirmed and is_of_memory(cell)]
    witnesses = [cell for cell in cells if cell.confirmed and not is_of_memory(cell)]
    troubled = [cell for cell in cells if (cell.trouble or cell.hung) and (not cell.confirmed or is_of_memory(cell))]
    because, bound, simultaneous = "", None, None
    status: Status
    if not launches and not patterns:
        status = "not tested"
        because = next((_named(cell) for cell in cells if cell.went_wrong), "")
    elif early:
        status = "inconclusive"
        because = f"the driver is wrong: {_named(early)}"
    elif witnesses or patterns:
        status = "violates"
    elif troubled:
        status = "inconclusive"
        because = _named(troubled[0])
    else:
        status = "consistent with"
        fewest = min(cell.counted for cell in cells)
        bound, simultaneous = upper_end(fewest), simultaneous_end(fewest, len(cells))
    return Claim(
        verdict, status, tuple(cells), launches, tuple(sorted(witnesses, key=_by_telling)), bound, because,
        simultaneous, tuple(troubled), tuple(sorted(relaxed, key=_by_telling)), tuple(sorted(patterns,
        key=_by_telling)),
    )  # fmt: skip


def trouble_words(result: CellResult) -> str:
    """Say what keeps a cell with trouble, or with hangs that are no witness, from a claim of consistency."""
    why = result.doubt or "no hang is confirmed"
    if result.confirmed and is_of_memory(result):
        why = "perhaps because of the memory, which is relaxed or of unknown order"
    hung = [f"{result.hung} hung, but {why}"] if result.hung else []
    return ", ".join([*hung, *result.trouble])


def _named(result: CellResult) -> str:
    return f"{result.cell.test} under {result.cell.setting.mapping}: {trouble_words(result)}"


def _by_telling(result: CellResult) -> tuple[bool, int, int, float, str]:
    """The most telling witness is first in this order."""
    cell = result.cell
    return cell.setting.mapping != "plain", len(cell.test), cell.threads, -result.hung / result.counted, cell.test


def is_of_memory(result: CellResult) -> bool:
    """Whether the memory, and not the scheduler, may be why a cell hung."""
    return may_be_of_memory(result.cell, is_relaxed=result.is_relaxed)
