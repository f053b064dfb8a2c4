"""What is said on standard error where a command finds no test in a corpus: why, and where such tests are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import typer

from synth.views.words import shown, tests

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_corpus.selecting import Selection
    from synth_corpus.store import Corpus


def say_nothing_selected(corpus: Corpus, selection: Selection) -> None:
    """Tell that no test of a corpus is as the options of `synth corpus list` say, and what each of them finds alone.

    Raises:
        InputError: no test of the corpus has the alias that was asked for.
    """
    from synth_corpus.elsewhere import check_alias, counts

    if not corpus.manifest.tests:
        _say(f"{corpus.name}: has no tests")
    else:
        if selection.alias is not None:
            check_alias(corpus, selection.alias)
        asked = dict(_conditions(selection))
        alone = ""
        if len(asked) > 1:
            found = zip(asked, counts(corpus, asked.values()), strict=True)
            alone = "; alone, " + ", ".join(f"{option} finds {count or 'none'}" for option, count in found)
        _say(f"{corpus.name}: found no such test among {corpus.manifest.tests}{alone}")
    _say_elsewhere(corpus, selection)


def say_nothing_passes(corpus: Corpus, verdict: str) -> None:
    """Tell that no test of a corpus passes a verdict, and how many pass the others."""
    from synth_corpus.elsewhere import passed
    from synth_corpus.selecting import Selection

    others = ", ".join(f"{name} ({count})" for name, count in passed(corpus).items())
    found = f"its tests pass {others}" if others else "none of its tests passes any verdict"
    _say(f"{corpus.name}: no test passes {verdict}; {found if corpus.manifest.tests else 'it has no tests'}")
    _say_elsewhere(corpus, Selection(passes=frozenset({verdict})))


def say_no_rows(corpus: Corpus) -> None:
    """Tell that a query found no row."""
    _say(f"{corpus.name}: the query found no row, of {tests(corpus.manifest.tests)}")


def say_if_all_are_drawn(corpus: Corpus, size: int) -> None:
    """Tell where a sample is the whole corpus, as that has no more tests, or none."""
    has = corpus.manifest.tests
    if has < size:
        _say(f"{corpus.name}: has {tests(has) if has else 'no tests'}, fewer than the {size} that were asked for")


def _say_elsewhere(corpus: Corpus, selection: Selection) -> None:
    from synth_corpus.elsewhere import shipped_with

    if not dict(_conditions(selection)):
        return
    found = shipped_with(selection, corpus)
    if found is None:
        _say("whether corpora that ship have such tests is not known: their verdicts are those of other models")
    elif found:
        _say(f"such tests are in {', '.join(f'{name} ({count})' for name, count in found.items())}")
    else:
        _say("no corpus that ships has such a test")


def _conditions(selection: Selection) -> Iterator[tuple[str, Selection]]:
    """What a selection asks, option by option, each with the selection that asks nothing else."""
    none = type(selection)()
    yield from ((f"--pass {name}", replace(none, passes=frozenset({name}))) for name in sorted(selection.passes))
    yield from ((f"--fail {name}", replace(none, fails=frozenset({name}))) for name in sorted(selection.fails))
    if selection.signature is not None:
        yield f"--signature {selection.signature}", replace(none, signature=selection.signature)
    if selection.bounds:
        yield f"--bounds {','.join(sorted(map(str, selection.bounds)))}", replace(none, bounds=selection.bounds)
    if selection.prefix:
        yield f"--id {selection.prefix}", replace(none, prefix=selection.prefix)
    if selection.alias is not None:
        yield f"--alias {selection.alias}", replace(none, alias=selection.alias)
    if selection.idiom is not None:
        yield f"--idiom {selection.idiom}", replace(none, idiom=selection.idiom)


def _say(text: str) -> None:
    typer.echo(f"synth: {shown(text)}", err=True)
