"""Try inputs that no person would write on the readers of machines."""

import pytest

import fuzzing


@pytest.mark.parametrize("reader", ["machines", "rodin", "rodin checked", "rodin obligations", "rodin statuses"])
def test_a_reader_accepts_or_refuses_fuzzed_input_without_a_crash(reader):
    taken, refused = fuzzing.fuzz(reader, 150)
    assert taken
    assert refused
