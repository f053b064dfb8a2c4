"""Kernels of other projects, and what `synth verify` says about them.

    python docs/measured/kernels.py fetch oclgrind      # only download the sources
    python docs/measured/kernels.py oclgrind gegl       # print a table of verdicts, and of reasons
    python docs/measured/kernels.py gegl --again FILE   # the same, but take the lines of an earlier run from a file

With `--again`, only kernels are verified that the file lacks, or for which time was over.

The sources are those of Debian 12. `apt-get` downloads them without rights of root, from a list of sources that this
script writes into its cache folder. The folder is `synth/sources` in `~/.cache`, or in `$XDG_CACHE_HOME`. A source with
another checksum than the one below is refused. Nothing of these sources is part of this repository.
"""

from __future__ import annotations

import collections
import hashlib
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from synth_solvers.answers import SolverAnswer
from synth_solvers.client import Solver

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from synth_kernels.launch import Launch
    from synth_kernels.program import Kernel, UnreadKernel
    from synth_kernels.reports import KernelReport
    from synth_solvers.peers import Options


class Source(NamedTuple):
    """A source package: its archive with a checksum, the folder of its kernels, and how its kernels are compiled.

    `before` is a file that the project puts before each of its kernels.
    """

    archive: str
    checksum: str
    kernels: str
    includes: tuple[str, ...] = ()
    before: str = ""


SOURCES = {
    "oclgrind": Source(
        "oclgrind_21.10.orig.tar.gz",
        "b40ea81fcf64e9012d63c3128640fde9785ef4f304f9f876f53496595b8e62cc",
        "Oclgrind-21.10/tests/kernels",
    ),
    "darktable": Source(
        "darktable_4.2.1.orig.tar.xz",
        "603a39c6074291a601f7feb16ebb453fd0c5b02a6f5d3c7ab6db612eadc97bac",
        "darktable-4.2.1/data/kernels",
        includes=("darktable-4.2.1/data/kernels",),
    ),
    "starpu": Source(
        "starpu_1.3.10+dfsg.orig.tar.gz",
        "682f3b7454f30493c116c8dcfa76daa014a8983923f904fafddf179d947664d4",
        "starpu-1.3.10+dfsg",
        includes=("starpu-1.3.10+dfsg/include",),
    ),
    "gegl": Source(
        "gegl_0.4.42.orig.tar.xz",
        "aba83a0cbaa6c56edc29ea22f2e8172950a53b96daa51592083d59222bdde02d",
        "gegl-0.4.42/opencl",
        before="gegl-0.4.42/opencl/random.cl",
    ),
}
_LIST = "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm main"
#: The launch of kernels that come without one: so many threads and groups in each dimension that the kernel uses.
LOCAL, GROUPS = 8, 4
#: A query gets at most so many seconds of the solver's work, and the queries about one kernel together.
SECONDS, SECONDS_PER_KERNEL = 10.0, 20.0


def cache() -> Path:
    """Return the folder of what is downloaded."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "synth" / "sources"


def folder(name: str) -> Path:
    """Return the folder of the sources of a package, which exists if they were fetched."""
    return cache() / f"{name}-{SOURCES[name].checksum[:8]}"


def fetch(name: str) -> None:
    """Download the sources of a package and unpack them, if that was not done before."""
    source, target = SOURCES[name], folder(name)
    if target.is_dir():
        return
    cache().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache()) as work:
        archive = _download(name, Path(work))
        if hashlib.sha256(archive.read_bytes()).hexdigest() != source.checksum:
            sys.exit(f"{name}: {source.archive} has another checksum than docs/measured/kernels.py says")
        made = Path(work) / "unpacked"
        with tarfile.open(archive) as packed:
            packed.extraction_filter = getattr(tarfile, "data_filter", None)  # Python 3.11.2 has no filters
            packed.extractall(made)  # noqa: S202  (the checksum was that of our own list)
        made.rename(target)


def _download(name: str, work: Path) -> Path:
    (work / "lists" / "partial").mkdir(parents=True)
    (work / "sources.list").write_text(f"{_LIST}\n", "utf-8")
    apt = ["apt-get", "-q", "-o", f"Dir::Etc::sourcelist={work}/sources.list", "-o", "Dir::Etc::sourceparts=/dev/null"]
    apt += ["-o", f"Dir::State::lists={work}/lists", "-o", f"Dir::Cache={work}", "-o", "APT::Sandbox::User="]
    for words in (["update"], ["source", "--download-only", "--tar-only", name]):
        try:
            subprocess.run([*apt, *words], cwd=work, check=True, capture_output=True, text=True)  # noqa: S603  (ours)
        except (OSError, subprocess.CalledProcessError) as error:
            last = (getattr(error, "stderr", "") or str(error)).strip().splitlines()[-1]
            sys.exit(f"{name}: can't download its sources: {last}")
    archive = work / SOURCES[name].archive
    if not archive.is_file():
        sys.exit(f"{name}: Debian has another version than {archive.name}")
    return archive


class Case(NamedTuple):
    """A kernel with the report on it, or why its file can't be read. `file` is relative to the folder of kernels."""

    file: str
    kernel: str
    report: KernelReport | None
    reason: str = ""
    read: Kernel | None = None


class Simulation(NamedTuple):
    """A test of Oclgrind: a kernel, its launch, and the errors that Oclgrind reports."""

    file: Path
    kernel: str
    launch: Launch
    errors: list[str]


def simulations() -> Iterator[Simulation]:
    """Yield the tests of Oclgrind: a `.sim` file has the kernel and the sizes, and a `.ref` file the errors, if any."""
    from synth_kernels.launch import Launch

    for path in sorted((folder("oclgrind") / SOURCES["oclgrind"].kernels).rglob("*.sim")):
        lines = [line for line in path.read_text("utf-8").splitlines() if line.strip() and not line.startswith("#")]
        whole, local = (tuple(map(int, line.split())) for line in lines[2:4])
        groups = tuple(-(-threads // other) for threads, other in zip(whole, local, strict=True))
        expected = path.with_suffix(".ref")
        text = expected.read_text("utf-8") if expected.is_file() else ""
        errors = re.findall(r"^ERROR (.*)", text, re.MULTILINE)
        yield Simulation(path.parent / lines[0], lines[1], Launch(local, groups), errors)


def launch_of(kernel: Kernel) -> Launch:
    """Return a small launch, with as many dimensions as the kernel uses."""
    from synth_kernels.launch import Launch
    from synth_kernels.printer import kernel_text

    used = {int(number) for number in re.findall(r"\b(?:lid|gid|lsize|groups)\.([012])", kernel_text(kernel))} | {0}
    many = max(used) + 1
    return Launch(kernel.local_size or (LOCAL,) * many, (GROUPS,) * many)


class Limited(Solver):
    """A solver that answers no more when its work on a kernel is over."""

    ends = 0.0

    def ask(self, script: str, options: Options | None = None) -> SolverAnswer:
        """Ask as usual, if there is work left."""
        left = self.ends - self.worked
        if left <= 0:
            return SolverAnswer("unknown", reason="time limit")
        self.seconds = min(SECONDS, left)
        return super().ask(script, options)


def cases(name: str, known: Collection[tuple[str, str]] = ()) -> Iterator[Case]:
    """Verify the kernels of a package one by one, but for those of which a file and a kernel are `known`."""
    from synth_checker.errors import InputError
    from synth_kernels.kernel_verdict import verify
    from synth_kernels.program import UnreadKernel
    from synth_kernels.reports import KernelReport

    root = folder(name) / SOURCES[name].kernels
    launches = {simulation.file: simulation for simulation in simulations()} if name == "oclgrind" else {}
    with Limited(seconds=SECONDS) as solver:
        for path in sorted(root.rglob("*.cl")):
            file = str(path.relative_to(root))
            try:
                kernels = _read(name, path)
            except InputError as error:
                if (file, "") not in known:
                    yield Case(file, "", None, str(error))
                continue
            for kernel in kernels:
                if (file, kernel.name) in known:
                    continue
                if isinstance(kernel, UnreadKernel):
                    yield Case(file, kernel.name, KernelReport("unknown", reason=kernel.reason))
                else:
                    solver.ends = solver.worked + SECONDS_PER_KERNEL
                    launch = launches[path].launch if path in launches else launch_of(kernel)
                    yield Case(file, kernel.name, verify(kernel, launch, solver), read=kernel)


def _read(name: str, path: Path) -> list[Kernel | UnreadKernel]:
    from synth_kernels.kernel_file import SourceOptions, read

    source = SOURCES[name]
    how = SourceOptions(includes=tuple(str(folder(name) / include) for include in source.includes))
    if not source.before:
        return list(read(path, how))
    with tempfile.TemporaryDirectory() as work:
        both = Path(work) / path.name
        both.write_text((folder(name) / source.before).read_text("utf-8") + path.read_text("utf-8"), "utf-8")
        return list(read(both, how))


def group_of(case: Case) -> str:
    """Return the column of the table to which a case belongs."""
    if case.report is None:
        return "not compiled"
    verdict, found = case.report.verdict, case.report.counterexamples
    if verdict in {"verified", "unknown"}:
        return verdict
    return "confirmed" if any(counterexample.is_confirmed for counterexample in found) else "possible"


def reason_of(case: Case) -> str:
    """Return why a case is neither verified nor confirmed, or nothing."""
    from synth_kernels.flow import Flow

    match group_of(case):
        case "not compiled":
            return case.reason
        case "unknown" if case.report is not None:
            return case.report.reason
        case "possible" if case.read is not None:
            return "a loop without an invariant" if Flow(case.read).loops else "no run was found that shows it"
        case _:
            return ""


GROUPS_OF_CASES = ("verified", "confirmed", "possible", "unknown", "not compiled")


class Line(NamedTuple):
    """A line about a kernel, which a later run reads again."""

    package: str
    file: str
    kernel: str
    group: str
    reason: str = ""

    def __str__(self) -> str:
        return f"{self.package} {self.file} {self.kernel}: {self.group}{self.reason and ': '}{self.reason}"


_LINE = re.compile(rf"(\S+) (\S+) (\S*): ({'|'.join(GROUPS_OF_CASES)})(?:: (.*))?")


def earlier(text: str) -> list[Line]:
    """Return the lines about kernels in what an earlier run has printed, but for those of which time was over."""
    found = [Line(*match.groups("")) for line in text.splitlines() if (match := _LINE.fullmatch(line))]
    return [report for report in found if report.reason != "time limit"]


def main(words: list[str]) -> None:
    """Fetch sources, or print the verdicts on their kernels."""
    known: list[Line] = []
    if "--again" in words:
        at = words.index("--again")
        known = earlier("".join(Path(word).read_text("utf-8") for word in words[at + 1 : at + 2]))
        words = words[:at] + words[at + 2 :]
    only_fetch = words[:1] == ["fetch"]
    names = words[only_fetch:]
    if not names or not set(names) <= set(SOURCES):
        sys.exit(f"expected names from {', '.join(SOURCES)}, perhaps with the word fetch before them")
    rows = []
    reasons: collections.Counter[str] = collections.Counter()
    for name in names:
        fetch(name)
        if only_fetch:
            continue
        counts: collections.Counter[str] = collections.Counter()
        files = set()
        for line in _lines(name, [case for case in known if case.package == name]):
            files.add(line.file)
            counts[line.group] += 1
            if line.reason:
                reasons[line.group if line.group == "not compiled" else f"{line.group}: {line.reason}"] += 1
            print(line, flush=True)
        rows.append([name, len(files), *(counts[group] for group in GROUPS_OF_CASES)])
    for row in rows and [["package", "files", *GROUPS_OF_CASES], ["---"] * (2 + len(GROUPS_OF_CASES)), *rows]:
        print(f"| {' | '.join(map(str, row))} |")
    for reason, count in reasons.most_common():
        print(f"{count} {reason}")


def _lines(name: str, known: list[Line]) -> Iterator[Line]:
    """Yield a line for each kernel of a package: those that are known, then the others."""
    yield from known
    for case in cases(name, {(case.file, case.kernel) for case in known}):
        yield Line(name, case.file, case.kernel, group_of(case), reason_of(case))


if __name__ == "__main__":
    main(sys.argv[1:])
