"""Test that the stub of the native module is the one that its build makes; if not, run `make stubs`."""

from pathlib import Path

import pytest
from nanobind.stubgen import StubGen

from synth_checker import _native

ROOT = Path(__file__).parents[2]


@pytest.mark.full
def test_native_stub_is_up_to_date():
    generator = StubGen(_native)
    generator.put(_native)
    assert (ROOT / "checker" / "synth_checker" / "_native.pyi").read_text() == generator.get()
