"""Select tests of a corpus by verdicts, signature, bound, beginning of the id, alias and idiom.

Idioms are found from the ids, because only the records of minimal tests name them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from synth_checker.errors import InputError, excerpt
from synth_checker.idioms import idioms, idioms_of
from synth_checker.nearest import unknown
from synth_checker.programs.id_layout import CHARACTERS
from synth_corpus.parts import aliases_in, fields_of
from synth_corpus.record_batches import HEAD, id_of
from synth_corpus.tally import sizes_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_checker.question import Bound
    from synth_corpus.parts import RecordParts
    from synth_corpus.store import Corpus

#: The number of tests whose idioms are found in one call.
_AT_ONCE = 1 << 10


@dataclass(frozen=True, slots=True)
class Selection:
    """The conditions that a test must meet. A field that keeps its default is not a condition.

    - `passes` and `fails` are names of verdicts.
    - `signature` has a letter for each verdict: `p`, `f`, or `.` for either.
    - `bounds` are the sizes that the test may have.
    - `prefix` is the beginning of the id.
    - `alias` is a name that the test has in another collection of tests.
    - `idiom` is the idiom that the test is (`synth_checker.idioms`).
    """

    passes: frozenset[str] = frozenset()
    fails: frozenset[str] = frozenset()
    signature: str | None = None
    bounds: frozenset[Bound] = frozenset()
    prefix: str = ""
    alias: str | None = None
    idiom: str | None = None

    def of(self, corpus: Corpus) -> Iterator[tuple[bytes, RecordParts]]:
        """Yield the records of a corpus that meet the conditions, as lines and as fields, in one pass.

        Raises:
            InputError: `check` refuses the conditions, or the corpus does not agree with its manifest.
        """
        self.check(corpus)
        sizes = {(bound.threads, bound.instructions) for bound in self.bounds}
        signature = re.compile(self.signature or ".*")
        prefix = self.prefix.encode()
        selected = (
            (line, fields)
            for batch in corpus.batches()
            for line in batch.lines
            if line.startswith(prefix, len(HEAD))
            if not sizes or _size_of(line) in sizes
            if self._fits(fields := fields_of(line, corpus.place_of)) and signature.fullmatch(fields.signature)
        )
        return selected if self.idiom is None else self._of_idiom(selected)

    def conditions(self) -> Iterator[Selection]:
        """Each of the conditions alone."""
        yield from (Selection(passes=frozenset({name})) for name in sorted(self.passes))
        yield from (Selection(fails=frozenset({name})) for name in sorted(self.fails))
        if self.signature is not None:
            yield Selection(signature=self.signature)
        if self.bounds:
            yield Selection(bounds=self.bounds)
        if self.prefix:
            yield Selection(prefix=self.prefix)
        if self.alias is not None:
            yield Selection(alias=self.alias)
        if self.idiom is not None:
            yield Selection(idiom=self.idiom)

    def check(self, corpus: Corpus) -> None:
        """Check that the conditions make sense for a corpus.

        Raises:
            InputError: the corpus lacks a verdict, the signature has another length, no id can have the prefix, or the
                idiom is unknown.
        """
        names = corpus.manifest.verdicts
        for name in sorted(self.passes | self.fails):
            if name not in names:
                raise InputError(
                    f"{corpus.name}: this corpus has no verdict {name}, expected one of {', '.join(names)}"
                )
        if self.signature is not None and not re.fullmatch(rf"[pf.]{{{len(names)}}}", self.signature):
            raise InputError(
                f"signature: found {self.signature!r}, expected {len(names)} letters: p, f, or . for either of them"
            )
        if not set(self.prefix) <= CHARACTERS:
            raise InputError(
                f"id: found {excerpt(self.prefix)!r}, expected the beginning of an id: digits, a to z, _ and -"
            )
        if self.idiom is not None and self.idiom not in idioms():
            raise unknown("idiom", self.idiom, idioms())

    def _of_idiom(self, records: Iterator[tuple[bytes, RecordParts]]) -> Iterator[tuple[bytes, RecordParts]]:
        while batch := list(islice(records, _AT_ONCE)):
            names = idioms_of(fields.id for _, fields in batch)
            yield from (record for record, name in zip(batch, names, strict=True) if name == self.idiom)

    def _fits(self, fields: RecordParts) -> bool:
        return (
            all(fields.verdicts.get(name) == "pass" for name in self.passes)
            and all(fields.verdicts.get(name) == "fail" for name in self.fails)
            and (self.alias is None or self.alias in aliases_in(fields.more))
        )


def _size_of(line: bytes) -> tuple[int, int]:
    sizes = sizes_of(id_of(line))
    return len(sizes), sum(sizes)
