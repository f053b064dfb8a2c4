"""Result lines that others printed become launches of a campaign.

    results.jsonl  ->  lines, each with its number  ->  cells  ->  attempts of the campaign, with their source

Whatever prints result lines (docs/targets.md) may have made the file: `make run` of an emitted folder, a page, or the
script of a bundle. A line counts if it fits a cell, and comes from the same device as the lines before it. If it does
not count, the report has its number and the reason. A canary belongs to the attempt before it, and is no launch.

No line counts twice: a file that is known is skipped, and so is the beginning of a file that had fewer lines before.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from synth_backends.litmus_test import LitmusTest
from synth_backends.mapping import read_mapping
from synth_backends.result_line import read_line
from synth_backends.stress import read_shape
from synth_backends.target import load_target
from synth_campaigns.cells import Cell, Setting
from synth_campaigns.settings import Launches, Run, Settings
from synth_campaigns.sources import Collected, Source, put_collected, sources_of
from synth_checker.child import MOST_OUTPUT
from synth_checker.errors import InputError, excerpt
from synth_checker.programs.id_layout import thread_count
from synth_checker.programs.normal import program_of_id
from synth_devices.asking import unlike
from synth_devices.catalogue import load_device
from synth_devices.ends import launches_of
from synth_storage.refusals import as_user_errors

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from synth_backends.result_line import ResultFields
    from synth_campaigns.store import Store

_LONGEST = 1 << 30
#: What a line is about: target, test and setting.
_Key: TypeAlias = tuple[str, str, Setting]


class Refused(NamedTuple):
    """A line that does not count, and why. Lines are counted from 1."""

    line: int
    why: str


@dataclass(slots=True)
class FileReport:
    """What came of a file: how many attempts, launches and canaries it had that count, and the lines that do not.

    `is_known` says that all its lines had been collected before.
    """

    file: str
    is_known: bool = False
    attempts: int = 0
    launches: int = 0
    canaries: int = 0
    refused: list[Refused] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ResultFile:
    """A file of result lines. Its lines end with LF."""

    name: str
    data: bytes

    @property
    def digest(self) -> str:
        """The SHA-256 of the file."""
        return hashlib.sha256(self.data).hexdigest()

    def lines(self) -> list[tuple[int, bytes]]:
        """Return the lines that are not empty, each with its number."""
        return [(number, line) for number, line in enumerate(self.data.split(b"\n"), 1) if line.strip()]

    def known_lines(self, sources: Sequence[Source]) -> int:
        """Return how many lines at the beginning of the file another file had, which was collected before."""
        if any(one.digest == self.digest for one in sources):
            return self.data.count(b"\n") + 1
        known = 0
        for one in sources:
            size = one.told.get("bytes")
            if isinstance(size, int) and 0 < size <= len(self.data):
                before = self.data[:size]
                if hashlib.sha256(before).hexdigest() == one.digest:
                    # A line that was cut off there is known only if it was whole.
                    is_cut = not before.endswith(b"\n") and self.data[size : size + 1] == b"\n"
                    known = max(known, before.count(b"\n") + is_cut)
        return known


def read_file(path: Path) -> ResultFile:
    """Read a file of result lines.

    Raises:
        InputError: it cannot be read, or is empty.
    """
    with as_user_errors(path, "result lines"), path.open("rb") as file:
        data = file.read(_LONGEST)
    if not data.strip():
        msg = f"{path}: found an empty file, expected result lines"
        raise InputError(msg)
    return ResultFile(path.name, data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n"))


def collect(store: Store, settings: Settings, file: ResultFile) -> FileReport:
    """Take the lines of a file that fit a campaign.

    Raises:
        ResourceError: writing failed.
    """
    report = FileReport(file.name)
    sources = sources_of(store)
    known = file.known_lines(sources)
    lines = [(number, text) for number, text in file.lines() if number > known]
    report.is_known = not lines
    if report.is_known:
        return report
    places = _Places(store, settings)
    attempts: list[Collected] = []
    seen: dict[bytes, int] = {}
    last: int | None = None  # the place of the attempt that a canary belongs to
    for number, text in lines:
        try:
            if (bundle := bundle_of(text)) is not None:
                _check_bundle(bundle, store.meta("bundle"))
                continue
            line = _read(text)
            if "canary" in line:
                report.canaries += 1
                if last is not None:
                    attempts[last] = replace(attempts[last], canary=line["result"])
                continue
            last = None
            if any(line["seconds"]):  # no other line has the same times, to the microsecond
                _check_new(number, seen.setdefault(text, number))
            cell = places.cell_of(line)
        except InputError as error:
            report.refused.append(Refused(number, str(error).removeprefix(": ")))
            if isinstance(error, OtherBundleError):
                return FileReport(file.name, refused=report.refused)
            continue
        attempts.append(Collected(cell, line, launches_of(line), ""))
        last = len(attempts) - 1
    report.attempts = len(attempts)
    report.launches = sum(len(one.launches) for one in attempts)
    if attempts:
        told = {"bytes": len(file.data), "refused": [[one.line, one.why] for one in report.refused]}
        put_collected(store, Source("lines", file.name, file.digest, told), attempts)
    return report


class OtherBundleError(InputError):
    """A file has results of another bundle, so none of its lines fits."""


def bundle_of(text: bytes) -> str | None:
    """Return the digest in the line that the script of a bundle writes first; None for any other line."""
    if not text.startswith(b'{"bundle":'):
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return str(found.get("bundle", "")) if set(found) == {"bundle"} else None


def _check_new(number: int, first: int) -> None:
    if first != number:
        msg = f"found line {first} again, which counts once"
        raise InputError(msg)


def _read(text: bytes) -> ResultFields:
    """Read a result line.

    Raises:
        InputError: it is too long, it is no result line, or it has another number of threads than its test.
    """
    if len(text) > MOST_OUTPUT:  # a campaign would not read more of a program, either
        msg = f"found a line of {len(text):,} bytes, expected at most {MOST_OUTPUT:,}"
        raise InputError(msg)
    line = read_line(text.decode("utf-8", "replace"), "")
    if line["threads"] != thread_count(line["id"]):
        msg = f"threads: found {line['threads']}, expected {thread_count(line['id'])}, as the test has"
        raise InputError(msg)
    return line


def _check_bundle(found: str, expected: str) -> None:
    if expected and found != expected:
        msg = f"found results of the bundle {excerpt(found)!r}, expected those of {expected!r}; take the bundle of them"
        raise OtherBundleError(msg)


class _Places:
    """The cells of a campaign, by what a result line says of them, and the devices from which lines have come."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store, self._settings = store, settings
        self._cells = store.cells()
        self._numbers: dict[_Key, list[int]] = {}
        self._tests = {cell.test for cell in self._cells}
        targets = {run.device: load_device(run.device).target for run in settings.runs}
        for number, cell in enumerate(self._cells, 1):
            if not cell.busy and not cell.heading:
                self._numbers.setdefault((targets[cell.device], cell.test, cell.setting), []).append(number)

    def cell_of(self, line: ResultFields) -> int:
        """Return the number of the cell of a line.

        Raises:
            InputError: no cell fits, or the line comes from another device.
        """
        numbers = self._numbers.get(key_of(line), [])
        if not numbers:
            what = "setting" if line["id"] in self._tests else "test"
            msg = f"found {_words(line)}, but the campaign has no cell for this {what}"
            raise InputError(msg)
        wrong = ""
        for number in numbers:
            cell = self._cells[number - 1]
            wrong = self._stranger(cell, line["driver"])
            if not wrong:
                if line["driver"] and not self._store.driver(cell.device):
                    self._store.note_device(cell.device, line, {})
                return number
        raise InputError(wrong)

    def _stranger(self, cell: Cell, driver: str) -> str:
        """Say why a line does not come from the device of a cell; nothing if it does, or does not tell."""
        expected, known = self._settings.runs[cell.run].expected, self._store.driver(cell.device)
        why = unlike(driver, expected, known) if driver else ""
        return f"found the device {excerpt(driver)!r}, {why}" if why else ""


def key_of(line: ResultFields) -> _Key:
    """Return what a line is about.

    Raises:
        InputError: there is no such mapping.
    """
    shape = str(read_shape(line.get("stress_shape", "add")))
    mapping = read_mapping(line["mapping"]).name
    return line["target"], line["id"], Setting(mapping, line["instances"], line["stress"], line.get("width", 1), shape)


def campaign_of(files: Sequence[ResultFile], confirm_s: float) -> tuple[Settings, list[LitmusTest], list[Cell]]:
    """Return a campaign that has exactly the cells of which files have result lines.

    Raises:
        InputError: no line names a test, a mapping and a target.
    """
    tests: dict[str, LitmusTest] = {}
    cells: dict[_Key, int] = {}
    first = ""
    for file in files:
        for number, text in file.lines():
            try:
                if bundle_of(text) is not None:
                    continue
                line = _read(text)
                if "canary" in line:
                    continue
                load_target(line["target"])
                made = LitmusTest(line["name"], line["id"], program_of_id(line["id"]))
                key = key_of(line)
            except InputError as error:  # `collect` reports the line
                first = first or f"{file.name}:{number}: {str(error).removeprefix(': ')}"
                continue
            tests.setdefault(made.id, made)
            cells[key] = max(cells.get(key, 0), line["iterations"])
    if not cells:
        msg = first or f"{files[0].name}: found no result line, expected at least one"
        raise InputError(msg)
    targets = list(dict.fromkeys(target for target, _, _ in cells))
    runs = tuple(
        Run(f"bundle:{target}", tuple(dict.fromkeys(key[2].mapping for key in cells if key[0] == target)))
        for target in targets
    )
    settings = Settings(
        tuple(sorted(tests)), runs, Launches(count=max(cells.values()), confirm_s=confirm_s), order="as-given"
    )
    made_cells = [
        Cell(
            targets.index(target),
            f"bundle:{target}",
            test,
            len(tests[test].program),
            setting,
            busy=0,
            declared=declared,
            across=read_mapping(setting.mapping).kind.across,
        )
        for (target, test, setting), declared in cells.items()
    ]
    return settings, list(tests.values()), made_cells


def _words(line: ResultFields) -> str:
    return (
        f"{excerpt(line['id'])} under {line['mapping']} with {line['instances']} instances, {line['stress']} stressing "
        f"workgroups and the target {excerpt(line['target'])}"
    )
