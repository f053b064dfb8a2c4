"""Read the kernels of a source in OpenCL C or CUDA."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_kernels.clang.compiling import compile_source
from synth_kernels.clang.parsing import parsed
from synth_kernels.clang.translating import translated

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from synth_kernels.program import Kernel, Unread
    from synth_kernels.reading import How


def read(path: Path, how: How) -> Sequence[Kernel | Unread]:
    """Return the kernels of a source in their order, and why there is no typed program for those that have none.

    Raises:
        InputError: it does not compile, or it has no kernel.
        ResourceError: packages that are needed are not installed.
    """
    module = parsed(compile_source(path, how))
    kernels = [function for function in module.functions.values() if function.is_kernel]
    if not kernels:
        msg = f"{path}: found no kernel, expected a function that is marked __kernel or __global__"
        raise InputError(msg)
    return [translated(module, function) for function in kernels]
