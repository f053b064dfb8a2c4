"""The options that say how a file of kernels is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from synth.cli.shared.option_group import OptionValues, SharedOption
from synth.cli.shared.question_options import check_word
from synth_checker.errors import InputError

if TYPE_CHECKING:
    from synth_kernels.command_lines import PointerBits
    from synth_kernels.kernel_file import Overflow, SourceOptions

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
#: These options, in the order in which helps list them.
READING = {
    "define": SharedOption(Define),
    "include": SharedOption(Include),
    "standard": SharedOption(Standard, ""),
    "instantiate": SharedOption(Instances),
    "compiled_by": SharedOption(CompiledBy, ""),
    "pointer_bits": SharedOption(PointerWidth),
    "overflow": SharedOption(SignedOverflow, "wrap"),
}


def how_of(options: OptionValues) -> SourceOptions:
    """Return what these options say, by their names. Others may stand among them."""
    from synth_kernels.kernel_file import SourceOptions

    define, include, instances = (tuple(options[name] or ()) for name in ("define", "include", "instantiate"))
    bits, overflow = pointer_bits_and_overflow(options["pointer_bits"], options["overflow"])
    return SourceOptions(
        define, include, options["standard"], instances, bits, overflow, compiled_by=options["compiled_by"]
    )


def pointer_bits_and_overflow(bits: int | None, overflow: str) -> tuple[PointerBits | None, Overflow]:
    """Return the width of pointers, and what an overflow does, as two options say.

    Raises:
        InputError: an option has another word.
    """
    from synth_kernels.command_lines import POINTER_BITS
    from synth_kernels.kernel_file import OVERFLOW

    if bits is not None and bits not in POINTER_BITS:
        raise InputError(f"pointer-bits: found {bits}, expected 32 or 64")
    check_word("overflow", overflow, OVERFLOW)
    return next((pointer_bit for pointer_bit in POINTER_BITS if pointer_bit == bits), None), next(
        word for word in OVERFLOW if word == overflow
    )
