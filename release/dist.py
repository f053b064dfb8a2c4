"""Makes what is released: `python release/dist.py FOLDER PYTHON...`; `make dist` runs it.

The sdist is built first, and each wheel from it. nanobind supports the stable ABI from Python 3.12 on: one wheel is for
that and all newer versions, and each older version has its own. On Linux `auditwheel` gives a wheel the tag of the
oldest distributions that it works on. The tools that package indexes recommend check it. Then it is installed in a new
environment for each Python that it is for, without a compiler and from nothing but wheels, and the command is run.

The files in FOLDER are replaced when all of that is done. It then holds nothing but the sdist and the wheels, so a
folder with anything else in it is refused.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
#: The oldest Python with the stable ABI that nanobind needs, as `wheel.py-api` has it.
STABLE = (3, 12)
#: Where `make dist` installs the tools, beside the Python that runs this.
TOOLS = Path(sys.executable).parent
#: Each exits with status 0 if its answer is as it should be.
STEPS = (
    "synth --version",
    "synth enumerate --bounds 2x2 --expect 8 --out 2x2.corpus",
    "synth check 01100002-01100002 --model OBE.weak",
    "synth certify 2x2.corpus --out 2x2.certificate",
    "synth audit 2x2.certificate",
)
ASKED = """
import json, os, sys, sysconfig
headers = os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h"))
print(json.dumps([sys.version_info[:2], sys.executable, headers]))
"""


class Python(NamedTuple):
    """A Python at hand: its path, and whether it has the headers that a build needs."""

    version: tuple[int, ...]
    path: str
    headers: bool


def main() -> None:
    """Make the folder, or say why not."""
    out = Path(sys.argv[1])
    refuse_foreign(out)
    pythons = at_hand(sys.argv[2:])
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder)
        sdist = build_sdist(made / "sdist")
        wheels = {}
        for builder, users in builds(pythons).items():
            say(f"building the wheel for {named(users)}")
            wheels[build_wheel(sdist, builder, made / named([builder]))] = users
        check([sdist, *wheels])
        for wheel, users in wheels.items():
            for python in users:
                say(f"trying {wheel.name} with Python {named([python])}")
                try_out(wheel, python, made / f"{named([python])}-tried")
        replace(out, [sdist, *wheels])
    say(f"in {out}:", *(path.name for path in sorted(out.iterdir())))
    if not any(python.version >= STABLE for python in pythons):
        say("There is no wheel for Python 3.12 and newer: none of these was found. Name one: make dist PYTHONS='...'")


def say(*words: str) -> None:
    """Print a line at once."""
    print(*words, flush=True)


def named(pythons: list[Python]) -> str:
    """Some versions, as one writes them."""
    return ", ".join(".".join(map(str, python.version)) for python in pythons)


def at_hand(commands: list[str]) -> list[Python]:
    """Those of some Pythons that are there and not too old, each version once."""
    oldest = tuple(map(int, PROJECT["project"]["requires-python"].removeprefix(">=").split(".")))
    found: dict[tuple[int, ...], Python] = {}
    for command in commands:
        try:
            version, path, headers = json.loads(run(command, "-c", ASKED))
        except (OSError, subprocess.CalledProcessError):  # there is none, or only a shim of that name
            continue
        if tuple(version) >= oldest:
            found.setdefault(tuple(version), Python(tuple(version), path, headers))
    return [found[version] for version in sorted(found)]


def builds(pythons: list[Python]) -> dict[Python, list[Python]]:
    """Which Python builds a wheel, and which ones use it."""
    stable = [python for python in pythons if python.version >= STABLE]
    found = {python: [python] for python in pythons if python.version < STABLE}
    if stable:
        found[next((python for python in stable if python.headers), stable[0])] = stable
    for python in found:
        if not python.headers:
            sys.exit(f"dist: Python {named([python])} has no headers: sudo apt install python{named([python])}-dev")
    return found


def build_sdist(folder: Path) -> Path:
    """The sdist of this tree."""
    say("building the sdist")
    run(TOOLS / "python", "-P", "-m", "build", "--sdist", "--outdir", folder, ROOT)
    return only(folder)


def build_wheel(sdist: Path, python: Python, folder: Path) -> Path:
    """A wheel made from the sdist and, on Linux, repaired."""
    run(TOOLS / "pip", "--python", python.path, "wheel", "--no-deps", "--wheel-dir", folder / "built", sdist)
    built = only(folder / "built")
    if sys.platform != "linux":
        return built
    run(TOOLS / "auditwheel", "repair", "--wheel-dir", folder / "repaired", built)
    return only(folder / "repaired")


def only(folder: Path) -> Path:
    """The one file of a folder."""
    [path] = folder.iterdir()
    return path


def check(files: list[Path]) -> None:
    """Ask the tools whether they find a fault."""
    say("checking")
    wheels = [path for path in files if path.suffix == ".whl"]
    run(TOOLS / "twine", "check", "--strict", *files)
    run(TOOLS / "check-wheel-contents", "--config", ROOT / "pyproject.toml", *wheels)
    for wheel in wheels:
        if "abi3" in wheel.name:
            run(TOOLS / "abi3audit", "--strict", wheel)


def try_out(wheel: Path, python: Python, folder: Path) -> None:
    """Install a wheel where there is no compiler, and run the command."""
    run(python.path, "-P", "-m", "venv", "--without-pip", folder / "venv")
    bin_ = folder / "venv" / "bin"
    pip = [TOOLS / "pip", "--python", bin_ / "python"]
    run(*pip, "install", "--only-binary=:all:", wheel, env=os.environ | {"PATH": str(bin_)})
    run(*pip, "check")
    for step in STEPS:
        command, *words = step.split()
        run(bin_ / command, *words, cwd=folder, env={"PATH": str(bin_)})


def refuse_foreign(out: Path) -> None:
    """End if the folder holds what is no release of this project."""
    stem = PROJECT["project"]["name"].replace("-", "_")
    for path in out.glob("*"):
        if not path.name.startswith(f"{stem}-") or not path.name.endswith((".whl", ".tar.gz")):
            sys.exit(f"dist: {out}: found {path.name}, expected a folder of earlier releases, an empty one or none")


def replace(out: Path, files: list[Path]) -> None:
    """Put the files into the folder, and take the earlier ones away."""
    out.mkdir(parents=True, exist_ok=True)
    for path in out.iterdir():
        path.unlink()
    for path in files:
        shutil.copy(path, out)


def run(*command: str | Path, cwd: Path | None = None, env: dict[str, str] | None = None) -> str:
    """What a command prints. Tools find each other, and nothing of what a developer set for builds is passed on."""
    env = dict(os.environ, PATH=f"{TOOLS}{os.pathsep}{os.environ['PATH']}") if env is None else env
    env = {name: value for name, value in env.items() if not name.startswith(("SKBUILD_", "MAKE", "PYTHON"))}
    done = subprocess.run(  # noqa: S603  (our own commands)
        list(map(str, command)), cwd=cwd, env=env, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise subprocess.CalledProcessError(done.returncode, command, done.stdout, done.stderr)
    return done.stdout


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as failed:
        words = " ".join(map(str, failed.cmd))
        sys.exit(f"{failed.stdout}{failed.stderr}dist: {words} exited with status {failed.returncode}")
