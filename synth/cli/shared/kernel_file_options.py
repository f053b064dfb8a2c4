"""The options that say how a file of kernels is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple, TypeAlias

import typer

from synth_checker.errors import InputError
from synth_checker.nearest import check_known

if TYPE_CHECKING:
    from synth_kernels.kernel_file import SourceOptions

Define: TypeAlias = Annotated[
    list[str] | None, typer.Option("--define", "-D", help="Define a macro.", metavar="NAME[=VALUE]")
]
Include: TypeAlias = Annotated[
    list[str] | None, typer.Option("--include", "-I", help="Look for included files here.", metavar="DIR")
]
Standard: TypeAlias = Annotated[
    str,
    typer.Option(
        help="The version of OpenCL C or C++.  [default: the first that compiles, or c++17]",
        metavar="CL1.2|CL2.0|c++17|...",
    ),
]
Instances: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--instantiate", help="Read this instance of a template kernel, too.", metavar="'NAME<ARGUMENT,...>'"),
]
CompiledBy: TypeAlias = Annotated[
    str,
    typer.Option(
        "--compiled-by",
        help="Take the definitions, folders and the version of the language from a command line such as 'nvcc -DN=4 "
        "-Iinclude', or from a file compile_commands.json.",
        metavar="COMMAND|FILE",
    ),
]
PointerWidth: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--pointer-bits",
        help="The width of pointers and of size_t.  [default: 64, or that of a recorded launch]",
        metavar="32|64",
        show_default=False,
    ),
]
SignedOverflow: TypeAlias = Annotated[
    str,
    typer.Option(
        "--overflow",
        help="Whether signed numbers wrap around, or each overflow is a fault.  [C and C++ only]",
        metavar="wrap|fault",
    ),
]
BarrierSites: TypeAlias = Annotated[
    str,
    typer.Option(
        "--barrier-sites",
        help="Whether the threads of a group must wait at the same barrier of the source, or at any. A barrier of the "
        "grid is one object in any case.",
        metavar="same|any",
    ),
]
SITES = ("same", "any")


class ReadingOptions(NamedTuple):
    """These options, in the order in which helps list them."""

    define: Define = None
    include: Include = None
    standard: Standard = ""
    instantiate: Instances = None
    compiled_by: CompiledBy = ""
    pointer_bits: PointerWidth = None
    overflow: SignedOverflow = "wrap"

    def how(self) -> SourceOptions:
        """Return how a file is read.

        Raises:
            InputError: an option has another word than those that it takes.
        """
        from synth_kernels.command_lines import POINTER_BITS
        from synth_kernels.kernel_file import OVERFLOW, SourceOptions

        if self.pointer_bits is not None and self.pointer_bits not in POINTER_BITS:
            raise InputError(f"pointer-bits: found {self.pointer_bits}, expected 32 or 64")
        check_known("overflow", self.overflow, OVERFLOW)
        return SourceOptions(
            tuple(self.define or ()),
            tuple(self.include or ()),
            self.standard,
            tuple(self.instantiate or ()),
            next((bits for bits in POINTER_BITS if bits == self.pointer_bits), None),
            next(word for word in OVERFLOW if word == self.overflow),
            compiled_by=self.compiled_by,
        )
