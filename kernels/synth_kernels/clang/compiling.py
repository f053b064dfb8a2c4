"""Compile a source to LLVM IR in which calls are inlined and variables are registers.

By default no pass runs that deletes, merges or moves an access to memory: to read an array twice may race although the
compiler reads it once. So clang optimises nothing, and of LLVM's passes only those run that inline calls, keep local
variables in registers, and make the flow of control simple.
"""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

from synth_checker.errors import InputError, LimitError, excerpt
from synth_kernels.clang.toolchain import STUBS, check_versions, clang

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from synth_kernels.reading import How

_ERROR = re.compile(r"^(.*?):(\d+):(\d+): (?:fatal )?error: (.*)$", re.MULTILINE)
#: Clang gets so many seconds. It needs a fraction of one.
_SECONDS = 60
#: A source has at most so many bytes.
_MOST_BYTES = 16 << 20
_STANDARDS = {"CL1.0": 100, "CL1.1": 110, "CL1.2": 120, "CL2.0": 200, "CL3.0": 300}
#: The standards that are tried if none is given.
_TRIED = ("CL1.2", "CL2.0", "CL3.0")

#: No warnings, and what other compilers accept: pointers of another type, and `inline` functions with one definition.
_LENIENT = ("-w", "-Wno-error=incompatible-pointer-types", "-fgnu89-inline")


def opencl_words(how: How, standard: str) -> list[str]:
    """Return clang's options for OpenCL C."""
    triple = "spir64-unknown-unknown" if how.pointer_bits == 64 else "spir-unknown-unknown"
    return [
        *("-triple", triple, "-x", "cl", f"-cl-std={standard}", "-cl-ext=+all"),
        *("-finclude-default-header", "-fdeclare-opencl-builtins"),
        f"-D__OPENCL_VERSION__={_STANDARDS.get(standard, 300)}",
    ]


def compile_source(path: Path, how: How) -> str:
    """Return the LLVM IR of a source, with calls inlined.

    Raises:
        InputError: the source does not compile.
        ResourceError: a package is missing, or the versions of two packages differ.
    """
    if (size := path.stat().st_size) > _MOST_BYTES:
        msg = f"{path}: found {size:,} bytes, expected at most {_MOST_BYTES:,}"
        raise LimitError(msg)
    error: InputError | None = None
    for standard in (how.standard,) if how.standard else _TRIED:
        try:
            return _inlined(_compiled(path, opencl_words(how, standard), how))
        except InputError as found:
            error = found if error is None or standard == "CL2.0" else error
    assert error is not None  # noqa: S101  (at least one standard was tried)
    raise error


def _compiled(path: Path, language: Sequence[str], how: How) -> str:
    words = [
        *(*clang(), "-cc1", *language, "-I", str(STUBS)),
        *(word for folder in how.includes for word in ("-I", folder)),
        *("-D__SYNTH__=1", *(f"-D{define}" for define in how.defines)),
        *_LENIENT,
        *("-O0", "-disable-O0-optnone", "-debug-info-kind=standalone", "-emit-llvm", "-o", "-", str(path)),
    ]
    try:
        done = subprocess.run(words, capture_output=True, timeout=_SECONDS, check=False)  # noqa: S603  (our words)
    except subprocess.TimeoutExpired:
        msg = f"{path}: clang took more than {_SECONDS} seconds"
        raise LimitError(msg) from None
    if done.returncode:
        raise _refused(path, done.stderr.decode("utf-8", "replace"))
    return done.stdout.decode("utf-8", "replace")


def _refused(path: Path, messages: str) -> InputError:
    """Return the error for a source that does not compile: the first of clang's messages, in one line."""
    found = _ERROR.findall(messages)
    if not found:
        last = next((line for line in reversed(messages.splitlines()) if line.strip()), "no message")
        return InputError(f"{path}: clang failed: {excerpt(last)}")
    file, line, column, text = found[0]
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    readable = "".join(letter if letter.isprintable() else "?" for letter in text)
    return InputError(f"{file}:{line}:{column}: {readable}{more}")


def _inlined(ir: str) -> str:
    import llvmlite.binding as llvm

    check_versions(ir, llvm.llvm_version_info)
    llvm.initialize_native_target()
    # Clang marks each function to be kept apart, because it optimises nothing.
    ir = re.sub(
        r"^attributes #.*", lambda match: re.sub(r"\bnoinline\b", "alwaysinline", match[0]), ir, flags=re.MULTILINE
    )
    module = llvm.parse_assembly(ir)
    machine = llvm.Target.from_default_triple().create_target_machine()
    builder = llvm.create_pass_builder(machine, llvm.PipelineTuningOptions(speed_level=0))
    passes = llvm.create_new_module_pass_manager()
    passes.add_always_inliner_pass()
    passes.add_sroa_pass()
    passes.add_lower_switch_pass()
    passes.run(module, builder)
    return str(module)
