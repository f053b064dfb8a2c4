"""Test that all other tests run, even in CI, without the published suite, which is not part of the repository."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
#: At the end, where the header may tell of others: those that need a compiler that is not there.
DESELECTED = re.compile(r"\(\d+ deselected\)")


@pytest.fixture
def repository(tmp_path):
    """A copy with nothing beside it, of what is needed to collect two modules that ask for the suite."""
    folder = tmp_path / "repository" / "tests"
    (folder / "checker").mkdir(parents=True)
    (folder / "search").mkdir()
    (folder / "support").mkdir()
    for name in (
        "conftest.py",
        "support/quick.py",
        "support/written.py",
        "support/brute.py",
        "support/scripts.py",
        "checker/test_published.py",
        "search/test_enumeration.py",
    ):
        shutil.copy(TESTS / name, folder / name)
    return folder.parent


def collected(repository):
    options = ["--collect-only", "-p", "no:cacheprovider", "-o", "pythonpath=tests/support", "--import-mode=importlib"]
    ran = subprocess.run(
        [sys.executable, "-P", "-m", "pytest", *options, "-W", "ignore::pytest.PytestUnknownMarkWarning", "tests"],
        cwd=repository,
        env=os.environ | {"CI": "true", "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


@pytest.mark.full
def test_where_the_published_suite_is_absent_its_tests_are_deselected_and_the_header_says_so(repository):
    told = collected(repository)
    assert f"\npublished suite: none at {repository.parent / 'shared' / 'published'}; the tests" in told
    assert "test_brute_force_finds_exactly_the_published_tests" not in told
    assert "test_the_tests_are_the_published_ones_with_the_published_verdicts" not in told
    assert "test_one_thread_has_no_tests" in told
    assert DESELECTED.search(told)


@pytest.mark.full
def test_where_it_is_they_run_and_nothing_is_said(repository):
    (repository.parent / "shared" / "published").mkdir(parents=True)
    told = collected(repository)
    assert "published suite:" not in told
    assert "test_brute_force_finds_exactly_the_published_tests" in told
    assert "test_the_tests_are_the_published_ones_with_the_published_verdicts" in told
    assert not DESELECTED.search(told)
