"""Read the sequential version of a kernel: a function of a C file, or a kernel that one thread runs.

A file of C is read as CUDA, with the function as a kernel. So a function that it calls must be marked `__device__`.
"""

from __future__ import annotations

import codecs
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_checker.nearest import check_known
from synth_kernels.kernel_file import read
from synth_kernels.program import UnreadKernel

if TYPE_CHECKING:
    from synth_kernels.kernel_file import SourceOptions
    from synth_kernels.program import Kernel


def read_sequential(path: Path, name: str, how: SourceOptions) -> Kernel:
    """Return a function of a file, which returns nothing.

    Raises:
        InputError: the file can't be read, or it has no such function.
        ResourceError: packages that are needed for that are not installed.
    """
    how = replace(how, instances=(), standard="")
    functions = (
        _read_c(path, name, how) if path.suffix == ".c" else {function.name: function for function in read(path, how)}
    )
    check_known("function", name, functions)
    function = functions[name]
    if isinstance(function, UnreadKernel):
        raise InputError(f"{path}: {name} has something that is not supported: {function.reason}")
    return function


def _read_c(path: Path, name: str, how: SourceOptions) -> dict[str, Kernel | UnreadKernel]:
    if not path.is_file():
        raise InputError(f"{path}: found no file, expected a file of C")
    # In the file and not before our own headers, some of whose parameters may have the function's name.
    prefix = f"#define {name} __attribute__((global)) {name}\n#define restrict __restrict__\n#line 1\n"
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / f"{path.stem}.cu"
        copy.write_bytes(prefix.encode() + path.read_bytes().removeprefix(codecs.BOM_UTF8))
        try:
            kernels = read(copy, replace(how, includes=(*how.includes, str(path.parent)), compiled_by=""))
        except InputError as error:
            raise InputError(str(error).replace(str(copy), str(path))) from None
    return {kernel.name: kernel for kernel in kernels}
