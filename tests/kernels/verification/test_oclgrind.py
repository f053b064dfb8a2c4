"""Compare verdicts with what Oclgrind's own tests expect, kernel by kernel, with the launches of these tests.

The sources come from Debian: `make test-full` downloads them. Without them, these tests are deselected.
"""

import io
import tarfile
from dataclasses import replace
from pathlib import Path

import pytest

from scripts import imported
from synth_kernels.candidates.rules import ALL
from synth_kernels.kernel_file import SourceOptions, read
from synth_kernels.kernel_verdict import verify
from synth_kernels.pair.options import Options
from synth_kernels.program import UnreadKernel
from synth_kernels.reports import KernelReport
from synth_solvers.client import Solver

#: The verdicts on the tests of races and divergence. Oclgrind expects the same of all of them. It tolerates two writes
#: of the same value, too, as in `uniform_write_race`.
VERDICTS = {
    "barrier_different_instructions": "divergence",
    "barrier_divergence": "divergence",
    "broadcast": "verified",
    "global_fence": "verified",
    "global_only_fence": "race",
    "global_read_write_race": "race",
    "global_write_write_race": "race",
    "increment": "verified",
    "intergroup_hidden_race": "race",
    "intergroup_race": "race",
    "intragroup_hidden_race": "race",
    "local_only_fence": "race",
    "local_read_write_race": "race",
    "local_write_write_race": "race",
    "uniform_write_race": "verified",
}


#: The same for tests of asynchronous copies. Oclgrind takes a wait to order its copies.
COPIES = {
    "async_copy": "verified",
    "async_copy_divergent": "divergence",
    "async_copy_global_race": "race",
    "async_copy_local_race": "race",
    "async_copy_loop": "verified",
    "async_copy_single_wi": "divergence",
    "wait_event_divergent": "divergence",
    "wait_event_duplicates": "verified",
}


@pytest.fixture(scope="module")
def solver():
    with Solver(seconds=120.0) as solver:
        yield solver


def report_on(simulation, solver):
    (kernel,) = (kernel for kernel in read(simulation.file, SourceOptions()) if kernel.name == simulation.kernel)
    if isinstance(kernel, UnreadKernel):
        return KernelReport("unknown", reason=kernel.reason)
    launch = replace(simulation.launch, waits_fence=simulation.kernel in COPIES)
    return verify(kernel, launch, solver, Options(rules=ALL))


def expected(errors):
    """Return the verdict that fits the errors that Oclgrind reports."""
    text = " ".join(errors)
    return "divergence" if "divergence" in text else "race" if "data race" in text else "verified"


@pytest.mark.full
@pytest.mark.parametrize("name", VERDICTS | COPIES)
def test_races_and_divergence_are_judged_as_oclgrind_expects(solver, oclgrind, name):
    simulation = next(simulation for simulation in oclgrind.simulations() if simulation.file.stem == name)
    report = report_on(simulation, solver)
    assert report.verdict == (VERDICTS | COPIES)[name] == expected(simulation.errors)
    confirmed = [found for found in report.counterexamples if found.is_confirmed]
    assert bool(confirmed) == (report.verdict != "verified")
    assert all(len(found.threads) == 2 and 0 not in found.lines for found in confirmed)


@pytest.mark.full
def test_the_other_kernels_have_a_verdict_or_a_reason(solver, oclgrind):
    others = [simulation for simulation in oclgrind.simulations() if simulation.file.stem not in VERDICTS | COPIES]
    reports = [report_on(other, solver) for other in others]
    assert len(reports) == 91 - len(VERDICTS | COPIES)
    assert all(report.verdict != "unknown" or report.reason for report in reports)
    assert sum(report.verdict == "unknown" for report in reports) < 20


SCRIPT = Path(__file__).parents[3] / "docs" / "measured" / "kernels.py"


@pytest.fixture
def script(tmp_path, monkeypatch):
    """The script that downloads sources, with an empty cache folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return imported(SCRIPT)


def packed(folder, name, text):
    """Pack a file with this name and text, and return the archive."""
    archive = folder / "any.tar.gz"
    with tarfile.open(archive, "w:gz") as files:
        entry = tarfile.TarInfo(name)
        entry.size = len(text)
        files.addfile(entry, io.BytesIO(text.encode()))
    return archive


def test_sources_with_another_checksum_are_refused(script, monkeypatch):
    monkeypatch.setattr(script, "_download", lambda _, work: packed(work, "k.cl", "__kernel void k() {}"))
    with pytest.raises(SystemExit, match=r"oclgrind: oclgrind_21.10.orig.tar.gz has another checksum"):
        script.fetch("oclgrind")
    assert not script.folder("oclgrind").exists()
    monkeypatch.setattr(script.hashlib, "sha256", lambda _: Sum(script.SOURCES["oclgrind"].checksum))
    script.fetch("oclgrind")
    assert (script.folder("oclgrind") / "k.cl").is_file()


class Sum:
    """A checksum that is as wanted."""

    def __init__(self, text):
        self.hexdigest = lambda: text


def test_without_apt_get_one_line_says_so(script, monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(SystemExit, match=r"^oclgrind: can't download its sources: .*apt-get.*$"):
        script.fetch("oclgrind")


def test_a_simulation_has_a_launch_and_errors(script):
    folder = script.folder("oclgrind") / script.SOURCES["oclgrind"].kernels / "any"
    folder.mkdir(parents=True)
    (folder / "a.sim").write_text("# A comment\nk.cl\nk\n8 4 1\n4 2 1\n\n<size=4>\n")
    (folder / "a.ref").write_text("ERROR Read-write data race at local memory\n\nEXACT no error\n")
    (one,) = script.simulations()
    assert (one.file, one.kernel, one.errors) == (folder / "k.cl", "k", ["Read-write data race at local memory"])
    assert (one.launch.local, one.launch.groups) == ((4, 2, 1), (2, 2, 1))
    assert expected(one.errors) == "race"
