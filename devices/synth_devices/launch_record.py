"""Run a program, and write down the launches of its OpenCL kernels.

The loader of OpenCL can put a library, a *layer*, between a program and its drivers. Ours is `launch_recorder.c`, which
is compiled here, because it needs the headers of OpenCL. This works however the program finds OpenCL, but only with a
loader that knows layers: ocl-icd from 2.3 on, and Khronos's from 2021 on.

folder/
  launches.jsonl      a line for each launch
  program-DIGEST.cl   each source that the program has built, if a kernel of it was launched
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from synth_checker.errors import InputError, ResourceError
from synth_devices.by_driver import CC

if TYPE_CHECKING:
    from collections.abc import Sequence

#: The name of the file with the launches.
LAUNCHES = "launches.jsonl"
_SOURCE = Path(__file__).with_name("launch_recorder.c")
_SECONDS = 120
_FLAGS = ("-std=c11", "-D_POSIX_C_SOURCE=200809L", "-O1", "-fPIC", "-shared", "-pthread")


def compile_layer(library: Path) -> None:
    """Compile the layer.

    Raises:
        ResourceError: there is no C compiler, it does not find the headers of OpenCL, or it takes too long.
    """
    if shutil.which(CC.name) is None:
        raise ResourceError(f"{CC.name} not found, which compiles the layer that records launches: {CC.install}")
    command = [CC.name, *_FLAGS, "-o", str(library), str(_SOURCE)]
    try:
        run = subprocess.run(  # noqa: S603
            command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, timeout=_SECONDS
        )
    except subprocess.TimeoutExpired:
        raise ResourceError(
            f"{CC.name} took over {_SECONDS} s to compile the layer that records launches; try again, or set CC"
        ) from None
    if run.returncode != 0:
        said = next((line for line in run.stderr.splitlines() if "error" in line), f"{CC.name} failed")
        hint = "; install the headers of OpenCL: sudo apt install opencl-headers" if "CL/" in said else ""
        raise ResourceError(f"compiling the layer that records launches failed: {said.strip()}{hint}")


def record_launches(command: Sequence[str], folder: Path) -> int:
    """Run a program, write the launches of its kernels into a folder that exists, and return its exit status.

    A program that a signal has killed has the negative number of the signal.

    Raises:
        InputError: there is no such program, or the system can't execute it.
        ResourceError: the layer can't be compiled.
    """
    if shutil.which(command[0]) is None:
        raise InputError(f"{command[0]}: found no such program")
    with tempfile.TemporaryDirectory(prefix="synth-record-") as place:
        library = Path(place) / "recorder.so"
        compile_layer(library)
        layers = [str(library), *filter(None, [os.environ.get("OPENCL_LAYERS")])]
        words = {"OPENCL_LAYERS": os.pathsep.join(layers), "SYNTH_RECORD": str(folder.absolute())}
        try:
            return subprocess.run(list(command), env=os.environ | words, check=False).returncode  # noqa: S603
        except OSError as error:
            raise InputError(
                f"{command[0]}: {error.strerror}; expected a program, or a script whose first line begins with #!"
            ) from None
