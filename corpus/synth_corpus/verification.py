"""Check whether a corpus is right, from its bytes to its verdicts, and report each fault with its place.

Every record is made again from its id, and compared as bytes. The C++ core computes the normal form, the rules and the
verdicts; it uses the models as the manifest defines them. Checking continues after a fault. Only the
aliases of all records are kept in memory, to check that each alias belongs to one test.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, NamedTuple

from synth_checker.errors import InputError
from synth_checker.idioms import annotated
from synth_checker.models import verdict_names
from synth_checker.programs.id_layout import ID_PATTERN
from synth_checker.programs.normal import program_of_id
from synth_checker.programs.rules import broken_rules, rule_names
from synth_checker.transitions.behaviour import behaviour_hashes
from synth_checker.verdicts import judge
from synth_corpus.kept_tests import MinimalityCheck, orders_of
from synth_corpus.manifest_faults import faults_of_counts, faults_of_models, faults_of_text, models_of
from synth_corpus.parts import aliases_in, uses_of
from synth_corpus.record import RecordWriter, read_record
from synth_corpus.record_batches import (
    HEAD,
    Digest,
    fault_of_end,
    faults_of_order,
    id_of,
    is_in_order,
    raw_batches,
)
from synth_corpus.store import MANIFEST, RECORDS
from synth_corpus.tally import Tally
from synth_corpus.union import AliasOwners
from synth_storage import strict_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from synth_checker.models import Model
    from synth_corpus.record import Record
    from synth_corpus.record_batches import RecordBatch
    from synth_corpus.store import Corpus


#: The further keys whose values follow from the id and the question.
_DERIVED = {"behaviour", "idiom", "contains", "minimal"}


class CorpusFault(NamedTuple):
    """A fault of a corpus: its place, which is a file or a line such as `tests.jsonl.zst:17`, and what is wrong."""

    place: str
    text: str


def faults(corpus: Corpus) -> Iterator[CorpusFault]:
    """Yield everything that is wrong in a corpus whose manifest could be read.

    First come the faults of the manifest, then those of the records by line, and then those of the counts. If some
    records cannot be read, this is the last fault.

    Raises:
        InputError: the verdicts refer to a registered model that is not installed, or whose tables have changed since.
    """
    place = f"{corpus.folder / MANIFEST}"
    yield from (CorpusFault(place, text) for text in faults_of_text(corpus.manifest, corpus.manifest_text))
    models = models_of(corpus.manifest)
    yield from (CorpusFault(place, text) for text in faults_of_models(corpus.manifest, models))
    judged = _RecordChecker(corpus, models)
    digest, tally = Digest(), Tally()
    path, last = corpus.folder / RECORDS, b""
    try:
        for batch in raw_batches(path, digest):
            wrong = [*(() if is_in_order(batch, last) else faults_of_order(batch, last)), *judged.faults(batch)]
            yield from (CorpusFault(f"{path}:{number}", text) for number, text in sorted(wrong))
            last = max(last, *(_id_in(line).encode() for line in batch.lines)) if wrong else id_of(batch.last)
            _count(batch.lines, tally)
    except InputError as error:  # what follows can't be read
        yield _fault_at(path, str(error).removeprefix(str(path)))
        return
    end = fault_of_end(digest, corpus.manifest.tests, corpus.manifest.sha256)
    if end:
        yield _fault_at(path, end)
    yield from (CorpusFault(place, text) for text in faults_of_counts(corpus.manifest, tally, judged.orders))


def _fault_at(path: Path, rest: str) -> CorpusFault:
    """Return a fault at a line of a file; `rest` is the line and the text, which follow the name of the file."""
    line, _, text = rest.partition(": ")
    return CorpusFault(f"{path}{line}", text)


def _count(lines: Sequence[bytes], tally: Tally) -> None:
    """Count those lines that are records. The faults of the others have been reported already."""
    try:
        tally.count(*lines)
    except InputError:
        for line in lines:
            with contextlib.suppress(InputError):
                tally.count(line)


class _RecordChecker:
    """Makes records again from their ids, in batches, and reports how the records in the file differ."""

    def __init__(self, corpus: Corpus, models: Sequence[Model]) -> None:
        self._question = corpus.manifest.question
        self._rules = corpus.manifest.rules
        self._bounds = {(bound.threads, bound.instructions) for bound in self._question.bounds}
        self._models = tuple(models)
        self._writer = RecordWriter(verdict_names(self._models))
        self._owners = AliasOwners()
        self._minimal = MinimalityCheck(self._question, self._models)
        self._behaviours: dict[str, str] = {}
        #: The number of programs that the tests give with their threads in any order, if one of these is kept.
        self.orders = 0

    def faults(self, batch: RecordBatch) -> Iterator[tuple[int, str]]:
        """Yield the faults of a batch as line numbers and texts. `faults_of_order` reports lines without an id."""
        numbered = [(number, line, _id_in(line)) for number, line in enumerate(batch.lines, batch.number)]
        with_ids = [(number, line, id_) for number, line, id_ in numbered if id_]
        try:
            yield from self._faults(with_ids)
        except InputError:  # one of them is not a program: try each, to find it
            for with_id in with_ids:
                try:
                    yield from self._faults([with_id])
                except InputError as error:
                    yield with_id[0], str(error)

    def _faults(self, records: Sequence[tuple[int, bytes, str]]) -> list[tuple[int, str]]:
        from synth_checker import _native

        ids = [id_ for _, _, id_ in records]
        normal = _native.normalise(ids, self._question.keep_store_checks)
        broken, passes = broken_rules(ids), judge(ids, self._models)
        mistakes = []
        for (number, line, id_), form, rules, mask in zip(records, normal, broken, passes, strict=True):
            written = self._writer.line(id_, mask)
            texts = [*self._outside(id_)]
            if form != id_ or rules or line != written[:-1].encode() or self._question.minimal:
                texts += [self._breaks(rules), *self._unlike(line, written)]
                if form != id_:
                    texts.append(f"found {id_}, expected its normal form {form}")
            if texts:
                mistakes += [(number, text) for text in texts if text]
        wrong = {number for number, _ in mistakes}
        return [*mistakes, *self._not_kept([(number, id_) for number, _, id_ in records if number not in wrong])]

    def _not_kept(self, tests: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
        """Yield the tests that the question does not keep: not minimal, or with the behaviour of a lesser test."""
        ids = [id_ for _, id_ in tests]
        if self._question.minimal:
            for (number, id_), is_minimal in zip(tests, self._minimal.minimal(ids), strict=True):
                if not is_minimal:
                    yield number, f"found {id_}, which is not minimal, expected minimal tests"
        if "behaviour" in self._question.up_to:
            for (number, id_), behaviour in zip(tests, behaviour_hashes(ids), strict=True):
                least = self._behaviours.setdefault(behaviour, id_)
                if least != id_:
                    yield number, f"found {id_} with the behaviour of {least}, expected one test of each behaviour"

    def _outside(self, id_: str) -> Iterator[str]:
        """Yield the reasons why a program does not belong to the question."""
        question, (threads, instructions, locations, values) = self._question, uses_of(id_)
        if (threads, instructions) not in self._bounds:
            bounds = ", ".join(map(str, question.bounds))
            yield f"found {id_}, a program of {threads}x{instructions}, expected one of {bounds}"
        if locations > question.locations:
            yield f"found {id_}, which uses {locations} locations, expected at most {question.locations}"
        if values > question.values:
            yield f"found {id_}, which uses {values} values, expected at most {question.values}"
        if "threads" in question.up_to:
            orders = orders_of(program_of_id(id_), keep_store_checks=question.keep_store_checks)
            self.orders += len(orders)
            least = min(orders)
            if least != id_:
                yield f"found {id_}, expected {least}, the least id of this test with its threads in any order"

    def _breaks(self, mask: int) -> str:
        rules = [rule for rule in rule_names(mask) if rule in self._rules]
        return f"found a program that breaks {', '.join(rules)}, expected a test" if rules else ""

    def _otherwise_derived(self, record: Record) -> Iterator[str]:
        """Yield the wrong values of further keys that follow from the id and the question.

        Minimal tests must have all these keys.
        """
        more, all_of_them = record.more, self._question.minimal
        if all_of_them and more.get("minimal") is not True:  # whether it is minimal, `_not_kept` tells
            said = more.get("minimal", "none")
            yield f"found minimal {said!r}, expected True, because this corpus has only minimal tests"
            return
        derived: dict[str, object] = {"behaviour": behaviour_hashes([record.id])[0], **annotated([record.id])[0]}
        for key in ("behaviour", "idiom", "contains"):
            said = more.get(key)
            if (all_of_them or key in more) and said != derived.get(key):
                yield f"found {key} {more.get(key, 'none')!r}, expected {derived.get(key, 'none')!r}"
        if not all_of_them and "minimal" in more and more["minimal"] is not self._minimal.minimal([record.id])[0]:
            yield f"found minimal {more['minimal']!r}, but synth decides the opposite"

    def _unlike(self, line: bytes, expected: str) -> Iterator[str]:
        """Yield the differences between a record and the one made from its id, and aliases that another test has."""
        expected_line = expected[:-1].encode()
        if line == expected_line and not self._question.minimal:
            return
        try:
            record = read_record(line.decode("utf-8"), "record")
        except UnicodeDecodeError:  # `faults_of_order` reports this
            return
        except InputError as error:
            yield str(error).removeprefix("record: ")
            return
        if self._question.minimal or record.more.keys() & _DERIVED:
            yield from self._otherwise_derived(record)
        more = strict_json.dumps(dict(record.more)).encode()
        verdicts = strict_json.loads(expected)["verdicts"]
        if dict(record.verdicts) != verdicts:
            names = [
                name for name in {**verdicts, **record.verdicts} if verdicts.get(name) != record.verdicts.get(name)
            ]
            verdicts_found = ", ".join(f"{record.verdicts.get(name, 'nothing')} for {name}" for name in names)
            yield f"found {verdicts_found}, expected {', '.join(verdicts.get(name, 'nothing') for name in names)}"
        elif line != expected_line[:-1] + (b"," if record.more else b"") + more[1:]:
            yield "found a record with spaces, or with its keys in another order; write it again with synth"
        for alias, other in self._owners.taken(record.id, aliases_in(record.more)):
            yield f"the test {other} has the alias {alias!r}, too; an alias may belong to one test only"


def _id_in(line: bytes) -> str:
    """Return the id at the beginning of a line, or an empty text."""
    id_ = id_of(line).decode("utf-8", "replace")
    return id_ if line.startswith(HEAD) and ID_PATTERN.fullmatch(id_) else ""
