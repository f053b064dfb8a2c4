"""`synth enumerate`: find all tests of a question, and save them as a corpus."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from synth.cli.shared.answer_print import print_json, print_lines
from synth.cli.shared.progress_bar import progress_bar
from synth.cli.shared.question_options import (
    BoundsArgument,
    BoundsOption,
    Engine,
    Jobs,
    Locations,
    Memory,
    Minimal,
    Models,
    Solver,
    TimeLimit,
    UniqueBehaviour,
    UpTo,
    Values,
    Without,
    bounds_of,
    limits,
    question_of,
    sameness,
)
from synth.cli.shared.streams import print_data
from synth_checker.errors import InputError
from synth_corpus.views.written import held_lines, written_lines
from synth_documents.phrases import shown
from synth_documents.readable import tests

if TYPE_CHECKING:
    from collections.abc import Callable

    from synth_checker.question import Question
    from synth_search.enumeration.runs import Enumeration, EnumerationRun
    from synth_workers.stop import Stop

Found = TypeVar("Found", bound="EnumerationRun")

EXAMPLE = "Example: synth enumerate 2x3 --without effective-stores --expect 176"


def enumerate_command(
    sizes: BoundsArgument = None,
    bounds: BoundsOption = None,
    locations: Locations = 2,
    values: Values = 2,
    without: Without = None,
    model: Models = None,
    minimal: Minimal = False,
    unique_behaviour: UniqueBehaviour = False,
    up_to: UpTo = None,
    engine: Engine = "auto",
    solver: Solver = None,
    jobs: Jobs = None,
    out: Annotated[
        str | None,
        typer.Option(
            help="The folder for the corpus; '-' writes records to standard output.  [default: BOUNDS.corpus]",
            metavar="CORPUS",
        ),
    ] = None,
    count_only: Annotated[
        bool, typer.Option("--count-only", help="Only count the tests, and write no corpus.")
    ] = False,
    expect: Annotated[
        int | None, typer.Option(help="Exit with status 1 unless exactly N tests are found.", metavar="N")
    ] = None,
    memory: Memory = None,
    time_limit: TimeLimit = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace the corpus in the folder if it has other bounds or options.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the manifest, which is JSON, as the summary.")] = False,
) -> int:
    """Enumerate all progress litmus tests of a size, with their verdicts, and save them as a corpus.

    A run that is stopped saves the tests that it has found. If you call the same command again, it searches from the
    beginning, and keeps the saved tests, too.
    """
    if count_only and (out is not None or force):
        raise InputError(
            f"{'--out' if out is not None else '--force'} cannot be combined with --count-only, which writes no corpus"
        )
    same = sameness(up_to, unique_behaviour)
    question = question_of(bounds_of(sizes, bounds), locations, values, without, model, minimal=minimal, up_to=same)
    with limits(time_limit, memory) as stop:
        search = _Enumerator(question, engine, solver, jobs, stop)
        if count_only:
            return _exit_code_of(*search.count(as_json=as_json), stop, expect)
        if out == "-":
            return _exit_code_of(*search.stream(as_json=as_json), stop, expect)
        folder = Path(out) if out is not None else Path(f"{question.name}.corpus")
        return _exit_code_of(*search.save(folder, force=force, as_json=as_json), stop, expect)


class _Enumerator:
    """A question, answered in one of three ways; each returns the number of tests found and whether these are all."""

    def __init__(self, question: Question, engine: str, solver: str | None, jobs: int | None, stop: Stop) -> None:
        self._question = question
        self._how: dict[str, Any] = {"engine": engine, "solver": solver, "jobs": jobs, "stop": stop}

    def count(self, *, as_json: bool) -> tuple[int, bool]:
        from synth_search.enumeration.answer import count_answer
        from synth_search.enumeration.every_test import count_tests, enumerate_tests

        find: Callable[..., EnumerationRun] = count_tests if self._question.keeps_all else enumerate_tests
        result = self._search(find, "counted")
        if as_json:
            print_json(count_answer(result), compact=False)
        else:
            self._print(result)
        return result.tests, result.complete

    def stream(self, *, as_json: bool) -> tuple[int, bool]:
        enumeration = self._enumerate("found")
        digest = hashlib.sha256()
        for lines in enumeration.records():
            digest.update(lines)
            typer.echo(lines, nl=False)
        if as_json:
            typer.echo(replace(enumeration.manifest(), sha256=digest.hexdigest()).to_json(), nl=False, err=True)
        else:
            self._print(enumeration, to_stderr=True)
        return len(enumeration.ids), enumeration.complete

    def save(self, folder: Path, *, force: bool, as_json: bool) -> tuple[int, bool]:
        from synth_search.enumeration.saved import corpus_at, ids_found_before, place_after_work, save

        corpus = corpus_at(folder, self._question, force=force)
        if corpus is not None and corpus.manifest.complete:
            if as_json:
                print_data(corpus.manifest.to_json())
            else:
                print_lines(held_lines(corpus.manifest, folder))
            return corpus.manifest.tests, True
        if corpus is not None:
            ids_found_before(corpus)  # raises an error before a long run if these tests can't be kept
        enumeration = self._enumerate("kept")
        place = place_after_work(folder, self._question, force=force)
        manifest = save(enumeration, place)
        if place != folder:
            typer.echo(
                f"synth: another run has meanwhile written {shown(str(folder))}; this one wrote {shown(str(place))}",
                err=True,
            )
        if as_json:
            print_data(manifest.to_json())
        else:
            self._print(enumeration)
            print_lines(written_lines(manifest, place, is_untouched=manifest.complete and not enumeration.complete))
        return len(enumeration.ids) if enumeration.complete else manifest.tests, enumeration.complete

    def _print(self, result: EnumerationRun, *, to_stderr: bool = False) -> None:
        from synth_search.views.enumeration import lines

        print_lines(lines(result), to_stderr=to_stderr)

    def _enumerate(self, participle: str) -> Enumeration:
        from synth_search.enumeration.every_test import enumerate_tests

        return self._search(enumerate_tests, participle)

    def _search(self, find: Callable[..., Found], participle: str) -> Found:
        """Run a search and return its result.

        If the search was stopped, print how many tests were counted, found or kept.
        """
        with progress_bar(self._question.name) as progress:
            result = find(self._question, progress=progress, **self._how)
        if result.stopped is not None and not result.complete:
            why = result.fault or result.stopped.words
            typer.echo(f"synth: {why}; {participle} {tests(result.tests)}, but there may be more", err=True)
        return result


def _exit_code_of(number: int, complete: bool, stop: Stop, expect: int | None) -> int:
    code = stop.exit_code(complete=complete)
    if code is not None:
        return code
    if expect is not None and number != expect:
        typer.echo(f"synth: found {tests(number)}, expected {expect}", err=True)
        return 1
    return 0
