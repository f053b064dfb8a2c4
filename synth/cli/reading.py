"""The options that say how a file of kernels is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from synth.cli.taking import Given, Shared

if TYPE_CHECKING:
    from synth_kernels.reading import How

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
#: These options, in the order in which helps list them.
READING = {
    "define": Shared(Define),
    "include": Shared(Include),
    "standard": Shared(Standard, ""),
    "instantiate": Shared(Instances),
}


def how_of(given: Given) -> How:
    """Return what these options say, by their names. Others may stand among them."""
    from synth_kernels.reading import How

    define, include, instances = (tuple(given[name] or ()) for name in ("define", "include", "instantiate"))
    return How(define, include, given["standard"], instances)
