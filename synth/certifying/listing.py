"""The list that a certificate speaks of: whose it is, and that each listed program is a test by the Python twin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth.certifying import Refuted
from synth.inputs.programs import given_programs
from synth_checker.errors import InputError
from synth_checker.normal import program_of_id, written_out
from synth_checker.question import Question, parse_bounds
from synth_checker.twin.normal import is_normal
from synth_checker.twin.rules import broken_rules
from synth_corpus.record import read_record
from synth_corpus.shipped import located
from synth_corpus.store import Corpus
from synth_encodings.plain import check_size

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from synth_checker.program import Program

Split = tuple[int, ...]


def read_listing(source: str, bounds: Sequence[str] = ()) -> tuple[Question, list[str]]:
    """The question and the ids of a corpus, or of a file of programs, for which `bounds` says the question.

    The ids are sorted, and as many as there are records.

    Raises:
        InputError: nothing that can be read, or bounds where a corpus has its own, or none where a file needs them.
    """
    if (folder := located(source)).is_dir():
        corpus = Corpus(folder)
        if bounds:
            msg = f"{source}: found a corpus and bounds, expected bounds for a file only; a corpus has its own"
            raise InputError(msg)
        records = (read_record(line, f"{source}:{number}") for number, line in enumerate(corpus.lines(), 1))
        return corpus.manifest.question, sorted(record.id for record in records)
    if not bounds:
        msg = f"{source}: found no bounds, expected them for whatever is no corpus (--bounds TxN)"
        raise InputError(msg)
    return Question(parse_bounds(bounds)), sorted(written_out(given.program) for given in given_programs(source))


def splits_of(question: Question) -> list[Split]:
    """Every split of a question, each with a formula of its own.

    Raises:
        InputError: the question is one that certificates can't be about.
        LimitError: a split has too many states.
    """
    if not question.keeps_all:
        msg = f"found a question that keeps some tests ({question.name}), expected one of all, as a certificate needs"
        raise InputError(msg)
    splits = [sizes for bound in question.bounds for sizes in bound.splits()]
    for sizes in splits:
        check_size(sizes, question.locations, question.values)
    return splits


def by_split(ids: Iterable[str], question: Question) -> dict[Split, list[str]]:
    """The ids of a sorted list, by the splits of their programs; every split of the question is there.

    Raises:
        Refuted: an id is no test of the question, or is listed twice.
        InputError, LimitError: as `splits_of`; or an id can't be read.
    """
    found: dict[Split, list[str]] = {sizes: [] for sizes in splits_of(question)}
    last = None
    for id_ in ids:
        program = program_of_id(id_)
        if last is not None and id_ <= last:
            msg = f"{id_} is listed twice" if id_ == last else f"{id_} is listed behind {last}, out of order"
            raise Refuted(msg)
        check_test(program, question)
        found[tuple(map(len, program))].append(id_)
        last = id_
    return found


def check_test(program: Program, question: Question) -> None:
    """Raise Refuted unless a program is a test of a question, by the twin."""
    id_ = written_out(program)
    bound = f"{len(program)}x{program.size}"
    if bound not in map(str, question.bounds):
        msg = f"{id_} is listed, a program of {bound}, which is not in the question {question.name}"
        raise Refuted(msg)
    if program.locations() > question.locations or program.values() > question.values:
        most = f"{question.locations} locations and {question.values} values"
        msg = f"{id_} is listed, and uses more than the {most} of the question"
        raise Refuted(msg)
    if not is_normal(program, keep_store_checks=question.keep_store_checks):
        msg = f"{id_} is listed, and is no normal form"
        raise Refuted(msg)
    broken = sorted(broken_rules(program).difference(question.without))
    if broken:
        msg = f"{id_} is listed, and is no test: it breaks {', '.join(broken)}"
        raise Refuted(msg)
