"""Compile a source to LLVM IR in which calls are inlined and variables are registers.

By default no pass runs that deletes, merges or moves an access to memory: to read an array twice may race although the
compiler reads it once. So clang optimises nothing, and of LLVM's passes only those run that inline calls, keep local
variables in registers, and make the flow of control simple. Clang is told to optimise only because it marks the lives
of variables then, which `preparation` needs.
"""

from __future__ import annotations

import re
import subprocess
import time
from typing import TYPE_CHECKING

from synth_checker.errors import InputError, LimitError, excerpt
from synth_kernels.clang import cuda
from synth_kernels.clang.places import place
from synth_kernels.clang.preparation import prepare
from synth_kernels.clang.toolchain import STUBS, check_versions, clang
from synth_kernels.deadline import check
from synth_kernels.kernel_file import CUDA

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from synth_kernels.kernel_file import SourceOptions

_ERROR = re.compile(r"^(.*?):(\d+):(\d+): (?:fatal )?error: (.*)$", re.MULTILINE)
#: The device uses what was left out. Clang prints the lines of other errors, too, which may have this name.
_HOST_ONLY = re.compile(rf"error: .*'{cuda.HOST_ONLY}'")
#: An error, or the place that asks for the instance of a template that has one.
_BLAMED = re.compile(r"^(.*?):(\d+):(\d+): (?:(?:fatal )?error: |note: .* requested here$)", re.MULTILINE)
#: Clang gets so many seconds. It needs a fraction of one, but the machine may be busy.
_SECONDS = 300
#: LLVM takes about so many times as long as clang to read, change and print IR of many letters, and to forget it.
_TIMES, _MUCH = 3.0, 1_000_000
#: The functions that a module defines, and those that it calls by name.
_DEFINED = re.compile(r'^define [^@\n]*@([\w.$]+|"[^"]+")\(', re.MULTILINE)
_CALLED = re.compile(r'\bcall [^@\n]*@([\w.$]+|"[^"]+")\(')
#: Functions are inlined at most so many times into each other that only their pointers name.
_MOST_DEEP = 8
#: A source has at most so many bytes.
_MOST_BYTES = 16 << 20
_STANDARDS = {"CL1.0": 100, "CL1.1": 110, "CL1.2": 120, "CL2.0": 200, "CL3.0": 300}
#: The header of annotations, and the macro that leaves some of them out.
ANNOTATIONS = STUBS / "synth-annotations.h"
_LEFT_OUT = {"requires": "SYNTH_ONLY_REQUIRES", "none": "SYNTH_NO_ANNOTATIONS"}
#: The standards that are tried if none is given.
_TRIED = ("CL1.2", "CL2.0", "CL3.0")

#: How folders are searched for headers: those of CUDA and HIP behind those of the languages, whose headers include each
#: other in angle brackets. A header of the user may share a name with one of them.
_INCLUDING = {False: ("-I",), True: ("-iquote", "-idirafter")}
#: What other compilers accept: pointers of another type, and `inline` functions with one definition.
_LENIENT = ("-Wno-error=incompatible-pointer-types", "-fgnu89-inline")


def opencl_words(how: SourceOptions, standard: str) -> list[str]:
    """Return clang's options for OpenCL C."""
    triple = "spir-unknown-unknown" if how.pointer_bits == 32 else "spir64-unknown-unknown"
    return [
        *("-triple", triple, "-x", "cl", f"-cl-std={standard}", "-cl-ext=+all", *_LENIENT),
        *("-finclude-default-header", "-fdeclare-opencl-builtins"),
        f"-D__OPENCL_VERSION__={_STANDARDS.get(standard, 300)}",
    ]


def compile_source(path: Path, how: SourceOptions) -> str:
    """Return the LLVM IR of a source, with calls inlined.

    Raises:
        InputError: the source does not compile.
        OverdueError: the time was over before clang had compiled it.
        ResourceError: a package is missing, or the versions of two packages differ.
    """
    if (size := path.stat().st_size) > _MOST_BYTES:
        raise LimitError(f"{path}: found {size:,} bytes, expected at most {_MOST_BYTES:,}")
    if path.suffix in CUDA:
        begun = time.monotonic()
        return _inline_calls(_compile_cuda(path, how), how, time.monotonic() - begun)
    error: InputError | None = None
    for standard in (how.standard,) if how.standard else _TRIED:
        begun = time.monotonic()
        try:
            ir = _run_clang(path, str(path), [*opencl_words(how, standard), "-I", str(STUBS)], how)
            return _inline_calls(ir, how, time.monotonic() - begun)
        except NotCompiledError as found:
            error = found if error is None or standard == "CL2.0" else error
    assert error is not None  # noqa: S101  (at least one standard was tried)
    raise error


def _compile_cuda(path: Path, how: SourceOptions) -> str:
    """Return the LLVM IR of a file in CUDA or HIP, without what the host does where that does not compile.

    The instances of template kernels that it launches there are kept, as far as they compile without the host.
    """
    words, text = cuda.words(path, how), cuda.source(path)
    #: First statements are left out, then the bodies of functions, and then whole declarations.
    steps = iter(
        (cuda.HostOmission.STATEMENTS, *(cuda.HostOmission.BODIES,) * 2, *(cuda.HostOmission.DECLARATIONS,) * 2)
    )
    lost: set[str] = set()
    may_add = True
    first: NotCompiledError | None = None
    while True:
        added = cuda.instance_uses(how.instances) + cuda.instance_uses(sorted(lost - set(how.instances)), cuda.LAUNCHES)
        try:
            return _run_clang(path, "-", words, how, text + added)
        except NotCompiledError as error:
            if any(file == cuda.LAUNCHES for file, _, _ in error.places):
                lost, may_add = set(), False
                continue
            here = {(line + 1, column) for file, line, column in error.places if file == str(path)}
            first = first or error
            tried = (cuda.without_hosts(text, here, whole) for whole in steps)
            less = next((shorter for shorter in tried if shorter is not None), None)
            if less is None or _HOST_ONLY.search(error.messages):
                raise first from None
            lost |= cuda.launched_instances(text) - cuda.launched_instances(less) if may_add else set()
            text = less


def _run_clang(path: Path, source: str, language: Sequence[str], how: SourceOptions, text: str | None = None) -> str:
    """Return the LLVM IR of a source, which is the file `source`, or a text if that is `-`."""
    words = [
        *(*clang(), "-cc1", *language),
        *(word for folder in how.includes for option in _INCLUDING[path.suffix in CUDA] for word in (option, folder)),
        *("-include", str(ANNOTATIONS), "-D__SYNTH__=1", *_left_out(how), *(f"-D{define}" for define in how.defines)),
        *("-w", "-ferror-limit", "0"),
        *("-O1", "-disable-llvm-passes", "-relaxed-aliasing", "-debug-info-kind=standalone"),
        *("-o", "-", source),
    ]
    made = _output(path, [*words, "-emit-llvm"], how, text)
    if how.defines:
        _check_defines(path, how.defines, _output(path, [*words, "-E", "-dM"], how, text))
    return made


def _output(path: Path, words: Sequence[str], how: SourceOptions, text: str | None) -> str:
    """Run clang and return what it prints."""
    sent = None if text is None else text.encode("utf-8", "surrogateescape")
    seconds = max(0.0, min(_SECONDS, how.until - time.monotonic()))
    try:
        process = subprocess.run(words, input=sent, capture_output=True, timeout=seconds, check=False)  # noqa: S603  (our words)
    except subprocess.TimeoutExpired:
        check(how.until, f"clang had compiled {path}")
        raise LimitError(f"{path}: clang took more than {_SECONDS} seconds") from None
    if process.returncode:
        raise _compile_error(path, process.stderr.decode("utf-8", "replace"))
    return process.stdout.decode("utf-8", "replace")


def _check_defines(path: Path, defines: Sequence[str], macros: str) -> None:
    """Check that macros have the values that the answer says: a file may define them anew, and clang only warns."""
    last = dict(re.findall(r"^#define (\w+)(?: (.*))?$", macros, re.MULTILINE))
    wanted = dict(define.split("=", 1) for define in defines if "=" in define)
    for name, value in wanted.items():
        if name.isidentifier() and last.get(name, "").split() != value.split():
            done = f"defines {name} as {last[name]}" if name in last else f"undefines {name}"
            raise InputError(
                f"{path}: -D {name}={value} does not hold, because the file {done}; "
                f"put that line between #ifndef {name} and #endif"
            )


def _left_out(how: SourceOptions) -> list[str]:
    return [f"-D{_LEFT_OUT[how.claims.which]}"] if how.claims.which in _LEFT_OUT else []


class NotCompiledError(InputError):
    """A source that does not compile: what clang says, and the files, lines and columns that are to blame."""

    messages: str = ""
    places: Sequence[tuple[str, int, int]] = ()


def _compile_error(path: Path, messages: str) -> NotCompiledError:
    """Return the error for a source that does not compile: the first of clang's messages, in one line."""
    errors = _ERROR.findall(messages)
    if not errors:
        last = next((line for line in reversed(messages.splitlines()) if line.strip()), "no message")
        return NotCompiledError(f"{path}: clang failed: {excerpt(last)}")
    file, line, column, text = errors[0]
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    readable = "".join(letter if letter.isprintable() else "?" for letter in text)
    hint = "; add its folder with -I" if readable.endswith("file not found") else ""
    shown = place(file, int(line), int(column))
    error = NotCompiledError(f"{file}:{line}:{shown.column}: {readable}{hint}{more}")
    error.messages = messages
    error.places = [(file, int(line), int(column)) for file, line, column in _BLAMED.findall(messages)]
    return error


def _inline_calls(ir: str, how: SourceOptions, took: float) -> str:
    """Return LLVM IR with calls inlined. Clang took some seconds to make it.

    Nothing can interrupt LLVM. So if there is a lot to read, and the time left is less than LLVM will need, it is over.
    """
    if len(ir) > _MUCH:
        check(how.until - _TIMES * took, "the kernels were read")
    import llvmlite.binding as llvm

    check_versions(ir, llvm.llvm_version_info)
    llvm.initialize_native_target()
    module = llvm.parse_assembly(prepare(ir, how.overflow, modular=how.modular, optimised=how.optimise))
    check(how.until, "the kernels were read")
    machine = llvm.Target.from_default_triple().create_target_machine()
    builder = llvm.create_pass_builder(machine, llvm.PipelineTuningOptions(speed_level=0))
    passes = llvm.create_new_module_pass_manager()
    passes.add_always_inliner_pass()
    passes.add_sroa_pass()
    if how.optimise:
        passes.add_instruction_combine_pass()
        passes.add_new_gvn_pass()
        passes.add_dead_store_elimination_pass()
        passes.add_aggressive_dce_pass()
        passes.add_simplify_cfg_pass()
    passes.add_lower_switch_pass()
    for _ in range(1 if how.modular else _MOST_DEEP):
        passes.run(module, builder)
        text = str(module)
        if not _calls_others(text):
            break
        # A pointer to a function may have become known, because the call with this argument was inlined.
        passes = llvm.create_new_module_pass_manager()
        passes.add_always_inliner_pass()
        passes.add_sroa_pass()
        passes.add_lower_switch_pass()
        check(how.until, "the kernels were read")
    return text


def _calls_others(ir: str) -> bool:
    """Return whether a call of a function with a body is left."""
    bodies = set(_DEFINED.findall(ir))
    return any(name in bodies for name in _CALLED.findall(ir))
