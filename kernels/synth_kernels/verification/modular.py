"""Verify the kernels and functions of a file by their contracts: `synth verify --modular`.

Kernels of one launch and the functions that they call come together. So a function may come up once for each launch.
Functions that no kernel calls come last, with the launch of a kernel that requires no size.
"""

from __future__ import annotations

import math
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from synth_checker.nearest import unknown
from synth_kernels.kernel_file import read
from synth_kernels.launch_sizes import launch_of, scalars_of, with_array_sizes
from synth_kernels.modular.effects import calls_of, link_calls
from synth_kernels.modular.proof import verify_together
from synth_kernels.program import Kernel, UnreadKernel
from synth_kernels.reports import KernelReport

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from synth_kernels.kernel_file import SourceOptions
    from synth_kernels.launch import Launch
    from synth_kernels.launch_sizes import Sizing
    from synth_kernels.modular.proof import ModularPart
    from synth_kernels.pair.options import Options
    from synth_solvers.client import Solver


def reports(  # noqa: PLR0913
    path: Path,
    sizing: Sizing,
    *,
    names: Sequence[str],
    how: SourceOptions,
    options: Options,
    solver: Solver,
    seconds_left: Callable[[], float | None],
) -> Iterator[tuple[Kernel | UnreadKernel, Launch | None, KernelReport]]:
    """Yield the kernels and functions of a file, each with its launch and the report on it.

    The parameters and errors are those of `verify_file`.
    """
    seconds = seconds_left()
    solver.until = math.inf if seconds is None else time.monotonic() + seconds
    units_of_file = link_calls(read(path, how if seconds is None else replace(how, until=solver.until)))
    kernels = [unit for unit in units_of_file if _is_kernel(unit)]
    for name in (*names, *sizing.scalars, *sizing.arrays):
        if not any(name in {kernel.name, kernel.name.split("<")[0]} for kernel in kernels):
            raise unknown("kernel", name, [kernel.name for kernel in kernels])
    chosen = [kernel for kernel in kernels if not names or {kernel.name, kernel.name.split("<")[0]} & set(names)]
    units = {unit.function.key: unit for unit in units_of_file if isinstance(unit, Kernel) and unit.function}
    together = _groups_to_verify(
        [unit for unit in chosen if isinstance(unit, Kernel)], units, sizing, with_others=not names
    )
    yield from (
        (unit, None, KernelReport("unknown", reason=unit.reason)) for unit in chosen if isinstance(unit, UnreadKernel)
    )
    for group in together:
        for part in _parts(group, units, solver, options):
            report = part.report
            if report.verdict == "unknown" and solver.is_late:
                report = replace(report, verdict="stopped", reason="time limit")
            yield part.kernel, part.launch, report
    if not names:
        others = [unit for unit in units_of_file if isinstance(unit, UnreadKernel) and not _is_kernel(unit)]
        yield from ((other, None, KernelReport("unknown", reason=other.reason)) for other in others)


def _groups_to_verify(
    kernels: Iterable[Kernel], units: Mapping[str, Kernel], sizing: Sizing, *, with_others: bool
) -> list[list[tuple[Kernel, Launch]]]:
    """Return what to verify together: for each launch its kernels and what they call, and then all other functions."""
    groups: dict[Launch, list[tuple[Kernel, Launch]]] = {}
    for kernel_ in kernels:
        launch = launch_of(sizing, kernel_.local_size)
        groups.setdefault(launch, []).append(
            (with_array_sizes(kernel_, sizing), replace(launch, scalars=scalars_of(kernel_, sizing)))
        )
    reached: set[str] = set()
    together = []
    for launch, members in groups.items():
        called = _reachable_functions([kernel for kernel, _ in members], units)
        reached |= set(called)
        together.append([*members, *((unit, launch) for unit in called.values())])
    if with_others and (lonely := [unit for key, unit in units.items() if key not in reached]):
        launch = launch_of(sizing, ())
        together.append([(unit, launch) for unit in _reachable_functions(lonely, units, itself=True).values()])
    return together


def _parts(
    group: Sequence[tuple[Kernel, Launch]], units: Mapping[str, Kernel], solver: Solver, options: Options
) -> Iterator[ModularPart]:
    """Yield kernels and functions with their reports.

    One kernel may call a function in a way that spoils the contract for others. So if there is no proof of all, each
    kernel gets functions of its own.
    """
    parts = verify_together(group, solver, options)
    kernels = [(kernel, launch) for kernel, launch in group if kernel.function is None]
    if len(kernels) < 2 or all(part.report.verdict == "verified" for part in parts) or solver.is_late:
        yield from parts
        return
    shared: list[ModularPart] = []
    for kernel, launch in kernels:
        called = _reachable_functions([kernel], units).values()
        first, *others = verify_together([(kernel, launch), *((unit, launch) for unit in called)], solver, options)
        yield first
        for part in others:
            part.kernel = replace(part.kernel, name=f"{part.kernel.name} as called by {kernel.name}")
        shared += others
    yield from shared


def _is_kernel(kernel: Kernel | UnreadKernel) -> bool:
    return not kernel.is_function if isinstance(kernel, UnreadKernel) else kernel.function is None


def _reachable_functions(
    kernels: Iterable[Kernel], units: Mapping[str, Kernel], *, itself: bool = False
) -> dict[str, Kernel]:
    """Return the functions that some kernels or functions call, and what these call, and, if asked, themselves."""
    reached: dict[str, Kernel] = {}
    todo = [call.unit for kernel in kernels for call in calls_of(kernel)]
    if itself:
        todo += [kernel.function.key for kernel in kernels if kernel.function]
    for key in todo:
        if key not in reached:
            reached[key] = units[key]
            todo += [call.unit for call in calls_of(units[key])]
    return reached
