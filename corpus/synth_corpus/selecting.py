"""Which tests of a corpus are asked for: by verdicts, signature, bound, beginning of the id, and other keys."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_corpus.parts import fields_of
from synth_corpus.reading import HEAD, id_of
from synth_corpus.tally import sizes_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from synth_checker.question import Bound
    from synth_corpus.parts import Fields
    from synth_corpus.store import Corpus


@dataclass(frozen=True, slots=True)
class Selection:
    """What a test must be; what is not said, it may be in any way.

    `passes` and `fails` are names of verdicts, `signature` has a letter `p`, `f` or `.` (either) a verdict, `prefix` is
    how the id begins, and `words` maps a key such as `aliases` to what must be its value or one of its values.
    """

    passes: frozenset[str] = frozenset()
    fails: frozenset[str] = frozenset()
    signature: str | None = None
    bounds: frozenset[Bound] = frozenset()
    prefix: str = ""
    words: Mapping[str, str] = field(default_factory=dict)

    def of(self, corpus: Corpus) -> Iterator[tuple[bytes, Fields]]:
        """The records that are so, as lines and as fields, in one pass.

        Raises:
            InputError: the corpus has no such verdict, the signature is none of it, or it is not as its manifest says.
        """
        self._check(corpus)
        sizes = {(bound.threads, bound.instructions) for bound in self.bounds}
        signature = re.compile(self.signature or ".*")
        prefix = self.prefix.encode()
        return (
            (line, fields)
            for batch in corpus.batches()
            for line in batch.lines
            if line.startswith(prefix, len(HEAD))
            if not sizes or _size_of(line) in sizes
            if self._fits(fields := fields_of(line, corpus.place_of)) and signature.fullmatch(fields.signature)
        )

    def _check(self, corpus: Corpus) -> None:
        names = corpus.manifest.verdicts
        for name in sorted(self.passes | self.fails):
            if name not in names:
                msg = f"{corpus.name}: found no verdicts {name}, expected one of {', '.join(names)}"
                raise InputError(msg)
        if self.signature is not None and not re.fullmatch(rf"[pf.]{{{len(names)}}}", self.signature):
            msg = f"signature: found {self.signature!r}, expected {len(names)} letters p, f or . for either"
            raise InputError(msg)

    def _fits(self, fields: Fields) -> bool:
        return (
            all(fields.verdicts.get(name) == "pass" for name in self.passes)
            and all(fields.verdicts.get(name) == "fail" for name in self.fails)
            and all(word in _words(fields.more.get(key)) for key, word in self.words.items())
        )


def _size_of(line: bytes) -> tuple[int, int]:
    sizes = sizes_of(id_of(line))
    return len(sizes), sum(sizes)


def _words(value: object) -> list[object]:
    """The values under a key: those of a list, or the one there is."""
    return list(value) if isinstance(value, list) else [value]
