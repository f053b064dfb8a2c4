"""Read the kernels of a source in OpenCL C, CUDA or HIP."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_kernels.clang import cuda
from synth_kernels.clang.compilation import compile_source
from synth_kernels.clang.modular_translation import modular
from synth_kernels.clang.parser import parse_module
from synth_kernels.clang.translation import translate_function
from synth_kernels.kernel_file import CUDA
from synth_kernels.program import UnreadKernel
from synth_kernels.source_place import SourcePlace

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from synth_kernels.kernel_file import SourceOptions
    from synth_kernels.program import Kernel


def read(path: Path, how: SourceOptions) -> Sequence[Kernel | UnreadKernel]:
    """Return the kernels of a source in their order, and why there is no typed program for those that have none.

    Raises:
        InputError: it does not compile, or it has no kernel.
        OverdueError: the time was over before they were read.
        ResourceError: packages that are needed are not installed.
    """
    module = parse_module(compile_source(path, how), how.until)
    functions = [function for function in module.functions.values() if function.is_kernel]
    kernels = (
        modular(module, how.until)
        if how.modular
        else [translate_function(module, function, how.until) for function in functions]
    )
    if path.suffix in CUDA:
        kernels += _not_instantiated(path, {kernel.name.split("<")[0] for kernel in kernels})
    if not functions and not kernels:
        raise InputError(f"{path}: found no kernel, expected a function that is marked __kernel or __global__")
    return kernels


def _not_instantiated(path: Path, known: set[str]) -> list[UnreadKernel]:
    """Return the template kernels of which there is no instance."""
    return [
        UnreadKernel(
            name, SourcePlace(str(path), line), f"a template kernel without arguments; add --instantiate '{name}<...>'"
        )
        for name, line in cuda.templates(path.read_text("utf-8-sig", "replace")).items()
        if name not in known
    ]
