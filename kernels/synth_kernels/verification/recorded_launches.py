"""Verify kernels for the launches of a program: with its sizes, and with as few of its scalars as suffice."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

from synth_checker.errors import InputError
from synth_checker.nearest import unknown
from synth_kernels.deadline import OverdueError
from synth_kernels.fixed_scalars import FixedScalars, needed_scalars
from synth_kernels.kernel_file import read
from synth_kernels.launch_sizes import Sizing, launch_of
from synth_kernels.operators import to_signed
from synth_kernels.program import Kernel, UnreadKernel
from synth_kernels.verification import SECONDS, PreparedKernel, VerificationRequest, Verified, verify_prepared
from synth_kernels.verification.records import VerifiedLaunch, read_records, values_of, with_buffer_sizes, with_options
from synth_solvers.client import Solver

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from synth_kernels.kernel_file import SourceOptions
    from synth_kernels.launch import Launch
    from synth_kernels.verification.cache import Cache
    from synth_kernels.verification.records import RecordedLaunch

#: Verdicts that need no more values of scalars.
_GOOD = {"verified", "no bug found", "stopped"}


def verify_recorded(
    path: Path, source: Path | None, cache: Cache | None = None, **request: Unpack[VerificationRequest]
) -> Iterator[Verified]:
    """Yield a report on each launch of a file, in their order.

    `cache` has answers that are known. The other parameters and the errors are those of `launches_in`.
    """
    for file, kernel, launched, solver in launches_in(path, source, **request):
        yield _verify_launch(file, kernel, launched, request, solver, cache)


def launches_in(
    path: Path, source: Path | None, **request: Unpack[VerificationRequest]
) -> Iterator[tuple[Path, Kernel | UnreadKernel, RecordedLaunch, Solver]]:
    """Yield each launch of a file with its kernel, the file of this, and a solver that knows when to stop.

    `source` is the file of the kernels, if it is not that of the launches. Then launches of kernels that it does not
    have are left out. Of the sizes, only a local size may be asked for: launches without one take it.

    Raises:
        InputError: a file is wrong, a launch does not fit its kernel, there is no such kernel, or sizes or values are
            asked for.
        OverdueError: the time was over before the kernels were read.
        ResourceError: packages for that are missing.
    """
    sizing = request["sizing"]
    options = {
        "--num-groups": sizing.groups,
        "--global-size": sizing.global_,
        "--args": sizing.scalars,
        "--arrays": sizing.arrays,
    }
    if twice := [name for name, value in options.items() if value]:
        raise InputError(
            f"found --from-launch and {twice[0]}, expected one of them: the launches have sizes and values"
        )
    launches = read_records(path)
    names = request["names"]
    if names and not (launched_names := {launch.fields["kernel"] for launch in launches}).issuperset(names):
        raise unknown(
            "launched kernel", next(name for name in names if name not in launched_names), sorted(launched_names)
        )
    kernels: dict[tuple[Path, SourceOptions], Sequence[Kernel | UnreadKernel]] = {}
    count = 0
    with Solver(request["solver"], seconds=SECONDS, memory=request["memory"]) as solver:
        for launch in launches:
            if names and launch.fields["kernel"] not in names:
                continue
            seconds = request["seconds_left"]()
            solver.until = math.inf if seconds is None else time.monotonic() + seconds
            file, how = _source(launch, source), with_options(request["how"], launch)
            if (file, how) not in kernels:
                kernels[file, how] = read(file, how if seconds is None else replace(how, until=solver.until))
            by_name = {kernel.name: kernel for kernel in kernels[file, how]}
            if launch.fields["kernel"] in by_name:
                count += 1
                yield file, by_name[launch.fields["kernel"]], launch, solver
            elif source is None:
                raise unknown(f"kernel of {file}", launch.fields["kernel"], sorted(by_name))
    if not count:
        raise InputError(f"{path}: found no launch of a kernel of {source}")


def _source(recorded: RecordedLaunch, source: Path | None) -> Path:
    if source is not None:
        return source
    if not (name := recorded.fields.get("source")):
        kernel = recorded.fields["kernel"]
        raise InputError(
            f"{recorded.where}: found no source of {kernel}; name the file of the kernel before --from-launch"
        )
    return recorded.path.parent / name


def _sizing(recorded: RecordedLaunch, request: VerificationRequest) -> Sizing:
    """Return the sizes of a launch. Without a local size, any sizes have to do."""
    fields = recorded.fields
    whole, local = tuple(fields["global_size"]), fields["local_size"]
    offset = tuple(fields.get("global_offset", (0,)))
    chosen = tuple(local) if local is not None else request["sizing"].local
    if chosen is None:
        sizing = Sizing((None,) * len(whole), (None,) * len(whole), None, offset)
    else:
        sizing = Sizing(chosen, None, whole, offset)
    return replace(sizing, warp=request["sizing"].warp, waits_fence=request["sizing"].waits_fence)


def prepared_for(
    recorded: RecordedLaunch, kernel: Kernel, request: VerificationRequest
) -> tuple[Kernel, Launch, dict[str, int]]:
    """Return the kernel of a launch with the sizes of its arrays, the launch, and the values of its scalars.

    Raises:
        InputError: the launch does not fit its kernel.
    """
    try:
        launch = launch_of(_sizing(recorded, request), kernel.local_size)
        launch = replace(launch, groups=launch.groups[: len(recorded.fields["global_size"])])
    except InputError as error:
        raise InputError(f"{recorded.where}: {error}") from None
    return with_buffer_sizes(recorded, kernel), launch, values_of(recorded, kernel)


def _verify_launch(  # noqa: PLR0913, PLR0917
    file: Path,
    kernel: Kernel | UnreadKernel,
    recorded: RecordedLaunch,
    request: VerificationRequest,
    solver: Solver,
    cache: Cache | None,
) -> Verified:
    is_late = solver.is_late
    if isinstance(kernel, UnreadKernel):
        return verify_prepared(file, PreparedKernel(kernel, None, is_late), request["options"], solver)
    kernel, launch, values = prepared_for(recorded, kernel, request)

    def verified(constants: FixedScalars, *, is_late: bool) -> Verified:
        task = PreparedKernel(kernel, replace(launch, scalars=constants.scalars), is_late)
        widths = dict(kernel.scalars)
        fixed = {name: to_signed(value, widths[name]) for name, value in constants.scalars}
        open_ = [name for name in widths if name not in fixed]
        launched = VerifiedLaunch(str(recorded.path), recorded.line, recorded.times, fixed, open_, constants.is_clean)
        return replace(verify_prepared(file, task, request["options"], solver, cache), recorded=launched)

    try:
        constants = needed_scalars(kernel, launch, values, solver, request["options"])
    except OverdueError:
        constants, is_late = FixedScalars(tuple(values.items()), is_clean=False), True
    answer = verified(constants, is_late=is_late)
    if answer.verdict in _GOOD or len(constants.scalars) == len(values):
        return answer
    # With other values than those of the launch, there may be faults that no unrolled run shows.
    return verified(replace(constants, scalars=tuple(values.items())), is_late=solver.is_late)
