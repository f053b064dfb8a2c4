"""Plant each fault of faults.toml in a copy of the tree, and run the tests that should catch it.

    run.py [--quick] [NAME ...]

A fault is caught if its tests fail, which pass without the fault. The script exits with status 1 if a fault is not
caught, or no longer applies. With `--quick` only quick tests run, with few examples: they alone must catch nine in ten.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT = Path(__file__).parents[2]
NEEDED = (
    "analysis",
    "backends",
    "checker",
    "corpus",
    "campaigns",
    "devices",
    "docs",
    "encodings",
    "explorer",
    "kernels",
    "machines",
    "solvers",
    "documents",
    "workers",
    "litmus",
    "search",
    "jobs",
    "storage",
    "synth",
    "tests",
    "CMakeLists.txt",
    "pyproject.toml",
)
#: Where the copy's packages are found.
IMPORTED = (
    "checker",
    "encodings",
    "corpus",
    "storage",
    "devices",
    "campaigns",
    "analysis",
    "explorer",
    "kernels",
    "machines",
    "solvers",
    "documents",
    "workers",
    "litmus",
    "search",
    "jobs",
    "backends",
    "",
)
NATIVE = "checker/synth_checker"
#: Seconds; a fault that makes the tests run on and on counts as one that they don't catch.
PATIENCE = 300
PASSED, FAILED, NONE_SELECTED = 0, 1, 5
#: The part of all faults that quick tests catch.
QUICK_SHARE = 0.9


@dataclass(frozen=True)
class Fault:
    """One wrong text for a right one, the claim that then fails, and the tests that should notice."""

    name: str
    claim: str
    file: str
    old: str
    new: str
    tests: list[str]

    @property
    def is_native(self) -> bool:
        """Whether it takes a compiler."""
        return self.file.startswith("checker/native/")

    def applies_to(self, root: Path) -> bool:
        """Whether the file is there and has the right text exactly once."""
        path = root / self.file
        return path.is_file() and path.read_text("utf-8").count(self.old) == 1 and self.old != self.new

    @contextlib.contextmanager
    def planted(self, root: Path) -> Iterator[None]:
        """The fault is there, and then no longer."""
        path = root / self.file
        whole = path.read_text("utf-8")
        path.write_text(whole.replace(self.old, self.new), "utf-8")
        try:
            yield
        finally:
            path.write_text(whole, "utf-8")


def listed() -> list[Fault]:
    """The faults, those first that take no compiler."""
    text = Path(__file__).with_name("faults.toml").read_text("utf-8")
    return sorted((Fault(**fault) for fault in tomllib.loads(text)["fault"]), key=lambda fault: fault.is_native)


class Copy:
    """A copy of the tree with an environment of its own, where nothing of the tree itself can be imported."""

    def __init__(self, folder: Path, *, quick: bool = False) -> None:
        self.root = folder / "tree"
        self._quick = quick
        self._build = folder / "build"
        self._python = folder / "environment" / "bin" / "python"
        skipped = shutil.ignore_patterns(".*", "__pycache__", "*.so")
        for name in NEEDED:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, self.root / name, ignore=skipped)
            else:
                shutil.copy(ROOT / name, self.root / name)
        _run([sys.executable, "-P", "-m", "venv", "--without-pip", self._python.parents[1]])
        # The copy first, then whatever is installed here, whose own .pth files, which lead to the tree, are not read.
        paths = [self.root / part for part in IMPORTED] + [sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
        site = next(self._python.parents[1].glob("lib/python*/site-packages"))
        (site / "copy.pth").write_text("".join(f"{path}\n" for path in dict.fromkeys(paths)))

    def take_native(self) -> None:
        """The native module as it is installed: good enough where no C++ changes."""
        from synth_checker import _native

        shutil.copy(_native.__file__, self.root / NATIVE)

    def build_native(self) -> None:
        """Compile what has changed since the last time."""
        cmake = Path(sysconfig.get_path("scripts"), "cmake")
        if not self._build.exists():
            import nanobind  # type: ignore[import-untyped]

            _run([
                cmake, "-S", self.root, "-B", self._build, "-G", "Ninja",
                f"-DCMAKE_MAKE_PROGRAM={cmake.with_name('ninja')}",
                "-DCMAKE_CXX_FLAGS_RELEASE=-O1",
                f"-DPython_EXECUTABLE={sys.executable}",
                f"-Dnanobind_DIR={nanobind.cmake_dir()}",
                f"-DCMAKE_LIBRARY_OUTPUT_DIRECTORY={self.root / NATIVE}",
            ])  # fmt: skip
        _run([cmake, "--build", self._build])

    def tested(self, tests: Sequence[str], patience: float | None = None) -> tuple[int | None, str]:
        """The exit code of pytest, None if it does not end, and what it prints; with the same examples every time.

        Of a file, the quick tests run. A test that is named alone runs, also if it is a full one, unless only the quick
        ones are asked for.
        """
        files = [test for test in tests if "::" not in test]
        named = [test for test in tests if "::" in test]
        told = ""
        for some, options in ((files, ()), (named, () if self._quick else ["-m", "not exhaustive"])):
            if some:
                code, said = self._tested(some, options, patience)
                told += said
                if code != PASSED and not (self._quick and code == NONE_SELECTED):
                    return code, told
        return PASSED, told

    def _tested(self, tests: Sequence[str], marks: Sequence[str], patience: float | None) -> tuple[int | None, str]:
        profile = "first-quick" if self._quick else "first"
        options = ["-x", "-q", "-p", "no:cacheprovider", f"--hypothesis-profile={profile}", *marks]
        command: list[str | Path] = [self._python, "-P", "-m", "pytest", *options, *tests]
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "PYTHON"))}
        environment |= {"CI": "true", "PYTHONDONTWRITEBYTECODE": "1"}
        try:
            ran = subprocess.run(
                command, cwd=self.root, env=environment, capture_output=True, text=True, timeout=patience, check=False
            )
        except subprocess.TimeoutExpired:
            return None, ""
        return ran.returncode, ran.stdout + ran.stderr


def _run(command: Sequence[str | Path]) -> None:
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{ran.stdout}{ran.stderr}")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(names: Sequence[str] = (), *, quick: bool = False) -> int:
    """Try the faults of these names, or all."""
    faults = [fault for fault in listed() if not names or fault.name in names]
    if unknown := set(names) - {fault.name for fault in faults}:
        sys.exit(f"found no fault {', '.join(sorted(unknown))} in faults.toml")
    with tempfile.TemporaryDirectory(prefix="synth-mutations-") as folder:
        copy = Copy(Path(folder), quick=quick)
        if outdated := [fault.name for fault in faults if not fault.applies_to(copy.root)]:
            _say(f"found faults whose old text is not there exactly once: {', '.join(outdated)}")
            return 1
        if any(fault.is_native for fault in faults):
            copy.build_native()
        else:
            copy.take_native()
        code, told = copy.tested(list(dict.fromkeys(test for fault in faults for test in fault.tests)))
        if code != PASSED:
            _say(f"{told}\nthe tests don't pass without any fault")
            return 1
        survivors = sum(not _is_caught(copy, fault) for fault in faults)
    _say(f"{len(faults) - survivors} of {len(faults)} caught")
    return 1 if survivors > (len(faults) * (1 - QUICK_SHARE) if quick else 0) else 0


def _is_caught(copy: Copy, fault: Fault) -> bool:
    start = time.monotonic()
    with fault.planted(copy.root):
        if fault.is_native:
            copy.build_native()
        code, told = copy.tested(fault.tests, PATIENCE)
    _say(f"{'caught' if code == FAILED else 'SURVIVED':<8} {time.monotonic() - start:6.1f} s  {fault.name}")
    if code not in {PASSED, FAILED}:
        _say(told or f"the tests don't end within {PATIENCE} s")
    return code == FAILED


if __name__ == "__main__":
    words = sys.argv[1:]
    sys.exit(main([word for word in words if word != "--quick"], quick="--quick" in words))
