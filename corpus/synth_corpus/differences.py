"""Find the differences between two corpora, test by test, by reading both once in the order of ids.

Equal lines are skipped without being parsed. Only verdicts that both corpora have are compared, because one corpus may
have fewer models.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from synth_checker._native import common_lines
from synth_corpus.parts import RecordParts, fields_of
from synth_corpus.record import Id  # noqa: TC001  (for the JSON Schema)
from synth_corpus.record_batches import id_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_corpus.store import Corpus

Change = Literal["removed", "added", "verdicts", "metadata"]
#: The old and the new value of a key; each may be any JSON value.
Values: TypeAlias = tuple[Any, Any]
#: The kinds of change, in the order in which they are shown.
CHANGES: tuple[Change, ...] = ("removed", "added", "verdicts", "metadata")


class RecordDifference(NamedTuple):
    """A test that differs between an old and a new corpus, and why, if that is known.

    `change` is `removed` if only the old corpus has the test, and `added` if only the new one has it. It is `verdicts`
    if verdicts differ, and `metadata` if only other keys differ. `verdicts` and `metadata` map each key that differs to
    its old and its new value, which is None if the key is missing. `signature` is the new signature, or the old one of
    a test that was removed.
    """

    id: Id
    change: Change
    why: str | None
    signature: str
    verdicts: dict[str, tuple[str, str]]
    metadata: dict[str, Values]


def differences(old: Corpus, new: Corpus) -> Iterator[RecordDifference]:
    """Yield the differences between two corpora, sorted by id. The memory in use does not grow with the corpora.

    Raises:
        InputError: a corpus does not agree with its manifest.
    """
    olds, news = _CorpusPosition(old), _CorpusPosition(new)
    while olds.goes_on() and news.goes_on():
        same = common_lines(olds.text, olds.at, news.text, news.at)
        if same:
            olds.at += same
            news.at += same
            continue
        a, b = olds.line(), news.line()
        old_id, new_id = id_of(a), id_of(b)
        if old_id < new_id:
            yield _alone("removed", a, old)
            olds.step(a)
        elif new_id < old_id:
            yield _alone("added", b, new)
            news.step(b)
        else:
            changed = _changed(fields_of(a, old.place_of), fields_of(b, new.place_of))
            if changed is not None:
                yield changed
            olds.step(a)
            news.step(b)
    yield from _rest("removed", olds, old)
    yield from _rest("added", news, new)


class _CorpusPosition:
    """A position in a corpus: the text of the current batch, and the index in it at which the next line begins."""

    def __init__(self, corpus: Corpus) -> None:
        self._batches = corpus.batches()
        self.text = b""
        self.at = 0

    def goes_on(self) -> bool:
        """Return whether there is a next line, which may be the first line of the next batch."""
        if self.at == len(self.text):
            batch = next(self._batches, None)
            self.text, self.at = batch.text if batch is not None else b"", 0
        return self.at < len(self.text)

    def line(self) -> bytes:
        """Return the next line."""
        return self.text[self.at : self.text.index(b"\n", self.at)]

    def step(self, line: bytes) -> None:
        """Move behind the next line, which must be `line`."""
        self.at += len(line) + 1


def _rest(change: Change, place: _CorpusPosition, corpus: Corpus) -> Iterator[RecordDifference]:
    while place.goes_on():
        line = place.line()
        yield _alone(change, line, corpus)
        place.step(line)


def _alone(change: Change, line: bytes, corpus: Corpus) -> RecordDifference:
    fields = fields_of(line, corpus.place_of)
    return RecordDifference(fields.id, change, None, fields.signature, {}, {})


def _changed(old: RecordParts, new: RecordParts) -> RecordDifference | None:
    """Return the difference between two records of a test, or None if there is none."""
    verdicts = {
        name: (before, new.verdicts[name])
        for name, before in old.verdicts.items()
        if new.verdicts.get(name, before) != before
    }
    keys = [key for key in {**old.more, **new.more} if old.more.get(key) != new.more.get(key)]
    metadata = {key: (old.more.get(key), new.more.get(key)) for key in keys}
    if not verdicts and not metadata:
        return None
    return RecordDifference(new.id, "verdicts" if verdicts else "metadata", None, new.signature, verdicts, metadata)
