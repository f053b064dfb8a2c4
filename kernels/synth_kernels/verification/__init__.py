"""Verify the kernels of a file: no data race, and no barrier that only some threads reach.

This is the work behind `synth verify`. The package `synth_kernels` decides; docs/understand/kernels.md explains the
words.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from synth_checker.nearest import unknown
from synth_checker.notebook import NotebookObject
from synth_kernels.deadline import OverdueError
from synth_kernels.kernel_file import TYPED, SourceOptions, read
from synth_kernels.kernel_verdict import verify
from synth_kernels.launch_sizes import compared_name, launch_of, scalars_of, with_array_sizes
from synth_kernels.pair.options import DEFAULT
from synth_kernels.program import Kernel, UnreadKernel
from synth_kernels.reports import KernelReport
from synth_solvers.client import Solver

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from synth_kernels.launch import Launch
    from synth_kernels.launch_sizes import Sizing
    from synth_kernels.pair.options import Options
    from synth_kernels.reports import Counterexample, Verdict
    from synth_kernels.verification.cache import Cache
    from synth_kernels.verification.records import VerifiedLaunch

#: A query gets at most so many seconds.
SECONDS = 60.0
#: The exit code of each verdict. Of several, the first in this order decides.
EXIT_CODES = {
    **dict.fromkeys(("race", "divergence", "assertion", "overflow", "bounds", "constant-write", "invariant"), 1),
    "contradiction": 2,
    "wrong input": 2,
    "unknown": 3,
    "stopped": 75,
    "no bug found": 0,
    "verified": 0,
}


@dataclass(frozen=True, slots=True, repr=False)
class Verified(NotebookObject):
    """A kernel of a file and the report on it.

    `kernel` is `UnreadKernel` if the kernel has something that is not supported. Then the report says `unknown`.
    `recorded` is the launch of a program from which the sizes and some scalars are, if they are from one.
    """

    path: Path
    kernel: Kernel | UnreadKernel
    launch: Launch | None
    report: KernelReport
    options: Options = DEFAULT
    recorded: VerifiedLaunch | None = None

    def __repr__(self) -> str:
        return f"<Verified: {self.name} in {self.path.name}, {self.verdict}>"

    @property
    def name(self) -> str:
        """The name of the kernel."""
        return self.kernel.name

    @property
    def verdict(self) -> Verdict:
        """The verdict: `verified`, `race`, `divergence`, `unknown` or another of docs/understand/kernels.md."""
        return self.report.verdict

    @property
    def counterexamples(self) -> tuple[Counterexample, ...]:
        """The faults that were found, each with its two threads."""
        return self.report.counterexamples

    @property
    def complete(self) -> bool:
        """Whether the verdict is a proof or has a fault to show. A time limit and the solver may leave it open."""
        return self.verdict not in {"unknown", "stopped", "no bug found", "contradiction"}


def verify_file(  # noqa: PLR0913
    path: Path,
    sizing: Sizing,
    *,
    names: Sequence[str] = (),
    how: SourceOptions | None = None,
    options: Options = DEFAULT,
    solver: str = "z3",
    memory: int = 0,
    seconds_left: Callable[[], float | None] = lambda: None,
    cache: Cache | None = None,
    begun: Callable[[int, int, str], None] | None = None,
) -> Iterator[Verified]:
    """Yield a report on each kernel of a file, in their order.

    `names` are the only kernels to verify. The name of a template kernel stands for all its instances. `solver` is a
    name of `synth_solvers`, and `memory` is how many bytes it may take. `seconds_left` returns how many seconds are
    left for all that is still to do, or None if there is no limit. `cache` has answers that are known. `begun` gets how
    many kernels are done, how many there are, and the name of the next, except for functions with contracts.

    Raises:
        InputError: the file or the launch is wrong, or it has no such kernel.
        OverdueError: the time was over before the kernels were read.
        ResourceError: packages that are needed are not installed.
    """
    how = how or SourceOptions()
    if how.modular and path.suffix != TYPED:
        from synth_kernels.verification.modular import reports

        with Solver(solver, seconds=SECONDS, memory=memory) as started:
            for each, launch, report in reports(
                path, sizing, names=names, how=how, options=options, solver=started, seconds_left=seconds_left
            ):
                yield Verified(path, each, launch, report, options)
        return
    request = VerificationRequest(
        sizing=sizing,
        names=names,
        how=how,
        options=options,
        solver=solver,
        memory=memory,
        seconds_left=seconds_left,
    )
    for prepared_kernel, peer in prepared_kernels(path, request, begun):
        yield verify_prepared(path, prepared_kernel, options, peer, cache)


class VerificationRequest(TypedDict):
    """The parameters of `verify_file` but for the file: which kernels to verify, for which launch, and how."""

    sizing: Sizing
    names: Sequence[str]
    how: SourceOptions
    options: Options
    solver: str
    memory: int
    seconds_left: Callable[[], float | None]


class PreparedKernel(NamedTuple):
    """A kernel of a file with its launch, which an `UnreadKernel` lacks. `is_late` says that its time is over."""

    kernel: Kernel | UnreadKernel
    launch: Launch | None
    is_late: bool


def prepared_kernels(
    path: Path, request: VerificationRequest, begun: Callable[[int, int, str], None] | None = None
) -> Iterator[tuple[PreparedKernel, Solver]]:
    """Yield kernels of a file, each with its launch, and a solver that knows when to stop.

    `begun` and the errors are those of `verify_file`.
    """
    seconds, how, sizing = request["seconds_left"](), request["how"], request["sizing"]
    with Solver(request["solver"], seconds=SECONDS, memory=request["memory"]) as peer:
        peer.start()  # it loads while the file is read
        kernels = read(path, how if seconds is None else replace(how, until=time.monotonic() + seconds))
        names = _chosen_names([kernel.name for kernel in kernels], request["names"], sizing)
        chosen = [kernel for kernel in kernels if kernel.name in names]
        for done, kernel in enumerate(chosen):
            if begun is not None:
                begun(done, len(chosen), kernel.name)
            seconds = request["seconds_left"]()
            peer.until = math.inf if seconds is None else time.monotonic() + seconds
            yield _prepare(kernel, sizing, is_late=seconds is not None and seconds <= 0), peer


def _prepare(kernel: Kernel | UnreadKernel, sizing: Sizing, *, is_late: bool) -> PreparedKernel:
    if isinstance(kernel, UnreadKernel):
        return PreparedKernel(kernel, None, is_late)
    launch = replace(launch_of(sizing, kernel.local_size), scalars=scalars_of(kernel, sizing))
    return PreparedKernel(with_array_sizes(kernel, sizing), launch, is_late)


def _chosen_names(file_names: Sequence[str], names: Sequence[str], sizing: Sizing) -> set[str]:
    """Return the kernels to verify.

    Raises:
        InputError: the file has no kernel of some name.
    """
    chosen = {
        name: {
            known_name
            for known_name in file_names
            if compared_name(name) in {compared_name(known_name), known_name.split("<")[0]}
        }
        for name in names
    }
    sized_names = (name for name in (*sizing.scalars, *sizing.arrays) if name not in chosen)
    chosen |= {
        name: {known_name for known_name in file_names if compared_name(known_name) == compared_name(name)}
        for name in sized_names
    }
    for name, kernel_names in chosen.items():
        if not kernel_names:
            raise unknown("kernel", name, file_names)
    return set().union(*(chosen[name] for name in names)) if names else set(file_names)


def verify_prepared(
    path: Path, task: PreparedKernel, options: Options, solver: Solver, cache: Cache | None = None
) -> Verified:
    """Return the report on a kernel for its launch."""
    kernel, launch = task.kernel, task.launch
    if isinstance(kernel, UnreadKernel) or launch is None:
        return Verified(path, kernel, None, KernelReport("unknown", reason=getattr(kernel, "reason", "")))
    if task.is_late:
        return Verified(path, kernel, launch, KernelReport("stopped", reason="time limit"))
    if cache is not None and (cached_report := cache.report(kernel, launch, options)) is not None:
        return Verified(path, kernel, launch, cached_report, options)
    try:
        report = verify(kernel, launch, solver, options, () if cache is None else cache.first(path, kernel))
    except OverdueError:
        report = KernelReport("stopped", reason="time limit")
    if report.verdict == "unknown" and solver.is_late:
        report = replace(report, verdict="stopped", reason="time limit")
    if cache is not None:
        cache.keep(path, kernel, launch, options, report)
    return Verified(path, kernel, launch, report, options)


def exit_code(verdicts: Sequence[str], table: Mapping[str, int] = EXIT_CODES) -> int:
    """Return the exit code of the worst of some verdicts. The table has the worst ones first."""
    codes = {table[verdict] for verdict in verdicts}
    return next((code for code in table.values() if code in codes), 0)
