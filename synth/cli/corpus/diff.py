"""`synth corpus diff`: what differs between two corpora, and why."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from synth.cli.vocabulary import completed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console

    from synth_corpus.comparing import Change, Difference
    from synth_corpus.diff_summary import DiffSummary
    from synth_corpus.store import Corpus

EXAMPLE = "Example: synth corpus diff 2x3.corpus 2x3-without-effective-stores.corpus"
_NAMES = ("the old corpus", "the new corpus")
#: How each change is counted.
_COUNTED: dict[Change, str] = {
    "removed": "removed",
    "added": "added",
    "verdicts": "with other verdicts",
    "metadata": "with other metadata",
}


def diff_command(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="A corpus.", autocompletion=completed("corpora"))],
    new: Annotated[
        Path, typer.Argument(metavar="NEW", help="The corpus to compare it with.", autocompletion=completed("corpora"))
    ],
    exit_code: Annotated[bool, typer.Option("--exit-code", help="Exit with 1 if tests differ.")] = False,
    limit: Annotated[int, typer.Option(min=0, help="Show so many of the tests that differ.", metavar="N")] = 10,
    show_all: Annotated[bool, typer.Option("--all", help="Show all of them.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="A JSON object a test that differs, and the counts.")] = False,
) -> int:
    """Compare two corpora test by test: removed, added, with other verdicts or other metadata, and the reason."""
    from synth_corpus.comparing import differences
    from synth_corpus.diff_summary import DiffSummary
    from synth_corpus.reasons import Reasons
    from synth_corpus.store import Corpus

    corpora = Corpus(old), Corpus(new)
    reasons = Reasons(corpora[0].manifest, corpora[1].manifest, _NAMES)
    summary = DiffSummary()

    def explained() -> Iterator[tuple[Difference, str]]:
        return reasons.of_tests(differences(*corpora))

    first: list[tuple[Difference, str]] = []
    for difference, why in explained():
        summary.count(difference, why)
        if as_json:
            typer.echo(_json(_fields(difference, why)))
        elif len(first) < limit:
            first.append((difference, why))
    if as_json:
        of_corpora = {word: _said(corpus) for word, corpus in zip(("old", "new"), corpora, strict=True)}
        typer.echo(_json({"summary": of_corpora | {"manifests": reasons.of_manifests()} | summary.fields()}))
    else:
        _print_summary(corpora, reasons.of_manifests(), summary)
        _print_tests(explained() if show_all else iter(first))
        left = summary.differences - len(first)
        if left and not show_all:
            typer.echo(f"\n{left} more {'differs' if left == 1 else 'differ'}; --all shows them")
    return int(exit_code and summary.differences > 0)


def _print_summary(corpora: tuple[Corpus, Corpus], manifests: dict[str, tuple[str, str]], summary: DiffSummary) -> None:
    from synth.cli.printing import plain_console, print_table
    from synth.views.tables import plain_table
    from synth.views.words import shown, tests

    console = plain_console()
    for word, corpus in zip(("old", "new"), corpora, strict=True):
        said = _said(corpus)
        complete = "complete" if said["complete"] else "INCOMPLETE"
        console.print(f"{word}: {shown(corpus.name)}: {tests(said['tests'])} of {said['question']}, {complete}")
    if manifests:
        table = plain_table("they differ in", "old", "new")
        for about, values in manifests.items():
            table.add_row(about, *map(shown, values))
        print_table(console, table)
    counts = ", ".join(f"{summary.changes[change]} {words}" for change, words in _COUNTED.items())
    console.print(f"{counts}; {summary.same(corpora[0].manifest.tests)} the same")
    for change, words in _COUNTED.items():
        if summary.changes[change]:
            _print_change(console, change, words, corpora[change != "removed"], summary)


def _print_change(console: Console, change: Change, words: str, corpus: Corpus, summary: DiffSummary) -> None:
    from synth.cli.printing import print_table
    from synth.views.tables import plain_table, signature_table

    console.print(f"\n{summary.changes[change]} {words}:")
    for why, count in summary.reasons[change].most_common():
        console.print(f"  {count}: {why}")
    if change == "verdicts":
        table = plain_table("verdict", "old", "new", "tests")
        for (name, before, after), count in sorted(summary.verdicts.items()):
            table.add_row(name, before, after, str(count))
        print_table(console, table)
    elif change == "metadata":
        table = plain_table("key", "tests")
        for key, count in sorted(summary.keys.items()):
            table.add_row(key, str(count))
        print_table(console, table)
    else:
        counted = dict(summary.signatures[change].most_common())
        print_table(console, signature_table(corpus.manifest.verdicts, counted))


def _print_tests(explained: Iterator[tuple[Difference, str]]) -> None:
    """The tests as programs, each with what has changed and why in a comment above it."""
    from synth.cli.streams import is_heard
    from synth.views.words import shown
    from synth_checker.normal import program_of_id
    from synth_checker.text import write_program

    for difference, why in explained:
        changes = [f"{name} {before} -> {after}" for name, (before, after) in difference.verdicts.items()]
        changes += [f"{key} {_json(a)} -> {_json(b)}" for key, (a, b) in difference.metadata.items()]
        words = ": ".join(filter(None, (", ".join(changes) or difference.change, why)))
        program = write_program(program_of_id(difference.id), difference.id)
        typer.echo(f"\n// {shown(words)}\n{program}", nl=False)
        if not is_heard():
            break


def _said(corpus: Corpus) -> dict[str, Any]:
    """What is said of a corpus as a whole."""
    manifest = corpus.manifest
    return {
        "folder": corpus.name,
        "question": manifest.question.name,
        "tests": manifest.tests,
        "complete": manifest.complete,
    }


def _fields(difference: Difference, why: str) -> dict[str, Any]:
    return {
        "id": difference.id,
        "change": difference.change,
        "why": why or None,
        "signature": difference.signature,
        "verdicts": difference.verdicts,
        "metadata": difference.metadata,
    }


def _json(value: object) -> str:
    """In ASCII: metadata may hold what steers a terminal, or what its encoding does not have."""
    import json

    return json.dumps(value, separators=(",", ":"))
