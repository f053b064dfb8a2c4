"""Test the checksum that a thread computes."""

import hashlib
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth_corpus.checksums import Checksum


@given(st.lists(st.binary(max_size=40) | st.integers(1, 200_000).map(bytes), max_size=20))
def test_it_is_that_of_all_pieces_in_their_order(pieces):
    with Checksum() as checksum:
        for piece in pieces:
            checksum.update(piece)
        assert checksum.hexdigest() == hashlib.sha256(b"".join(pieces)).hexdigest()


def test_the_thread_ends_with_the_context():
    before = threading.active_count()
    with Checksum() as checksum:
        checksum.update(bytes(1 << 16))
        assert threading.active_count() == before + 1
    assert threading.active_count() == before


def test_an_error_in_the_thread_is_raised():
    with Checksum() as checksum:
        checksum.update([0] * (1 << 16))
        with pytest.raises(TypeError):
            checksum.hexdigest()
