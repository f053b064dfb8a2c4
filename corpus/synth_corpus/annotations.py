"""Add keys to the records of minimal tests: that a test is minimal, the hash of its behaviour, and its idioms."""

from __future__ import annotations

from synth_checker.idioms import annotated as idioms_of
from synth_checker.transitions.behaviour import behaviour_hashes
from synth_corpus.parts import with_more
from synth_corpus.record_batches import id_of


def annotated_lines(records: bytes) -> bytes:
    """Return the records of minimal tests, one on each line, with more keys.

    The key `minimal` is always true. The key `behaviour` is a hash, which is the same for all tests of a behaviour.
    Further keys name the idiom that the test is, and the idioms that it contains.
    """
    lines = records.splitlines()
    ids = [id_of(line).decode("ascii") for line in lines]
    more = zip(behaviour_hashes(ids), idioms_of(ids), strict=True)
    return b"".join(
        with_more(line, {"minimal": True, "behaviour": behaviour} | idioms) + b"\n"
        for line, (behaviour, idioms) in zip(lines, more, strict=True)
    )
