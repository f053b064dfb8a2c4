"""The launch that somebody asks for, some of whose sizes and scalars are open, and what it means for a kernel.

A kernel may require a local size, and a global size takes the place of the number of groups.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from synth_checker.errors import InputError, check_number
from synth_checker.nearest import check_known
from synth_kernels.launch import Launch
from synth_kernels.premises import premise
from synth_kernels.program import DIMENSIONS, IS_NULL

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from synth_kernels.program import Kernel

#: A size for each dimension. None stands for any positive number, and for any offset.
Sizes: TypeAlias = "tuple[int | None, ...]"

#: An array has at most so many bytes: offsets are numbers of 32 bits with a sign.
_MOST_BYTES = (1 << 31) - 1


@dataclass(frozen=True, slots=True)
class Sizing:
    """The launch that somebody asks for. What is None is open.

    `global_` is the number of threads in each dimension. It takes the place of the number of groups. `scalars` and
    `arrays` have, for kernels by their names, the values of the scalars and the sizes of the arrays without a declared
    size in bytes, in the order of the parameters. `fixed` are values of scalars by their names, for all kernels. `warp`
    is how many threads of a group run in lockstep, or 0, and `waits_fence` says that waiting for a copy orders it.
    """

    local: Sizes | None = None
    groups: Sizes | None = None
    global_: Sizes | None = None
    offset: Sizes = (0,)
    scalars: Mapping[str, Sizes] = field(default_factory=dict)
    arrays: Mapping[str, Sizes] = field(default_factory=dict)
    fixed: Mapping[str, int] = field(default_factory=dict)
    warp: int = 0
    waits_fence: bool = False


def launch_of(sizing: Sizing, required: Sequence[int]) -> Launch:
    """Return the launch of a kernel, which may require a local size.

    Raises:
        InputError: sizes contradict each other.
    """
    local: Sizes | None = _without_last_ones(required) or None
    if sizing.local is not None:
        if required and _pad_dimensions(sizing.local) != _pad_dimensions(tuple(required)):
            size, needs = _sizes_text(sizing.local), _sizes_text(tuple(required))
            raise InputError(f"local size: found {size}, expected {needs}, which the kernel requires")
        local = sizing.local
    if sizing.global_ is None:
        groups = sizing.groups
    elif sizing.groups is not None:
        raise InputError("found a global size and a number of groups, expected one of them")
    else:
        groups = _groups(sizing.global_, local)
    many = max(len(sizes) for sizes in (local or (), groups or (), (None,)))
    open_: Sizes = (None,) * many
    return Launch(local or open_, groups or open_, sizing.offset, warp=sizing.warp, waits_fence=sizing.waits_fence)


def _without_last_ones(required: Sequence[int]) -> tuple[int, ...]:
    """Return a required local size without dimensions of one thread at the end, which a kernel has to name."""
    many = max((number for number, size in enumerate(required, start=1) if size > 1), default=1)
    return tuple(required[:many])


def scalars_of(kernel: Kernel, sizing: Sizing) -> tuple[tuple[str, int], ...]:
    """Return the scalars of a kernel that have a fixed value."""
    widths = {name: width for name, width in kernel.scalars if not name.endswith(IS_NULL)}
    values = _sizes_for(kernel, sizing.scalars) or (None,) * len(widths)
    _check_count(kernel, "scalars", values, list(widths))
    fixed = {name: value for name, value in zip(widths, values, strict=True) if value is not None}
    for name in sizing.fixed:
        check_known(f"scalar of {kernel.name}", name, widths)
    return tuple((name, value & ((1 << widths[name]) - 1)) for name, value in (fixed | dict(sizing.fixed)).items())


def with_array_sizes(kernel: Kernel, sizing: Sizing) -> Kernel:
    """Return a kernel of which some arrays have sizes that its source does not declare."""
    if (sizes := _sizes_for(kernel, sizing.arrays)) is None:
        return kernel
    open_ = [array.name for array in kernel.arrays if array.size is None and array.space != "private"]
    _check_count(kernel, "arrays", sizes, open_)
    array_sizes = dict(zip(open_, sizes, strict=True))
    for name, size in array_sizes.items():
        if size is not None:
            check_number(f"bytes of {name}", size, 0, _MOST_BYTES)
    arrays = [
        array if (size := array_sizes.get(array.name)) is None else replace(array, size=size * 8 // array.width)
        for array in kernel.arrays
    ]
    premises = (premise("array size", name, size) for name, size in array_sizes.items() if size is not None)
    return replace(kernel, arrays=tuple(arrays), premises=(*kernel.premises, *premises))


def compared_name(name: str) -> str:
    """Return the name of a kernel as it is compared: an instance of a template without spaces."""
    return name.replace(" ", "")


def _sizes_for(kernel: Kernel, sizes: Mapping[str, Sizes]) -> Sizes | None:
    """Return what is given for a kernel."""
    return next((values for name, values in sizes.items() if compared_name(name) == compared_name(kernel.name)), None)


def _check_count(kernel: Kernel, what: str, values: Sizes, names: Sequence[str]) -> None:
    if len(values) != len(names):
        raise InputError(
            f"{what} of {kernel.name}: found {len(values)} numbers, expected {len(names)} ({', '.join(names)})"
        )


def _groups(whole: Sizes, local: Sizes | None) -> Sizes:
    if local is None:
        raise InputError(
            "global size: expected a local size, too, because the threads of a launch are divided into groups"
        )
    for what, sizes in (("local size", local), ("global size", whole)):
        check_number(f"dimensions of the {what}", len(sizes), 1, DIMENSIONS)
        for size in sizes:
            if size is not None:
                check_number(what, size, 1)
    groups: list[int | None] = []
    for number, (threads, size) in enumerate(zip(_pad_dimensions(whole), _pad_dimensions(local), strict=True)):
        if threads is None:
            groups.append(None)
        elif size is None or threads % size:
            raise InputError(
                f"global size: found {threads} in dimension {number}, expected a multiple of the local size "
                f"{'*' if size is None else size}"
            )
        else:
            groups.append(threads // size)
    return tuple(groups)


def _pad_dimensions(sizes: Sizes) -> Sizes:
    return (*sizes, *(1,) * (DIMENSIONS - len(sizes)))


def _sizes_text(sizes: Sizes) -> str:
    return ",".join("*" if size is None else str(size) for size in sizes)
