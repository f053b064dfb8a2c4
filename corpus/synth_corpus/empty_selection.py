"""Look elsewhere when a corpus has no test of a selection: under other conditions, and in the corpora that ship."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from synth_checker.errors import InputError, excerpt
from synth_checker.models import model_of
from synth_checker.nearest import hint
from synth_corpus.parts import aliases_in, fields_of
from synth_corpus.selection import Selection
from synth_corpus.shipped import NAMES
from synth_corpus.store import Corpus

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from synth_corpus.manifest import Manifest


@dataclass(frozen=True, slots=True)
class EmptySelection:
    """A corpus in which no test meets all conditions of a selection, with the number of tests that meet each one alone.

    `elsewhere` is what `shipped_counts` returns: how many tests in the corpora that ship meet all conditions.
    """

    corpus: Corpus
    alone: Mapping[Selection, int]
    elsewhere: Mapping[str, int] | None


@dataclass(frozen=True, slots=True)
class UnpassedVerdict:
    """A corpus in which no test passes a verdict, with the number of tests that pass each of the other verdicts.

    `elsewhere` is what `shipped_counts` returns: how many tests in the corpora that ship pass the verdict.
    """

    corpus: Corpus
    verdict: str
    passed: Mapping[str, int]
    elsewhere: Mapping[str, int] | None


def why_nothing_selected(corpus: Corpus, selection: Selection) -> EmptySelection:
    """Return how many tests each condition of a selection finds alone, in a corpus in which no test meets all of them.

    Raises:
        InputError: the selection asks for an alias that no test of the corpus has.
    """
    conditions = list(selection.conditions())
    if corpus.manifest.tests and selection.alias is not None:
        check_alias(corpus, selection.alias)
    several = conditions if corpus.manifest.tests and len(conditions) > 1 else []
    alone = dict.fromkeys(conditions, 0) | dict(zip(several, selection_counts(corpus, several), strict=True))
    return EmptySelection(corpus, alone, shipped_counts(selection, corpus) if conditions else {})


def why_nothing_passes(corpus: Corpus, verdict: str) -> UnpassedVerdict:
    """Return which verdicts the tests of a corpus pass, if none of them passes the given one."""
    elsewhere = shipped_counts(Selection(passes=frozenset({verdict})), corpus)
    return UnpassedVerdict(corpus, verdict, passing_counts(corpus), elsewhere)


def selection_counts(corpus: Corpus, selections: Iterable[Selection]) -> list[int]:
    """Return, for each selection, how many tests of a corpus meet its conditions."""
    return [sum(1 for _ in selection.of(corpus)) for selection in selections]


def shipped_counts(selection: Selection, corpus_here: Corpus) -> dict[str, int] | None:
    """Return how many tests of each corpus that ships meet the conditions of a selection, by the corpus's name.

    The result does not list `corpus_here`, nor corpora in which no test meets the conditions. It is None if the
    conditions mean something else in the corpora that ship, because `corpus_here` has other models with the same names.
    """
    shipped = [Corpus(Path(name)) for name in NAMES]
    if not all(_speaks_of(selection, corpus_here.manifest, corpus.manifest) for corpus in shipped):
        return None
    others = [corpus for corpus in shipped if corpus.folder != corpus_here.folder]
    by_corpus = {corpus.name: count for corpus in others for count in selection_counts(corpus, [selection])}
    return {name: count for name, count in by_corpus.items() if count}


def has_passing_test(corpus: Corpus, verdict: str) -> bool:
    """Return whether some test of a corpus passes a verdict. The corpus is read up to the first such test."""
    return any(fields_of(line, corpus.place_of).verdicts.get(verdict) == "pass" for line in corpus.raw_lines())


def passing_counts(corpus: Corpus) -> dict[str, int]:
    """Return how many tests of a corpus pass each verdict, in the order of the verdicts.

    Verdicts that no test passes are left out.
    """
    counts_of_passes: Counter[str] = Counter()
    for line in corpus.raw_lines():
        verdicts = fields_of(line, corpus.place_of).verdicts
        counts_of_passes.update(name for name, verdict in verdicts.items() if verdict == "pass")
    return {name: counts_of_passes[name] for name in corpus.manifest.verdicts if counts_of_passes[name]}


def check_alias(corpus: Corpus, alias: str) -> None:
    """Raise InputError if no test of a corpus has this alias. The message names the alias that was probably meant."""
    aliases: set[str] = set()
    for line in corpus.raw_lines():
        if b'"aliases"' in line:
            aliases.update(aliases_in(fields_of(line, corpus.place_of).more))
    if alias not in aliases:
        known = f"the corpus has aliases such as {min(aliases)}" if aliases else "no test of this corpus has an alias"
        msg = f"no test has the alias {excerpt(alias)!r}{hint(alias, aliases)}; {known}"
        raise InputError(f"{corpus.name}: {msg}")


def _speaks_of(selection: Selection, here: Manifest, other: Manifest) -> bool:
    """Return whether the verdicts of a selection mean the same in two corpora."""
    if selection.signature is not None:
        return (here.verdicts, here.models) == (other.verdicts, other.models)
    models = {model_of(name) for name in selection.passes | selection.fails}
    return all(here.models.get(name) == other.models.get(name, "") for name in models)
