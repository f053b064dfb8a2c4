"""Find the compiler and the library that reads what it writes.

Clang comes with the package `ziglang`, and `llvmlite` runs LLVM's passes on what clang writes. LLVM's text changes from
one major version to the next, so both packages must have the same.
"""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

from synth_checker.errors import ResourceError
from synth_checker.extras import how_to_install
from synth_kernels.kernel_file import missing_package

#: The headers that our clang finds before all others.
STUBS = Path(__file__).parent / "stubs"


def clang() -> list[str]:
    """Return the words that begin a command of clang.

    Raises:
        ResourceError: a package of the extra is not installed.
    """
    for package in ("ziglang", "llvmlite"):
        if importlib.util.find_spec(package) is None:
            raise missing_package(package)
    spec = importlib.util.find_spec("ziglang")
    folder = Path(spec.origin or "").parent if spec is not None else Path()
    executable = next((folder / name for name in ("zig", "zig.exe") if (folder / name).is_file()), None)
    if executable is None:
        raise missing_package("ziglang")
    return [str(executable), "clang"]


def headers() -> Path:
    """Return the folder of the headers that come with clang."""
    return Path(clang()[0]).parent / "lib"


def check_versions(ir: str, reader: tuple[int, ...]) -> None:
    """Refuse LLVM IR that a version of the library may not understand.

    Raises:
        ResourceError: the versions differ; the message says what to install.
    """
    match = re.search(r'!"clang version (\d+)[.\d]*', ir)
    version = int(match[1]) if match else 0
    if version != reader[0]:
        raise ResourceError(
            f"ziglang has clang {version or 'of an unknown version'} and llvmlite has LLVM {reader[0]}, "
            f"which must be the same; run: {how_to_install('kernels')}"
        )
