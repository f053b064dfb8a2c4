"""Result lines that others printed become launches of a campaign.

    results.jsonl  ->  lines, each with its number  ->  cells  ->  attempts of the campaign, with their source

Whatever prints result lines (docs/look-up/targets.md) may have made the file: `make run` of an emitted folder, a page,
or the script of a bundle. A line counts if it fits a cell, and comes from the same device as the lines before it. If
it does not count, the report has its number and the reason. A canary belongs to the attempt before it, and is no
launch.

No line counts twice: a file that is known is skipped, and so is the beginning of a file that had fewer lines before.
Another file may have the same lines. A line whose launches the campaign has already is refused, if it tells how long
they took.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from synth_campaigns.attempts import attempts_of, print_of
from synth_campaigns.result_files import bundle_of, key_of, read_result
from synth_campaigns.sources import CollectedAttempt, Source, put_collected, sources_of
from synth_checker.errors import InputError, excerpt
from synth_devices.catalogue import load_device
from synth_devices.identification import driver_mismatch, order_mismatch
from synth_devices.raw_ends import launches_of

if TYPE_CHECKING:
    from collections.abc import Hashable
    from collections.abc import Set as AbstractSet

    from synth_backends.result_line import ResultFields
    from synth_campaigns.cells import Cell
    from synth_campaigns.result_files import Key, ResultFile
    from synth_campaigns.settings import Settings
    from synth_campaigns.store import Store


class RefusedLine(NamedTuple):
    """A line that does not count, and why. Lines are counted from 1."""

    line: int
    why: str


@dataclass(slots=True)
class FileReport:
    """What came of a file: how many attempts, launches and canaries it had that count, and the lines that do not.

    `known` says that all its lines had been collected before.
    """

    file: str
    known: bool = False
    attempts: int = 0
    launches: int = 0
    canaries: int = 0
    refused: list[RefusedLine] = field(default_factory=list)


def collect(store: Store, settings: Settings, file: ResultFile) -> FileReport:
    """Take the lines of a file that fit a campaign.

    Raises:
        ResourceError: writing failed.
    """
    report = FileReport(file.name)
    sources = sources_of(store)
    known_lines = file.known_lines(sources)
    lines = [(number, text) for number, text in file.lines() if number > known_lines]
    report.known = not lines
    if report.known:
        return report
    places = _Places(store, settings)
    launched = {
        (attempt.cell, attempt.print)
        for device in places.devices
        for attempt, _ in attempts_of(store, device, has_prints=True)
    }
    attempts: list[CollectedAttempt] = []
    first_lines: dict[bytes, int] = {}
    last: int | None = None  # the place of the attempt that a canary belongs to
    for number, text in lines:
        try:
            if (bundle := bundle_of(text)) is not None:
                _check_bundle(bundle, store.meta("bundle"))
                continue
            line = read_result(text)
            if "canary" in line:
                report.canaries += 1
                if last is not None:
                    attempts[last] = replace(attempts[last], canary=line["result"])
                continue
            last = None
            launches = launches_of(line)
            is_timed = any(line["seconds"])  # no other line has the same text then
            _check_first(number, first_lines.setdefault(text, number) if is_timed else number)
            cell = places.cell_of(line)
            _check_new((cell, print_of(line["target"], launches)), launched)
        except InputError as error:
            report.refused.append(RefusedLine(number, str(error).removeprefix(": ")))
            if isinstance(error, OtherBundleError):
                return FileReport(file.name, refused=report.refused)
            continue
        attempts.append(CollectedAttempt(cell, line, launches, ""))
        last = len(attempts) - 1
    report.attempts = len(attempts)
    report.launches = sum(len(attempt.launches) for attempt in attempts)
    if attempts:
        report_fields = {
            "bytes": len(file.data),
            "refused": [[refused.line, refused.why] for refused in report.refused],
        }
        put_collected(store, Source("lines", file.name, file.digest, report_fields), attempts)
    return report


class OtherBundleError(InputError):
    """A file has results of another bundle, so none of its lines fits."""


def _check_first(number: int, first: int) -> None:
    if first != number:
        raise InputError(f"found line {first} again, which counts once")


def _check_new(print_: tuple[int, Hashable], launched: AbstractSet[tuple[int, Hashable]]) -> None:
    if print_[1] is not None and print_ in launched:
        raise InputError("found launches that the campaign has already, which count once")


def _check_bundle(digest: str, expected: str) -> None:
    if expected and digest != expected:
        raise OtherBundleError(
            f"found results of the bundle {excerpt(digest)!r}, expected those of {expected!r}; take the bundle of them"
        )


class _Places:
    """The cells of a campaign, by what a result line says of them, and the devices from which lines have come."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store, self._settings = store, settings
        self._cells = store.cells()
        self._numbers: dict[Key, list[int]] = {}
        self._tests = {cell.test for cell in self._cells}
        self.devices = {cell.device for cell in self._cells}
        targets = {run.device: load_device(run.device).target for run in settings.runs}
        for number, cell in enumerate(self._cells, 1):
            if not cell.busy and not cell.heading:
                key = (targets[cell.device], cell.test, cell.setting, cell.purpose)
                self._numbers.setdefault(key, []).append(number)

    def cell_of(self, line: ResultFields) -> int:
        """Return the number of the cell of a line.

        Raises:
            InputError: no cell fits, or the line comes from another device.
        """
        numbers = self._numbers.get(key_of(line), [])
        if not numbers:
            what = "setting" if line["id"] in self._tests else "test"
            raise InputError(f"found {_words(line)}, but the campaign has no cell for this {what}")
        wrong = ""
        for number in numbers:
            cell = self._cells[number - 1]
            wrong = self._stranger(cell, line)
            if not wrong:
                if line["driver"] and not self._store.driver(cell.device):
                    self._store.note_device(cell.device, line, {})
                return number
        raise InputError(wrong)

    def _stranger(self, cell: Cell, line: ResultFields) -> str:
        """Say why a line does not come from the device of a cell; nothing if it does, or does not tell."""
        driver = line["driver"]
        expected, known = self._settings.runs[cell.run].expected, self._store.driver(cell.device)
        why = driver_mismatch(driver, expected, known) if driver else ""
        if why:
            return f"found the device {excerpt(driver)!r}, {why}"
        return order_mismatch(line["order"], self._store.order(cell.device)) if driver and known else ""


def _words(line: ResultFields) -> str:
    return (
        f"{excerpt(line['id'])} under {line['mapping']} with {line['instances']} instances, {line['stress']} stressing "
        f"workgroups and the target {excerpt(line['target'])}"
    )
