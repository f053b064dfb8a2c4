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
from synth_kernels.program import Kernel, UnreadKernel
from synth_kernels.verification import SECONDS, Asked, Prepared, Verified, verify_prepared
from synth_kernels.verification.records import AsRecorded, read_records, sized, values_of, with_options
from synth_solvers.client import Solver

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from synth_kernels.kernel_file import SourceOptions
    from synth_kernels.launch import Launch
    from synth_kernels.verification.cache import Cache
    from synth_kernels.verification.records import Recorded

#: Verdicts that need no more values of scalars.
_GOOD = {"verified", "no bug found", "stopped"}


def verify_recorded(
    path: Path, source: Path | None, cache: Cache | None = None, **asked: Unpack[Asked]
) -> Iterator[Verified]:
    """Yield a report on each launch of a file, in their order.

    `cache` has answers that are known. The other parameters and the errors are those of `launches_in`.
    """
    for file, kernel, one, solver in launches_in(path, source, **asked):
        yield _verified(file, kernel, one, asked, solver, cache)


def launches_in(
    path: Path, source: Path | None, **asked: Unpack[Asked]
) -> Iterator[tuple[Path, Kernel | UnreadKernel, Recorded, Solver]]:
    """Yield each launch of a file with its kernel, the file of this, and a solver that knows when to stop.

    `source` is the file of the kernels, if it is not that of the launches. Then launches of kernels that it does not
    have are left out. Of the sizes, only a local size may be asked for: launches without one take it.

    Raises:
        InputError: a file is wrong, a launch does not fit its kernel, there is no such kernel, or sizes or values are
            asked for.
        OverdueError: the time was over before the kernels were read.
        ResourceError: packages for that are missing.
    """
    sizing = asked["sizing"]
    given = {
        "--num-groups": sizing.groups,
        "--global-size": sizing.global_,
        "--args": sizing.scalars,
        "--arrays": sizing.arrays,
    }
    if twice := [name for name, value in given.items() if value]:
        msg = f"found --from-launch and {twice[0]}, expected one of them: the launches have sizes and values"
        raise InputError(msg)
    launches = read_records(path)
    names = asked["names"]
    if names and not (known := {launch.fields["kernel"] for launch in launches}).issuperset(names):
        raise unknown("launched kernel", next(name for name in names if name not in known), sorted(known))
    kernels: dict[tuple[Path, SourceOptions], Sequence[Kernel | UnreadKernel]] = {}
    count = 0
    with Solver(asked["solver"], seconds=SECONDS, memory=asked["memory"]) as solver:
        for launch in launches:
            if names and launch.fields["kernel"] not in names:
                continue
            left = asked["seconds_left"]()
            solver.until = math.inf if left is None else time.monotonic() + left
            file, how = _source(launch, source), with_options(asked["how"], launch)
            if (file, how) not in kernels:
                kernels[file, how] = read(file, how if left is None else replace(how, until=solver.until))
            found = {kernel.name: kernel for kernel in kernels[file, how]}
            if launch.fields["kernel"] in found:
                count += 1
                yield file, found[launch.fields["kernel"]], launch, solver
            elif source is None:
                raise unknown(f"kernel of {file}", launch.fields["kernel"], sorted(found))
    if not count:
        msg = f"{path}: found no launch of a kernel of {source}"
        raise InputError(msg)


def _source(one: Recorded, source: Path | None) -> Path:
    if source is not None:
        return source
    if not (name := one.fields.get("source")):
        msg = (
            f"{one.where}: found no source of {one.fields['kernel']}; name the file of the kernel before --from-launch"
        )
        raise InputError(msg)
    return one.path.parent / name


def _sizing(one: Recorded, asked: Asked) -> Sizing:
    """Return the sizes of a launch. Without a local size, any sizes have to do."""
    fields = one.fields
    whole, local = tuple(fields["global_size"]), fields["local_size"]
    offset = tuple(fields.get("global_offset", (0,)))
    chosen = tuple(local) if local is not None else asked["sizing"].local
    if chosen is None:
        found = Sizing((None,) * len(whole), (None,) * len(whole), None, offset)
    else:
        found = Sizing(chosen, None, whole, offset)
    return replace(found, warp=asked["sizing"].warp, waits_fence=asked["sizing"].waits_fence)


def prepared_for(one: Recorded, kernel: Kernel, asked: Asked) -> tuple[Kernel, Launch, dict[str, int]]:
    """Return the kernel of a launch with the sizes of its arrays, the launch, and the values of its scalars.

    Raises:
        InputError: the launch does not fit its kernel.
    """
    try:
        launch = launch_of(_sizing(one, asked), kernel.local_size)
        launch = replace(launch, groups=launch.groups[: len(one.fields["global_size"])])
    except InputError as error:
        msg = f"{one.where}: {error}"
        raise InputError(msg) from None
    return sized(one, kernel), launch, values_of(one, kernel)


def _verified(  # noqa: PLR0913, PLR0917
    file: Path, kernel: Kernel | UnreadKernel, one: Recorded, asked: Asked, solver: Solver, cache: Cache | None
) -> Verified:
    is_late = solver.is_late
    if isinstance(kernel, UnreadKernel):
        return verify_prepared(file, Prepared(kernel, None, is_late), asked["options"], solver)
    kernel, launch, values = prepared_for(one, kernel, asked)
    try:
        found = needed_scalars(kernel, launch, values, solver, asked["options"])
    except OverdueError:
        found, is_late = FixedScalars(tuple(values.items()), is_clean=False), True
    answer = _with(file, kernel, one, found, Prepared(kernel, launch, is_late), asked, solver, cache)
    if answer.verdict in _GOOD or len(found.scalars) == len(values):
        return answer
    # With other values than those of the launch, there may be faults that no unrolled run shows.
    found = replace(found, scalars=tuple(values.items()))
    return _with(file, kernel, one, found, Prepared(kernel, launch, solver.is_late), asked, solver, cache)


def _with(  # noqa: PLR0913, PLR0917
    file: Path,
    kernel: Kernel,
    one: Recorded,
    found: FixedScalars,
    prepared: Prepared,
    asked: Asked,
    solver: Solver,
    cache: Cache | None,
) -> Verified:
    assert prepared.launch is not None  # noqa: S101  (kernels that were read have one)
    prepared = prepared._replace(launch=replace(prepared.launch, scalars=found.scalars))
    answer = verify_prepared(file, prepared, asked["options"], solver, cache)
    names = {name for name, _ in found.scalars}
    open_ = tuple(name for name, _ in kernel.scalars if name not in names)
    return replace(answer, recorded=AsRecorded(one, found.scalars, open_, found.is_clean))
