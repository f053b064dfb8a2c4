"""Compare verdicts with what Oclgrind's own tests expect, kernel by kernel, with the launches of these tests.

The sources come from Debian: `make test-full` downloads them. Without them, these tests are deselected.
"""

import pytest

from synth_kernels.program import Unread
from synth_kernels.reading import How, read
from synth_kernels.verifying import Report, verify
from synth_solvers.asking import Solver

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


@pytest.fixture(scope="module")
def solver():
    with Solver(seconds=120.0) as solver:
        yield solver


def report_on(simulation, solver):
    (kernel,) = (one for one in read(simulation.file, How()) if one.name == simulation.kernel)
    if isinstance(kernel, Unread):
        return Report("unknown", reason=kernel.reason)
    return verify(kernel, simulation.launch, solver)


def expected(errors):
    """Return the verdict that fits the errors that Oclgrind reports."""
    text = " ".join(errors)
    return "divergence" if "divergence" in text else "race" if "data race" in text else "verified"


@pytest.mark.full
@pytest.mark.parametrize("name", VERDICTS)
def test_races_and_divergence_are_judged_as_oclgrind_expects(solver, oclgrind, name):
    simulation = next(one for one in oclgrind.simulations() if one.file.stem == name)
    report = report_on(simulation, solver)
    assert report.verdict == VERDICTS[name] == expected(simulation.errors)
    confirmed = [found for found in report.counterexamples if found.is_confirmed]
    assert bool(confirmed) == (report.verdict != "verified")
    assert all(len(found.threads) == 2 and 0 not in found.lines for found in confirmed)


@pytest.mark.full
def test_the_other_kernels_have_a_verdict_or_a_reason(solver, oclgrind):
    others = [one for one in oclgrind.simulations() if one.file.stem not in VERDICTS]
    reports = [report_on(one, solver) for one in others]
    assert len(reports) == 91 - len(VERDICTS)
    assert all(report.verdict != "unknown" or report.reason for report in reports)
    assert sum(report.verdict == "unknown" for report in reports) < 20
