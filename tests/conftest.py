"""What holds for all tests: no time limits inside hypothesis, and no skipped test in CI."""

import os

import pytest
from hypothesis import settings

IN_CI = bool(os.environ.get("CI"))

# A deadline per example fails on a busy machine. CI must not fail by chance: developers look for new examples.
settings.register_profile("synth", deadline=None, derandomize=IN_CI)
settings.load_profile("synth")


def _fail_if_skipped(report):
    """Make a skipped test or module a failed one: in CI everything a test needs is there, or CI must install it."""
    if IN_CI and report.skipped and not hasattr(report, "wasxfail"):
        _, _, reason = report.longrepr
        report.outcome = "failed"
        report.longrepr = f"{reason} (a skipped test is a failure in CI)"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    return _fail_if_skipped((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report():
    return _fail_if_skipped((yield))
