"""Test that the readers of the checker accept any input or refuse it in one line."""

import pytest

from fuzzing import fuzz
from quick import mostly_full
from synth_checker import _native
from synth_checker.errors import InputError
from synth_checker.programs.normal import program_of_id
from synth_checker.programs.rules import broken_rules
from synth_checker.verdicts import count_states, judge


@mostly_full(
    ("reader", "count"),
    [("id", 2000), ("core", 2000), ("text", 1000), ("bounds", 2000), ("model", 1000)],
    quick=2,
)
def test_anything_is_read_or_refused_in_one_line(reader, count):
    taken, refused = fuzz(reader, count)
    assert min(taken, refused) > (taken + refused) // 50


@pytest.mark.parametrize(
    "call",
    [
        lambda id_: _native.normalise([id_], keep_store_checks=False),
        lambda id_: broken_rules(["0110", id_]),
        lambda id_: judge([id_]),
        count_states,
        lambda id_: _native.reachable_states(id_, 1, 2),
        program_of_id,
    ],
)
def test_half_a_surrogate_pair_is_no_id(call):
    """It is what Python makes of a byte in an argument that is no UTF-8; the core speaks UTF-8 only."""
    with pytest.raises(InputError, match=r"^id '00\\udcff0': expected "):
        call("00\udcff0")
