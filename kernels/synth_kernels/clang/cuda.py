"""How clang reads CUDA and HIP: both as CUDA for the device, with our headers instead of those of the vendors.

A file may have code of the host beside its kernels. Clang reads this code, too, but emits nothing for it. It may use a
library that is not there, and so not compile. Then `without_hosts` leaves it out. The headers of the C and C++
libraries come with clang.
"""

from __future__ import annotations

import enum
import hashlib
import re
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_kernels.clang.toolchain import STUBS, headers

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from pathlib import Path

    from synth_kernels.kernel_file import SourceOptions

#: What clang calls the lines that we add for template kernels.
INSTANCES = "--instantiate"
#: What clang calls those that we add for launches that were left out.
LAUNCHES = "a launch by the host"
#: A function that only the host may call. It stands for what was left out, so that clang refuses it on the device.
HOST_ONLY = "__synth_host_only"
_HEADERS = (
    *("libcxx/include", "libcxxabi/include", "include"),
    *("libc/include/x86_64-linux-musl", "libc/include/generic-musl"),
    *("libc/include/x86-linux-any", "libc/include/any-linux-any"),
)
#: How the C++ library was built. Its headers ask for that.
_LIBRARY = (
    *("ABI_VERSION=1", "ABI_NAMESPACE=__1", "HAS_THREADS=1", "HAS_MONOTONIC_CLOCK=1", "HAS_TERMINAL=1"),
    *("HAS_MUSL_LIBC=1", "HAS_VENDOR_AVAILABILITY_ANNOTATIONS=0", "HAS_FILESYSTEM=1", "HAS_RANDOM_DEVICE=1"),
    *("HAS_LOCALIZATION=1", "HAS_UNICODE=1", "HAS_WIDE_CHARACTERS=1", "HAS_NO_STD_MODULES", "PSTL_BACKEND_SERIAL"),
    *("HARDENING_MODE=_LIBCPP_HARDENING_MODE_NONE", "ASSERTION_SEMANTIC_DEFAULT=_LIBCPP_ASSERTION_SEMANTIC_IGNORE"),
)
_CUDA = ("__CUDACC__=1", "__NVCC__=1", "__CUDA_ARCH__=800", "CUDART_VERSION=12000", "__CUDACC_VER_MAJOR__=12")
_HIP = (
    *("__HIPCC__=1", "__HIP__=1", "__HIP_PLATFORM_AMD__=1", "__HIP_DEVICE_COMPILE__=1"),
    *("HIP_VERSION_MAJOR=6", "HIP_VERSION_MINOR=0", "HIP_VERSION=60000000"),
    *(
        f"__HIP_MEMORY_SCOPE_{name}={number}"
        for number, name in enumerate(("SINGLETHREAD", "WAVEFRONT", "WORKGROUP", "AGENT", "SYSTEM"), start=1)
    ),
)
_STANDARD = "c++17"
#: How the names of headers begin that only code of the host needs. Without them, what it does is left out.
_INCLUDE = re.compile(
    r"""^[ \t]*\#[ \t]*include[ \t]*[<"]
        (?:thrust/|cub/|cublas|cufft|curand|cusparse|cusolver|cudnn|nvtx|nccl|rocblas|hipblas|hipcub|hipfft|hiprand
        |rocprim/|rocrand|mpi\.h|omp\.h|GL/|boost/|opencv2/)[^\n]*""",
    re.MULTILINE | re.VERBOSE,
)
#: What stands before the name of a template kernel and its parameters.
_TEMPLATE = re.compile(
    r"\btemplate\s*<[^{};]*?__global__(?:__launch_bounds__\s*\([^)]*\)|[^{};(])*?\b(?!__launch)(\w+)\s*\("
)
#: A launch of an instance of a template kernel, in CUDA and in HIP.
_LAUNCH = re.compile(
    r"\b([A-Za-z_][\w:]*\s*<[^;{}()<>]*>)\s*<<<|"
    r"\bhipLaunchKernelGGL\s*\(\s*(?:HIP_KERNEL_NAME)?\s*\(?\s*([A-Za-z_][\w:]*\s*<[^;{}()<>]*>)\s*\)?\s*,"
)


def words(path: Path, how: SourceOptions) -> list[str]:
    """Return clang's options for a file in CUDA or HIP.

    Raises:
        InputError: there is no such version of C++, or no such width of pointers.
    """
    if how.pointer_bits == 32:
        raise InputError(f"pointer bits: found 32, expected 64 for {path.name}, because CUDA and HIP have no others")
    standard = (how.standard or _STANDARD).lower()
    if not standard.startswith(("c++", "gnu++")):
        raise InputError(f"standard: found {how.standard!r}, expected a version of C++ such as c++17 for {path.name}")
    own = _HIP if path.suffix == ".hip" else _CUDA
    return [
        *("-triple", "nvptx64-nvidia-cuda", "-aux-triple", "x86_64-linux-musl"),
        *("-x", "cuda", f"-std={standard}", "-fcuda-is-device", "-fgpu-rdc"),
        *("-fdeclspec", "-fexceptions", "-fcxx-exceptions", "-foffload-implicit-host-device-templates"),
        *("-iquote", str(path.parent), "-I", str(STUBS / "cuda")),
        *(word for folder in _HEADERS for word in ("-internal-isystem", str(headers() / folder))),
        *(f"-D_LIBCPP_{macro}" for macro in _LIBRARY),
        *("-D_GNU_SOURCE", *(f"-D{macro}" for macro in own)),
        *("-include", str(STUBS / "cuda" / "synth_cuda.h")),
    ]


def source(path: Path) -> str:
    """Return the text of a file as clang gets it: its name comes first, so the file begins with the second line.

    A byte-order mark becomes three blanks, since clang counts its bytes as columns where it reads a file itself.
    """
    name = str(path).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    text = path.read_bytes().decode("utf-8", "replace")
    text = f"   {text[1:]}" if text.startswith("\ufeff") else text
    return f'#line 1 "{name}"\n{_INCLUDE.sub("", text)}\n'


def instance_uses(instances: Iterable[str], name: str = INSTANCES) -> str:
    """Return lines that use each instance of a template kernel. Clang says of them that they are in a file `name`."""
    return "".join(
        f'#line 1 "{name}"\nstatic __device__ __attribute__((used)) const void *'
        f"__synth_instance_{hashlib.sha256(instance.encode()).hexdigest()} = (const void *)&{instance};\n"
        for instance in instances
    )


def launched_instances(text: str) -> set[str]:
    """Return the instances of template kernels that a source launches."""
    return {match[1] or match[2] for match in _LAUNCH.finditer(blank_non_code(text))}


def templates(source: str) -> dict[str, int]:
    """Return the names of the template kernels of a source, each with its line."""
    text = blank_non_code(source)
    return {match[1]: text.count("\n", 0, match.start(1)) + 1 for match in _TEMPLATE.finditer(text)}


def blank_non_code(text: str) -> str:
    """Return a text with spaces for all in which braces do not count."""
    return _SKIPPED.sub(lambda match: _spaces(match[0]), text)


def _spaces(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


# --- functions of the host ---

#: Where braces do not count: comments, directives, texts and letters. A number such as 1'000 has no letter.
_SKIPPED = re.compile(
    r"""//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:\\\n|[^\n])*|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)'(?:\\.|[^'\\\n])*'""",
    re.DOTALL | re.MULTILINE,
)
_DIRECTIVE = re.compile(r"^([ \t]*\#(?:\\\n|[^\n])*)", re.MULTILINE)
#: What comes before the braces of something that is no function of the host.
_OTHERS = re.compile(r"\b(__global__|__device__|struct|class|union|enum|constexpr)\b|=\s*$")
#: What comes before the braces of a type or of a value. A semicolon ends its declaration.
_TYPE = re.compile(r"\b(struct|class|union|enum)\b[^()]*$|=\s*$")
#: What a declaration has that concerns the device.
_OF_DEVICE = re.compile(r"\b__(?:global|device|constant|shared|managed)__\b")
#: What comes before braces within which there are functions. The text after `extern` was skipped.
_SCOPE = re.compile(r"\bnamespace\b[^()]*$|\bextern\s*$")


class HostOmission(enum.Enum):
    """How much is left out around what is wrong."""

    STATEMENTS = enum.auto()
    BODIES = enum.auto()
    DECLARATIONS = enum.auto()


def without_hosts(text: str, wrong: Collection[tuple[int, int]], whole: HostOmission) -> str | None:
    """Leave out what the host does at places that are wrong; return None if no place is in something of the host.

    A place is a line and a column, both from 1 on. Either the statements at these places are left out, as far as they
    have no braces, or the whole bodies of the functions, or whole declarations. Lines keep their numbers. A call of
    `HOST_ONLY` takes the place of statements: a function with a macro for `__device__` looks like one of the host.
    """
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    places = [starts[line - 1] + column - 1 for line, column in wrong if 0 < line < len(starts)]
    bare = blank_non_code(text)
    if whole is HostOmission.DECLARATIONS:
        every = list(_declarations(bare))
        spans = [span for span in every if any(span[0] <= place < span[1] for place in places)]
        if not _OF_DEVICE.search(bare) or not _used_on_device(bare, every).isdisjoint(spans):
            return None
        for begin, end in reversed(spans):
            pieces = _DIRECTIVE.split(text[begin:end])  # every second part is a directive
            pieces[::2] = map(_spaces, pieces[::2])
            text = f"{text[:begin]}{''.join(pieces)}{text[end:]}"
        return text if spans else None
    cuts: set[tuple[int, int]] = set()
    for begin, end in _bodies(bare):
        inside: set[tuple[int, int]] = set()
        for place in (position for position in places if begin <= position <= end):
            first = max(bare.rfind(mark, begin, place) for mark in "{};")
            last = next(re.compile(r"[{};]").finditer(bare, place))
            inside.add((begin, end) if whole is HostOmission.BODIES or last[0] != ";" else (first, last.end()))
        cuts |= {(begin, end)} if (begin, end) in inside else inside
    for begin, end in sorted(cuts, reverse=True):
        text = f"{text[: begin + 1]} {HOST_ONLY}();{_spaces(text[begin + 1 : end])}{text[end:]}"
    return text if cuts else None


def _used_on_device(source_code: str, every: Sequence[tuple[int, int]]) -> set[tuple[int, int]]:
    """Return the declarations of a source whose names stand in what is of the device, or in others of these.

    If such a one is left out, another one of its name may take its place.
    """
    own = [
        source_code[end:begin]
        for end, begin in zip([0, *(end for _, end in every)], [*(begin for begin, _ in every), None], strict=True)
    ]
    words = set(re.findall(r"\w+", re.sub(r"^\s*#.*$", "", "\n".join(own), flags=re.MULTILINE)))
    used: set[tuple[int, int]] = set()
    while more := [span for span in every if span not in used and _name_of(source_code[slice(*span)]) in words]:
        used.update(more)
        words.update(word for span in more for word in re.findall(r"\w+", source_code[slice(*span)]))
    return used


def _name_of(declaration: str) -> str:
    """Return the name that a declaration declares, as far as that shows from its first words."""
    head = re.split(r"[{;]|(?<![=!<>])=(?!=)", declaration, maxsplit=1)[0]
    if (
        match := re.search(r"\b(?:struct|class|union|enum)\s+(?:class\s+)?(?:\w+::)*(\w+)(?=[^()]*$)", head)
    ) is not None:
        return match[1]
    words = re.findall(r"\w+(?=\s*(?:\(|\[|$))", head.rstrip()) or re.findall(r"\w+", head)
    return words[0] if "(" in head and words else words[-1] if words else ""


def _declarations(source_code: str) -> Iterator[tuple[int, int]]:
    """Yield where the declarations of a source are that say nothing of the device, such as classes of the host.

    The text has no comments and no texts any more.
    """
    after = depth = 0
    is_type = False
    for match in re.finditer(r"[{};]", source_code):
        if match[0] == "{":
            head = source_code[after : match.start()]
            if not depth and _SCOPE.search(head):
                after = match.end()
                continue
            is_type = is_type or (not depth and bool(_TYPE.search(head)))
            depth += 1
        elif match[0] == "}":
            if not depth:
                after = match.end()  # of a namespace
                continue
            depth -= 1
        if not depth and (match[0] == ";" or (match[0] == "}" and not is_type)):
            span = after, match.end()
            if not _OF_DEVICE.search(source_code, *span):
                yield span
            after, is_type = match.end(), False


def _bodies(source_code: str) -> Iterator[tuple[int, int]]:
    """Yield where the braces of each function of the host are, as far as it is no member of a class.

    The text has no comments and no texts any more.
    """
    after = depth = 0
    begin = None
    for match in re.finditer(r"[{};]", source_code):
        head = source_code[after : match.start()]
        if match[0] == "{" and (depth or not _SCOPE.search(head)):
            if not depth and ")" in head and not _OTHERS.search(head):
                begin = match.start()
            depth += 1
        elif match[0] == "}" and depth:
            depth -= 1
            if not depth and begin is not None:
                yield begin, match.start()
                begin = None
        if not depth:
            after = match.end()
