"""What of a test is quick: some of its examples and some of its parameters. The full tests have all of them."""

import pytest
from hypothesis import settings

#: As many examples has a property where all of them are asked for, if it does not say how many.
ALL = 60
#: The part of them that the quick tests have.
QUICK = 15


def examples(number):
    """So many examples, or a quarter of them in the quick tests (see `pytest_configure` in tests/conftest.py)."""
    return max(2, number * settings().max_examples // ALL)


def mostly_full(names, values, *, quick=1, ids=None):
    """As `pytest.mark.parametrize`, but only some values are quick, and the others full.

    `quick` is how many of the first ones are, or holds those that are.
    """
    alone = isinstance(names, str) and "," not in names
    cases = list(values)
    first = cases[:quick] if isinstance(quick, int) else [case for case in cases if case in quick]
    chosen = [case if case in first else _full(case, alone) for case in cases]
    return pytest.mark.parametrize(names, chosen, ids=ids)


def _full(case, alone):
    known, marks, name = case if isinstance(case, type(pytest.param())) else ((case,) if alone else case, (), None)
    if any(mark.name in {"full", "exhaustive"} for mark in marks):
        return case
    return pytest.param(*known, marks=[*marks, pytest.mark.full], id=name)
