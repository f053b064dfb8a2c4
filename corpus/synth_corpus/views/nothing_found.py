"""Messages for a command that finds no test in a corpus: what each condition finds alone, and where such tests are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.readable import tests

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from synth_corpus.empty_selection import EmptySelection, UnpassedVerdict
    from synth_corpus.selection import Selection
    from synth_corpus.store import Corpus


def selected_lines(answer: EmptySelection) -> Iterator[str]:
    """Yield lines which say that no test of the corpus meets all conditions of `synth corpus list`."""
    corpus = answer.corpus
    if not corpus.manifest.tests:
        yield f"{corpus.name}: has no tests"
    else:
        alone = ""
        if len(answer.alone) > 1:
            finds = (f"{_option(condition)} finds {count or 'none'}" for condition, count in answer.alone.items())
            alone = f"; alone, {', '.join(finds)}"
        yield f"{corpus.name}: found no such test among {corpus.manifest.tests}{alone}"
    if answer.alone:
        yield _elsewhere(answer.elsewhere)


def passes_lines(answer: UnpassedVerdict) -> Iterator[str]:
    """Yield lines which say that no test of the corpus passes the verdict that a format asks for."""
    others = ", ".join(f"{name} ({count})" for name, count in answer.passed.items())
    passes = f"its tests pass {others}" if others else "none of its tests passes any verdict"
    has = passes if answer.corpus.manifest.tests else "it has no tests"
    yield f"{answer.corpus.name}: no test passes {answer.verdict}; {has}"
    yield _elsewhere(answer.elsewhere)


def rows_lines(corpus: Corpus) -> Iterator[str]:
    """Yield a line which says that a query found no row."""
    yield f"{corpus.name}: the query found no row; the corpus has {tests(corpus.manifest.tests)}"


def sample_lines(corpus: Corpus, size: int) -> Iterator[str]:
    """Yield a line which says that a sample is smaller than asked for, because the corpus has no more tests."""
    has = corpus.manifest.tests
    if has < size:
        yield f"{corpus.name}: has {tests(has) if has else 'no tests'}, fewer than the {size} that were asked for"


def _elsewhere(counts: Mapping[str, int] | None) -> str:
    if counts is None:
        return "the corpora that ship have verdicts of other models, so they do not tell whether they have such tests"
    if counts:
        return f"such tests are in {', '.join(f'{name} ({count})' for name, count in counts.items())}"
    return "no corpus that ships has such a test"


def _option(condition: Selection) -> str:
    """Return the option of `synth corpus list` that asks for a condition."""
    for option, names in (("pass", condition.passes), ("fail", condition.fails)):
        if names:
            return f"--{option} {','.join(sorted(names))}"
    if condition.signature is not None:
        return f"--signature {condition.signature}"
    if condition.bounds:
        return f"--bounds {','.join(sorted(map(str, condition.bounds)))}"
    if condition.prefix:
        return f"--id {condition.prefix}"
    return f"--alias {condition.alias}" if condition.alias is not None else f"--idiom {condition.idiom}"
