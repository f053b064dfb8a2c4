"""Try inputs that no person would write on the readers of machines."""

import pytest

import fuzzing
from quick import mostly_full


@pytest.mark.full
@mostly_full("reader", ["machines", "rodin", "rodin checked", "rodin obligations", "rodin statuses"], quick=2)
def test_a_reader_accepts_or_refuses_fuzzed_input_without_a_crash(reader):
    taken, refused = fuzzing.fuzz(reader, 150)
    assert taken
    assert refused
