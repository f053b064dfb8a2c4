"""The tests that `synth corpus list` shows, with their aliases and their idioms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_checker.idioms import idioms_of
from synth_corpus.parts import aliases_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from synth_corpus.parts import RecordParts


@dataclass(frozen=True, slots=True)
class ListedTest:
    """A test that is listed: its id, its verdicts, its aliases, and the idiom that it is, or None."""

    id: str
    verdicts: Mapping[str, str]
    aliases: tuple[str, ...]
    idiom: str | None


def list_tests(records: Sequence[RecordParts]) -> list[ListedTest]:
    """Return the tests that some records describe, in the order of the records."""
    idioms = idioms_of(fields.id for fields in records)
    return [
        ListedTest(fields.id, fields.verdicts, tuple(aliases_in(fields.more)), idiom)
        for fields, idiom in zip(records, idioms, strict=True)
    ]
