"""One attempt: ask a program to launch a test, and read what it prints.

An attempt has the launches that one request asks for, up to the first launch that does not end (docs/do/campaigns.md).
`problem` says what else went wrong: for example, the program printed nothing, too much, or the result of another test.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic as clock
from typing import TYPE_CHECKING, Self

from synth_backends.mapping import read_mapping
from synth_backends.result_line import read_line
from synth_backends.units import CANARY
from synth_checker.child import MOST_OUTPUT, Child, ExitStatus, InterruptError, LineTimeoutError, OutputLimitError
from synth_checker.errors import InputError, excerpt
from synth_devices.device import Request
from synth_devices.raw_ends import LaunchEnd, launches_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_backends.result_line import ResultFields
    from synth_backends.target import Choices
    from synth_checker.child import Interrupt
    from synth_devices.device import Build

#: How many seconds a program may take before its first launch, unless a campaign says otherwise.
PREPARATION_S = 120.0
#: How many seconds a command may take before it launches the canary.
_CANARY_READY_S = 30.0
#: How many seconds longer than its launches a program may take.
GRACE_S = 5.0
#: By so many seconds the clock of a device may be ahead of ours.
_CLOCKS_S = 0.05


@dataclass(frozen=True, slots=True)
class AttemptResult:
    """What came of an attempt.

    - `launches` are its launches. A program that printed no result has one launch that `failed`. A program that printed
      a wrong result has one launch that `crashed`.
    - `line` is the result line that the program printed. `canary` is its last line about the canary, or None.
    - `problem` says in words what was wrong with the program. It is empty if nothing was wrong.
    - `said` is what the program wrote to standard error.
    - `is_first` says whether this is the first attempt of its process, or of what the process has started anew.
    - `is_gone` is false if killing did not end all processes of the program.
    """

    launches: tuple[LaunchEnd, ...]
    line: ResultFields | None = None
    canary: ResultFields | None = None
    problem: str = ""
    pid: int = 0
    status: ExitStatus = field(default_factory=ExitStatus)
    said: str = ""
    is_first: bool = True
    is_gone: bool = True

    @property
    def driver(self) -> str:
        """What the device said of itself, or an empty text if it said nothing."""
        return self.line["driver"] if self.line else ""

    @property
    def is_clean(self) -> bool:
        """Whether all launches ended, and nothing was wrong with the program."""
        return not self.problem and all(launch.end == "ended" for launch in self.launches)

    @property
    def awaits_canary(self) -> bool:
        """Whether a launch hung or lost the device, and no canary has been launched yet."""
        return self.canary is None and self.launches[-1].end in {"given up", "lost"}


class Session:
    """The program of a build. The first attempt starts it.

    A program that serves stays for further attempts, until a launch does not end or something else goes wrong. A build
    may say that its program stays even if a launch does not end. `choices` are those for which the build was made. A
    result for others is refused, and so are launches that took longer than the program had for them.
    """

    def __init__(self, build: Build, preparation_s: float = PREPARATION_S, choices: Choices | None = None) -> None:
        self._build, self._choices = build, choices
        self._preparation_s = preparation_s
        self._child: Child | None = None
        self._is_renewed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> bool:
        """End the program. Return whether it is gone."""
        child, self._child = self._child, None
        return child is None or child.kill()

    def attempt(
        self,
        request: Request,
        mark: str,
        interrupt: Interrupt | None = None,
    ) -> AttemptResult | None:
        """Ask the program to launch a test, and return what came of it.

        If this starts a process, `mark` stays in the environment of the process and of all its children. If `interrupt`
        says to stop, this kills the program and returns None.

        Raises:
            ResourceError: starting the program failed.
        """
        build = self._build
        is_first = self._child is None or self._is_renewed
        if self._child is None:
            self._child = Child(build.words(request), {**os.environ, **build.environment}, mark, build.folder)
        child = self._child
        child.interrupt = interrupt
        is_gone = True
        try:
            attempted, stays = self._heard(child, request)
        except InterruptError:
            self.close()
            return None
        except BaseException:
            self.close()
            raise
        self._is_renewed = stays and build.renews and not attempted.is_clean
        if not stays:
            is_gone = self.close()
        if not is_first and attempted.line is None:  # it has answered before, so it was ready
            attempted = replace(
                attempted, launches=tuple(replace(launch, end="crashed") for launch in attempted.launches)
            )
        said = child.said.decode("utf-8", "replace")
        attempted = replace(
            attempted, pid=child.pid, status=child.status, said=said, is_first=is_first, is_gone=is_gone
        )
        has_canary = build.canary and attempted.awaits_canary
        return self._with_canary(attempted, request, mark, interrupt) if has_canary else attempted

    def _with_canary(
        self, attempted: AttemptResult, request: Request, mark: str, interrupt: Interrupt | None
    ) -> AttemptResult | None:
        """Start the canary, and add its result. It has none if the command prints no result, or does not know it."""
        id_ = CANARY.litmus.id
        build = replace(self._build, programs={id_: self._build.canary}, canary=())
        with Session(build, min(self._preparation_s, _CANARY_READY_S)) as session:
            canary = session.attempt(Request(id_, 1, request.timeout_s), mark, interrupt)
        if canary is None:
            return None
        is_known = canary.line is not None and canary.line["result"] != "not run"
        return replace(
            attempted, canary=canary.line if is_known else None, is_gone=attempted.is_gone and canary.is_gone
        )

    def _serves_on(self, attempted: AttemptResult) -> bool:
        """Whether the program answers another request after this one."""
        build = self._build
        if attempted.problem or not build.serves:
            return False
        is_well = attempted.canary is not None and attempted.canary["result"] == "terminated"
        return attempted.is_clean or build.outlives_hangs or (build.renews and is_well)

    def _heard(self, child: Child, request: Request) -> tuple[AttemptResult, bool]:
        """Return what came of the request, and whether the program serves on."""
        limit = self._preparation_s + request.launches * request.timeout_s + GRACE_S
        lines: list[str] = []
        start = clock()
        try:
            if self._build.serves:
                child.ask(request.line())
            while (line := child.line(limit)) is not None:
                lines.append(line)
                attempted = self._judged(lines, request, clock() - start)
                if self._serves_on(attempted):
                    return attempted, True
                if not (self._build.renews and attempted.awaits_canary):
                    child.ask_nothing_more()
            child.end(GRACE_S)
        except LineTimeoutError:
            if not lines:
                return _nothing(child, f"it printed no result for {limit:g} seconds{_why_late(child)}"), False
        except OutputLimitError:
            return _nothing(child, f"it printed more than {MOST_OUTPUT:,} bytes"), False
        if not lines:
            child.end(GRACE_S)
            return _nothing(child, f"it ended without a result ({child.status})"), False
        return attempted, False

    def _judged(self, lines: list[str], request: Request, lived_s: float) -> AttemptResult:
        """Read the lines that a program printed for a request, so many seconds after it got it."""
        attempted = _read(lines, request)
        if attempted.line is None:
            return attempted
        return next(map(_broken, _impossible(attempted.line, request, self._choices, lived_s)), attempted)


def _impossible(line: ResultFields, request: Request, choices: Choices | None, lived_s: float) -> Iterator[str]:
    """Yield why a result is not one of what was asked for: it has other choices, or more time than has passed."""
    if choices is not None:
        expected = {
            "mapping": read_mapping(choices.mapping or "plain").name, "instances": choices.instances,
            "stress": choices.stress, "width": choices.width,
        }  # fmt: skip
        said = {"mapping": line["mapping"], "instances": line["instances"], "stress": line["stress"]}
        said["width"] = line.get("width", choices.width)
        for key, value in said.items():
            if expected[key] is not None and value != expected[key]:
                yield f"it printed a result with {key} {excerpt(str(value))}, expected {expected[key]}"
    launches_s = sum(seconds or 0.0 for seconds in line["seconds"])
    if launches_s > lived_s + _CLOCKS_S:
        yield f"it says that its launches took {launches_s:.3f} seconds, but it had only {lived_s:.3f} for them"
    if line["result"] == "hung" and line["seconds"][-1] is None and lived_s < request.timeout_s:
        yield f"it gave up a launch after {lived_s:.3f} seconds at most, before its time-out of {request.timeout_s}"


def _read(lines: list[str], request: Request) -> AttemptResult:
    try:
        read = [read_line(line, "its output") for line in lines]
    except InputError as error:
        return _broken(str(error))
    results = [line for line in read if "canary" not in line]
    canaries = [line for line in read if "canary" in line]
    if len(results) != 1:
        return _broken(f"it printed {len(results)} results, expected one")
    (result,) = results
    if result["id"] != request.test:
        return _broken(f"it printed a result of {excerpt(result['id'])!r}, expected {request.test!r}")
    launches = launches_of(result)
    if len(launches) > request.launches:
        return _broken(f"it printed {len(launches)} launches, expected at most {request.launches}")
    return AttemptResult(tuple(launches), result, canaries[-1] if canaries else None)


def _broken(problem: str) -> AttemptResult:
    return AttemptResult((LaunchEnd("crashed", reason=problem),), problem=problem)


def _nothing(child: Child, problem: str) -> AttemptResult:
    """Return the attempt of a program that gave no result. The problem has its last line on standard error, too."""
    said = child.said.decode("utf-8", "replace").strip()
    reason = f"{problem}: {said.splitlines()[-1]}" if said else problem
    return AttemptResult((LaunchEnd("failed", reason=reason),), problem=reason)


def _why_late(child: Child) -> str:
    """Return, where the system tells it, that a silent process is stopped, as by SIGSTOP."""
    with contextlib.suppress(OSError, IndexError):
        state = Path(f"/proc/{child.pid}/stat").read_text().rpartition(")")[2].split()[0]
        return ", because it is stopped" if state in "Tt" else ""
    return ""
