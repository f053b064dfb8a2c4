"""Read the kernels of a file, whatever language it is in. The suffix of the file says which.

A reader of a language is a module with a function `read(path, how)`, where `how` is a `SourceOptions`. It returns the
kernels in the order of the file, and `UnreadKernel` for those with something that is not supported. A reader that needs
packages of the extra `kernels` raises `ResourceError` with the command that installs them (`missing_package`).
"""

from __future__ import annotations

import importlib
import shlex
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias, cast

from synth_checker.errors import InputError, ResourceError
from synth_checker.extras import how_to_install
from synth_checker.nearest import hint
from synth_kernels.claim_selection import ALL, Claims, select_claims
from synth_kernels.command_lines import flags_of
from synth_kernels.deadline import NEVER
from synth_kernels.premises import premise
from synth_kernels.program import Kernel

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from synth_kernels.command_lines import PointerBits
    from synth_kernels.program import UnreadKernel

#: Tells our headers that the kernel is run, so that results of threads together must not be arbitrary. The value of
#: this definition is the number of lanes of a subgroup.
RUNS = "SYNTH_RUNS"
#: What an overflow of a signed number does.
Overflow: TypeAlias = Literal["wrap", "fault"]
OVERFLOW: tuple[Overflow, ...] = ("wrap", "fault")
#: The suffixes of files that may have litmus tests.
_OF_TESTS = {".txt", ".jsonl", ".zst"}
#: The suffix of a file with typed programs.
TYPED = ".kernel"
#: The module that reads files with a suffix. The modules are imported only when such a file is read.
_CLANG = "synth_kernels.clang.source_file"
#: The suffixes of CUDA and HIP.
CUDA = (".cu", ".hip")
READERS = dict.fromkeys((".cl", *CUDA), _CLANG)


@dataclass(frozen=True, slots=True)
class SourceOptions:
    """How to read a source: definitions and folders of the preprocessor, and what else a language needs.

    `standard` is the version of the language, such as `CL2.0`. `instances` are template kernels with their arguments,
    such as `scale<float, 4>`. `pointer_bits` is the width of pointers and of `size_t`, which is 64 if nobody says
    another one. With the word `fault`, each signed `overflow` is a fault; with `wrap`, signed numbers wrap around.
    `claims` says which claims of the user count. `optimise` lets a compiler delete, merge and move accesses before the
    kernel is read. With `modular`, functions are not inlined. `compiled_by` is a command line with further flags, or a
    file with such command lines. At the time `until`, reading is given up.
    """

    defines: tuple[str, ...] = ()
    includes: tuple[str, ...] = ()
    standard: str = ""
    instances: tuple[str, ...] = ()
    pointer_bits: PointerBits | None = None
    overflow: Overflow = "wrap"
    claims: Claims = ALL
    optimise: bool = False
    modular: bool = False
    compiled_by: str = ""
    until: float = NEVER


def _with_flags(how: SourceOptions, path: Path) -> SourceOptions:
    """Return how to read a source with the flags of its command line. What `how` says itself comes first."""
    if not how.compiled_by:
        return how
    flags = flags_of(how.compiled_by, path)
    return replace(
        how,
        defines=(*flags.defines, *how.defines),
        includes=(*how.includes, *flags.includes),
        standard=how.standard or flags.standard,
        pointer_bits=how.pointer_bits or flags.pointer_bits,
        compiled_by="",
    )


class _KernelReader(Protocol):
    def read(self, path: Path, how: SourceOptions) -> Sequence[Kernel | UnreadKernel]: ...


def missing_package(package: str) -> ResourceError:
    """Return the error that a package of the extra `kernels` is not installed."""
    return ResourceError(f"{package} is not installed, which reads kernels in C; run: {how_to_install('kernels')}")


def read(path: Path, how: SourceOptions) -> Sequence[Kernel | UnreadKernel]:
    """Return the kernels of a file.

    Raises:
        InputError: the file can't be read as its suffix says.
        OverdueError: the time was over before they were read.
        ResourceError: packages that are needed for that are not installed.
    """
    if not path.is_file():
        kind = "a folder" if path.is_dir() else "a pipe or a device" if path.exists() else "no file"
        raise InputError(f"{path}: found {kind}, expected a file with kernels")
    how = _with_flags(how, path)
    if how.instances and path.suffix not in CUDA:
        raise InputError(f"{path}: found instances of template kernels, expected a file in CUDA or HIP for them")
    if path.suffix == TYPED:
        try:
            from synth_kernels.text import parse_all

            return [_with_choices(kernel, how, is_typed=True) for kernel in parse_all(path.read_text("utf-8-sig"))]
        except InputError as error:
            raise InputError(f"{path}: {error}") from None
        except UnicodeDecodeError as error:
            raise InputError(f"{path}: byte {error.start + 1} is not UTF-8, expected a text with kernels") from None
    if path.suffix not in READERS:
        suffixes = (TYPED, *READERS)
        near = hint(path.suffix, suffixes)
        tests = f"; for litmus tests: synth check {shlex.quote(str(path))}" * (path.suffix in _OF_TESTS)
        raise InputError(
            f"{path}: found the suffix {path.suffix!r}{near}, expected one of {', '.join(suffixes)}{tests}"
        )
    try:
        reader = cast("_KernelReader", importlib.import_module(READERS[path.suffix]))
    except ModuleNotFoundError as error:
        raise missing_package(error.name or "a package") from None
    return [
        _with_choices(kernel, how, is_typed=False) if isinstance(kernel, Kernel) else kernel
        for kernel in reader.read(path, how)
    ]


def _with_choices(kernel: Kernel, how: SourceOptions, *, is_typed: bool) -> Kernel:
    """Return a kernel with the claims that count, and with what the choices of the user take for granted."""
    names = {"none": ["no annotations"], "requires": ["only requires"], "all": []}[how.claims.which]
    names += ["candidates"] * how.claims.invariants_as_candidates
    names += ["optimised"] * (how.optimise and not is_typed)
    names += ["unchecked"] * (how.overflow == "fault" and not is_typed)
    defined = [premise("defined", define) for define in how.defines if not is_typed and not define.startswith(RUNS)]
    chosen = select_claims(kernel, how.claims, is_typed=is_typed)
    return replace(chosen, premises=(*chosen.premises, *defined, *map(premise, names)))
