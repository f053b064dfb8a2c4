"""GPUs that are not there: the compiler of CUDA or HIP is a stand-in, whose programs say what a test wants."""

import json
import shlex
import sys
from pathlib import Path

_COMMAND = shlex.join([sys.executable, "-S", str(Path(__file__).with_name("fake_compiler.py"))])
_COMPILERS = {"cuda": "nvcc", "hip": "hipcc"}


def put_compiler(kind, folder, monkeypatch):
    """Put the stand-in for the compiler of a kind of devices on the PATH, in a folder that is made."""
    script = folder / _COMPILERS[kind]
    folder.mkdir()
    script.write_text(f'#!/bin/sh\nexec {_COMMAND} "$@"\n')
    script.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=":")
    monkeypatch.delenv(script.name.upper(), raising=False)


def put_devices(devices, monkeypatch):
    """Say which devices there are, each by the keys of its result line that differ, and `tests` (fake_compiler.py)."""
    monkeypatch.setenv("FAKE_DEVICES", json.dumps(devices))
