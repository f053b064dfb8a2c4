"""Add further keys to the records of minimal tests: that the test is minimal, its behaviour, and its idioms."""

from __future__ import annotations

from synth_checker.idioms import annotated as idioms_of
from synth_checker.transitions.behaviour import behaviour_hashes
from synth_corpus.parts import with_more
from synth_corpus.reading import id_of


def annotated(records: bytes) -> bytes:
    """Return the records of minimal tests, as lines, with three kinds of keys added.

    The keys are `minimal`, `behaviour`, and those for the idioms of the test.
    """
    lines = records.splitlines()
    ids = [id_of(line).decode("ascii") for line in lines]
    more = zip(behaviour_hashes(ids), idioms_of(ids), strict=True)
    return b"".join(
        with_more(line, {"minimal": True, "behaviour": behaviour} | idioms) + b"\n"
        for line, (behaviour, idioms) in zip(lines, more, strict=True)
    )
