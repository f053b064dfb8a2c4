"""Read the list of tests for a certificate, and check by the Python twin that each listed program is a test."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_checker.programs.normal import program_of_id, written_out
from synth_checker.question import Question, parse_bounds
from synth_checker.twin.normal import is_normal
from synth_checker.twin.rules import broken_rules
from synth_corpus.record import read_record
from synth_corpus.shipped import locate_corpus
from synth_corpus.store import Corpus
from synth_encodings.plain import check_size
from synth_litmus.inputs.programs import given_programs
from synth_search.completeness import RefutedClaim

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from synth_checker.programs.program import Program

Split = tuple[int, ...]


def read_listing(source: str, bounds: Sequence[str] = ()) -> tuple[Question, list[str]]:
    """Return the question and the sorted ids of a corpus, or of a file of programs.

    A file of programs has no question, so `bounds` gives the bounds of the question. A program that is listed twice
    stands twice among the ids.

    Raises:
        InputError: the source is unreadable, a corpus comes with `bounds`, or a file comes without.
    """
    if (folder := locate_corpus(source)).is_dir():
        corpus = Corpus(folder)
        if bounds:
            raise InputError(f"{source}: --bounds cannot be combined with a corpus, which has bounds of its own")
        records = (read_record(line, f"{source}:{number}") for number, line in enumerate(corpus.lines(), 1))
        return corpus.manifest.question, sorted(record.id for record in records)
    if not Path(source).exists() and not bounds:
        raise InputError(f"{source}: there is no such corpus or file; to make one, run synth enumerate")
    if not bounds:
        raise InputError(f"{source}: a file needs the bounds of its tests; give them with --bounds TxN")
    return Question(parse_bounds(bounds)), sorted(written_out(program.program) for program in given_programs(source))


def splits_of(question: Question) -> list[Split]:
    """Return every split of a question; each gets a formula of its own.

    Raises:
        InputError: the question keeps only some tests, so that there is no certificate for it.
        LimitError: a split has too many states.
    """
    if not question.keeps_all:
        raise InputError(
            f"the question {question.name} keeps only some of its tests; a certificate needs a question that keeps all"
        )
    splits = [sizes for bound in question.bounds for sizes in bound.splits()]
    for sizes in splits:
        check_size(sizes, question.locations, question.values)
    return splits


def by_split(ids: Iterable[str], question: Question) -> dict[Split, list[str]]:
    """Return the ids of a sorted list for each split of a question. If a split has no ids, its list is empty.

    Raises:
        Refuted: an id is no test of the question, or occurs twice.
        InputError: an id is unreadable, or the question keeps only some tests.
        LimitError: a split has too many states.
    """
    of_split: dict[Split, list[str]] = {sizes: [] for sizes in splits_of(question)}
    last = None
    for id_ in ids:
        program = program_of_id(id_)
        if last is not None and id_ <= last:
            raise RefutedClaim(
                f"{id_} is listed twice" if id_ == last else f"{id_} is listed after {last}, so the list is not sorted"
            )
        check_test(program, question)
        of_split[tuple(map(len, program))].append(id_)
        last = id_
    return of_split


def check_test(program: Program, question: Question) -> None:
    """Raise Refuted if the Python twin finds that a program is no test of a question."""
    id_ = written_out(program)
    bound = f"{len(program)}x{program.size}"
    if bound not in map(str, question.bounds):
        raise RefutedClaim(f"{id_} is listed, but its bound {bound} is not among those of the question {question.name}")
    if program.locations() > question.locations or program.values() > question.values:
        most = f"{question.locations} locations and {question.values} values"
        raise RefutedClaim(f"{id_} is listed, but uses more than the {most} of the question")
    if not is_normal(program, keep_store_checks=question.keep_store_checks):
        raise RefutedClaim(f"{id_} is listed, but is not in normal form")
    broken = sorted(broken_rules(program).difference(question.without))
    if broken:
        raise RefutedClaim(f"{id_} is listed, but is no test: it breaks {', '.join(broken)}")
