"""The flags of a compiler that say what a source means: definitions, folders of headers, and the language.

They are in a command line of nvcc, hipcc, clang or a compiler of OpenCL C, or in a file `compile_commands.json` with
such command lines, as CMake and Bear write it (https://clang.llvm.org/docs/JSONCompilationDatabase.html). All other
flags say how to compile, and not what. A flag that would change the source, and that we do not follow, is refused.
"""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from synth_checker.errors import InputError, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


#: The width of pointers.
PointerBits: TypeAlias = Literal[32, 64]
POINTER_BITS: tuple[PointerBits, ...] = (64, 32)
#: The flags that matter, by all names that compilers have for them.
_NAMES = {
    **dict.fromkeys(("-D", "--define-macro"), "define"),
    **dict.fromkeys(("-U", "--undefine-macro"), "undefine"),
    **dict.fromkeys(("-I", "--include-path", "-isystem", "--system-include", "-iquote", "-idirafter"), "include"),
    **dict.fromkeys(("-std", "--std", "-cl-std"), "standard"),
    **dict.fromkeys(("-m", "--machine"), "bits"),
    **dict.fromkeys(("-include", "--pre-include", "-optf", "--options-file", "-imacros"), "refused"),
    **dict.fromkeys(("-arch", "--gpu-architecture", "--cuda-gpu-arch", "--offload-arch"), "architecture"),
    **dict.fromkeys(("-gencode", "--generate-code"), "architecture"),
}
_BITS: dict[str, PointerBits] = {"32": 32, "64": 64}
#: Flags whose value is the next word, and must not be read as a flag.
_WITH_VALUE = {"-o", "-x", "-Xcompiler", "-Xptxas", "-Xlinker", "-Xclang", "-ccbin", "-MF", "-MT"}
#: Flags without a value that change what numbers of the source mean.
_OF_NUMBERS = {"-funsigned-char", "-fno-signed-char", "-fshort-wchar", "-fshort-enums", "-ffast-math"}
#: The name of a file of command lines.
COMMANDS = "compile_commands.json"


class Flags(NamedTuple):
    """What a command line says: definitions, folders of headers, the version of the language, the width of pointers."""

    defines: tuple[str, ...] = ()
    includes: tuple[str, ...] = ()
    standard: str = ""
    pointer_bits: PointerBits | None = None


def flags_in(words: Iterable[str], folder: Path) -> Flags:
    """Return what a command line says. Its folders of headers begin at `folder`.

    Raises:
        InputError: it has a flag that changes the source in another way.
    """
    defines: dict[str, str] = {}
    includes, standard = [], ""
    bits: PointerBits | None = None
    architectures: set[str] = set()
    for name, value in _flag_values(iter(words)):
        match _NAMES[name]:
            case "define":
                defines[value.partition("=")[0]] = value
            case "undefine":
                defines.pop(value, None)
            case "include":
                includes.append(str(folder / value))
            case "standard":
                standard = value
            case "bits":
                bits = _BITS.get(value, bits)
            case "architecture":
                architectures |= set(re.findall(r"\b(?:sm|compute)_(\d+)", value))
            case _:
                raise InputError(
                    f"command line: found {name} {value}, which synth does not follow; put it into the source"
                )
    if len(architectures) > 1:
        raise InputError(f"command line: found the architectures {', '.join(sorted(architectures))}, expected one")
    for architecture in architectures:
        defines.setdefault("__CUDA_ARCH__", f"__CUDA_ARCH__={architecture}0")
    return Flags(tuple(defines.values()), tuple(includes), standard, bits)


def _flag_values(words: Iterator[str]) -> Iterator[tuple[str, str]]:
    """Yield the flags that matter, each with its value: in the same word, behind `=` or not, or in the next one."""
    for word in words:
        if word in _WITH_VALUE:
            next(words, "")
            continue
        if word in _NAMES:
            yield word, next(words, "")
            continue
        name, equals, value = word.partition("=")
        if word in _OF_NUMBERS or word.startswith("@"):
            raise InputError(
                f"command line: found {word}, which synth does not follow; put what it says into other flags"
            )
        if equals and name in _NAMES:
            yield name, value
        elif word[:2] in {"-D", "-U", "-I"}:
            yield word[:2], word[2:]
        elif word in {"-m32", "-m64"}:
            yield "-m", word[2:]


def flags_of(text: str, path: Path) -> Flags:
    """Return the flags of a command line, or those with which a file of command lines compiles a source.

    Raises:
        InputError: there is no command line for this source, or it is wrong.
    """
    return flags_in(*_command_of(text, path))


def _command_of(text: str, path: Path) -> tuple[Sequence[str], Path]:
    """Return the words of a command line, and the folder in which it was called."""
    here = Path(text)
    if here.is_dir():
        here /= COMMANDS
    if here.suffix != ".json":
        return _split(text), Path()
    if here.exists() and not here.is_file():  # a pipe may never begin
        raise InputError(f"{here}: found a pipe or a device, expected a file of command lines")
    try:
        entries = json.loads(here.read_text("utf-8-sig"))
    except (OSError, ValueError) as error:
        raise InputError(
            f"{here}: expected a file of command lines: {getattr(error, 'strerror', None) or error}"
        ) from None
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict) and (folder := _folder_of(entry, here, path)) is not None:
            words = entry.get("arguments") or _split(str(entry.get("command", "")))
            return [str(word) for word in words], folder
    raise InputError(f"{here}: found no command line for {path}, expected one")


def _folder_of(entry: Mapping[str, object], here: Path, path: Path) -> Path | None:
    """Return the folder of a command line if it compiles a source."""
    folder = here.parent / str(entry.get("directory", ""))
    return folder if (folder / str(entry.get("file", ""))).resolve() == path.resolve() else None


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        raise InputError(f"command line: found {quoted(text)}, expected a command line: {str(error).lower()}") from None
