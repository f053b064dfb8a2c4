"""What a campaign holds, for other programs: a line of JSON for each launch, or the result lines of its attempts.

A result line (docs/look-up/targets.md) has no place for busy processes, and a published table has no attempts. So
result lines leave out the cells of both. `synth campaign collect` reads the others again.
"""

from __future__ import annotations

import json
import operator
from collections import Counter
from typing import TYPE_CHECKING, NotRequired, TypedDict, cast

from synth_backends.mapping import Across  # noqa: TC001  (a schema is made of the types below)
from synth_backends.result_line import FORMAT, Purpose, ResultFields
from synth_campaigns.claims import passed_verdicts
from synth_campaigns.sources import tallies_of
from synth_checker.models import library, verdict_names
from synth_devices.raw_ends import END_OF_WORD, RawEnd

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Literal

    from synth_campaigns.cells import Cell
    from synth_campaigns.queries import StoredLaunch
    from synth_campaigns.store import Store
    from synth_devices.raw_ends import LaunchEnd

_WORD_OF_END: Mapping[str, str] = {end: word for word, end in END_OF_WORD.items()}


class LaunchLine(TypedDict):
    """A launch with its cell; or, with `launches`, so many launches of which only the number is known.

    `is_least` says that there may have been more. `row` and `heading` name the place in a published table. `purpose` is
    why a cell was launched that the campaign does not declare.
    """

    device: str
    driver: str
    cell: int
    test: str
    name: str
    mapping: str
    instances: int
    stress: int
    stress_shape: str
    width: int
    busy: int
    across: Across
    row: NotRequired[str]
    heading: NotRequired[str]
    purpose: NotRequired[Purpose]
    launches: NotRequired[int]
    is_least: NotRequired[bool]
    attempt: NotRequired[int]
    number: NotRequired[int]
    target: NotRequired[str]
    compiler: NotRequired[str]
    time: NotRequired[str]
    load_before: NotRequired[float | None]
    load_after: NotRequired[float | None]
    timeout_s: float | None
    end: RawEnd
    seconds: NotRequired[float | None]
    quiet_s: NotRequired[float | None]
    started: NotRequired[dict[str, int]]
    finished: NotRequired[dict[str, int]]
    code: NotRequired[str]
    reason: NotRequired[str]
    canary: NotRequired[str]


def launch_lines(store: Store) -> Iterator[LaunchLine]:
    """Yield a line for each launch that counts, by cell."""
    names, tallies = store.tests(), tallies_of(store)
    drivers: dict[str, str] = {}
    for number, cell in enumerate(store.cells(), 1):
        driver = drivers.setdefault(cell.device, store.driver(cell.device))
        beginning = _beginning(number, cell, names[cell.test], driver)
        for tally in tallies.get(number, []):
            counted = {"launches": tally.launches, "is_least": tally.is_least}
            yield cast("LaunchLine", {**beginning, **counted, "timeout_s": tally.timeout, "end": tally.end})
        attempts = _attempts(store, number)
        for stored in store.launches(number):
            target, compiler, time, before, after = attempts[stored.attempt]
            launch = stored.launch
            more = {
                "attempt": stored.attempt,
                "number": stored.number,
                "target": target,
                "compiler": compiler,
                "time": time,
                "load_before": before,
                "load_after": after,
                "timeout_s": stored.timeout,
                "end": launch.end,
                "seconds": launch.seconds,
                "quiet_s": launch.quiet_s,
                "started": dict(launch.started),
                "finished": dict(launch.finished),
                "code": launch.code,
                "reason": launch.reason,
                "canary": stored.canary,
            }
            yield cast("LaunchLine", {**beginning, **more})


def result_lines(store: Store) -> Iterator[ResultFields]:
    """Yield the result line of each attempt in the order of the attempts, but not those of canaries."""
    lines: list[tuple[int, ResultFields]] = []
    cells, names = store.cells(), store.tests()
    passes = passed_verdicts({cell.test for cell in cells})
    verdicts = verdict_names(library())
    for number, cell in enumerate(cells, 1):
        if cell.busy:
            continue
        by_attempt: dict[int, list[StoredLaunch]] = {}
        for launch in store.launches(number):
            by_attempt.setdefault(launch.attempt, []).append(launch)
        attempts = _attempts(store, number)
        expected: dict[str, Literal["pass", "fail"]] = {
            name: "pass" if name in passes[cell.test] else "fail" for name in verdicts
        }
        counted: Counter[str] = Counter()
        for attempt, launches in by_attempt.items():
            ends = [launch.launch for launch in launches]
            is_run = ends[-1].end != "failed"
            counted["process"] += 1
            counted["launches"] += len(ends) if is_run else 0
            target, compiler, *_ = attempts[attempt]
            line = {
                "format": FORMAT,
                "id": cell.test,
                "name": names[cell.test],
                "target": target,
                "mapping": cell.setting.mapping,
                "threads": cell.threads,
                "instances": cell.setting.instances,
                "stress": cell.setting.stress,
                "workgroups": cell.workgroups,
                "width": cell.setting.width,
                "iterations": cell.declared,
                "timeout_s": launches[0].timeout,
                "synth": _release(compiler) or store.meta("synth"),
                "order": store.order(cell.device),
                "expected": expected,
                "driver": store.driver(cell.device),
                "device": store.told(cell.device),
                "process": counted["process"],
                "result": _WORD_OF_END[ends[-1].end],
                "iteration": counted["launches"],
                "seconds": [end.seconds for end in ends] if is_run else [],
                "started": dict(ends[-1].started),
                "finished": dict(ends[-1].finished),
            }
            shape = {"stress_shape": cell.setting.stress_shape} if cell.setting.stress else {}
            purpose = {"purpose": cell.purpose} if cell.purpose else {}
            lines.append((attempt, cast("ResultFields", {**line, **shape, **purpose, **_more(ends[-1])})))
    yield from (line for _, line in sorted(lines, key=operator.itemgetter(0)))


def text_of_line(line: Mapping[str, object]) -> str:
    """Return a line of JSON, in ASCII."""
    return json.dumps(line, separators=(",", ":")) + "\n"


def _beginning(number: int, cell: Cell, name: str, driver: str) -> dict[str, object]:
    place: dict[str, object] = {"row": cell.row, "heading": cell.heading} if cell.heading else {}
    if cell.purpose:
        place["purpose"] = cell.purpose
    setting = cell.setting
    return {
        "device": cell.device,
        "driver": driver,
        "cell": number,
        "test": cell.test,
        "name": name,
        "mapping": setting.mapping,
        "instances": setting.instances,
        "stress": setting.stress,
        "stress_shape": setting.stress_shape,
        "width": setting.width,
        "busy": cell.busy,
        "across": cell.across,
        **place,
    }


def _attempts(store: Store, cell: int) -> dict[int, tuple[str, str, str, float | None, float | None]]:
    """Return of each attempt of a cell: target, compiler, time, and load before and after."""
    rows = store.read(
        "SELECT attempt.id, target, compiler, started, load_before, load_after FROM attempt "
        "JOIN build ON build.id = attempt.build WHERE cell = ? AND state = 'done'",
        cell,
    )
    return {number: (target, compiler, time, before, after) for number, target, compiler, time, before, after in rows}


def _release(compiler: str) -> str:
    """Return the release of synth that wrote a program which others have compiled, or an empty text."""
    return compiler.removeprefix("synth ") if compiler.startswith("synth ") else ""


def _more(launch: LaunchEnd) -> dict[str, object]:
    """Return the keys that only some results have."""
    if launch.end == "given up":
        return {"quiet_s": launch.quiet_s}
    if launch.end == "lost":
        return {"code": launch.code, "reason": launch.reason}
    return {"reason": launch.reason} if launch.end in {"crashed", "failed"} else {}
