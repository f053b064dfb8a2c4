"""Solvers are started once for many tests."""

import pytest


@pytest.fixture(scope="module", autouse=True)
def _solvers_are_shared(idle_solvers):
    with idle_solvers.taken():
        yield
