"""Where tests are that a corpus has none of: under other conditions in the same corpus, and in corpora that ship."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from synth_checker.errors import InputError, excerpt
from synth_checker.models import model_of
from synth_checker.nearest import hint
from synth_corpus.parts import aliases_in, fields_of
from synth_corpus.selecting import Selection
from synth_corpus.shipped import NAMES
from synth_corpus.store import Corpus

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from synth_corpus.manifest import Manifest


@dataclass(frozen=True, slots=True)
class NothingSelected:
    """A corpus of which no test meets all conditions, and how many tests meet each condition alone.

    `elsewhere` has the corpora that ship and have tests that meet them all, as `shipped_with` gives them.
    """

    corpus: Corpus
    alone: Mapping[Selection, int]
    elsewhere: Mapping[str, int] | None


@dataclass(frozen=True, slots=True)
class NothingPasses:
    """A corpus of which no test passes a verdict, and how many pass the others; `elsewhere` as in `NothingSelected`."""

    corpus: Corpus
    verdict: str
    passed: Mapping[str, int]
    elsewhere: Mapping[str, int] | None


def why_nothing_selected(corpus: Corpus, selection: Selection) -> NothingSelected:
    """What each condition finds alone in a corpus that has no test that meets them all, and where such tests are.

    Raises:
        InputError: no test of the corpus has the alias that is asked for.
    """
    conditions = list(selection.conditions())
    if corpus.manifest.tests and selection.alias is not None:
        check_alias(corpus, selection.alias)
    some = conditions if corpus.manifest.tests and len(conditions) > 1 else []
    alone = dict.fromkeys(conditions, 0) | dict(zip(some, counts(corpus, some), strict=True))
    return NothingSelected(corpus, alone, shipped_with(selection, corpus) if conditions else {})


def why_nothing_passes(corpus: Corpus, verdict: str) -> NothingPasses:
    """What the tests of a corpus pass, none of which passes a verdict, and where such tests are."""
    elsewhere = shipped_with(Selection(passes=frozenset({verdict})), corpus)
    return NothingPasses(corpus, verdict, passed(corpus), elsewhere)


def counts(corpus: Corpus, selections: Iterable[Selection]) -> list[int]:
    """How many tests of a corpus are as each selection says."""
    return [sum(1 for _ in selection.of(corpus)) for selection in selections]


def shipped_with(selection: Selection, asked: Corpus) -> dict[str, int] | None:
    """For each shipped corpus with such tests, other than `asked`, the number of these tests, by the corpus's name.

    None if the selection means something else there: `asked` has other models under the same names.
    """
    shipped = [Corpus(Path(name)) for name in NAMES]
    if not all(_speaks_of(selection, asked.manifest, corpus.manifest) for corpus in shipped):
        return None
    others = [corpus for corpus in shipped if corpus.folder != asked.folder]
    found = {corpus.name: count for corpus in others for count in counts(corpus, [selection])}
    return {name: count for name, count in found.items() if count}


def passes(corpus: Corpus, verdict: str) -> bool:
    """Whether some test of a corpus passes a verdict; it is read as far as the first."""
    return any(fields_of(line, corpus.place_of).verdicts.get(verdict) == "pass" for line in corpus.raw_lines())


def passed(corpus: Corpus) -> dict[str, int]:
    """How many tests of a corpus pass each verdict, of those that some test passes, in the order of the verdicts."""
    found: Counter[str] = Counter()
    for line in corpus.raw_lines():
        verdicts = fields_of(line, corpus.place_of).verdicts
        found.update(name for name, verdict in verdicts.items() if verdict == "pass")
    return {name: found[name] for name in corpus.manifest.verdicts if found[name]}


def check_alias(corpus: Corpus, alias: str) -> None:
    """Raise InputError where no test of a corpus has this alias, with the one that was probably meant."""
    aliases: set[str] = set()
    for line in corpus.raw_lines():
        if b'"aliases"' in line:
            aliases.update(aliases_in(fields_of(line, corpus.place_of).more))
    if alias not in aliases:
        known = "an alias of one of its tests" if aliases else "none: its tests have no aliases"
        msg = f"found no test with the alias {excerpt(alias)!r}{hint(alias, aliases)}, expected {known}"
        raise InputError(f"{corpus.name}: {msg}")


def _speaks_of(selection: Selection, asked: Manifest, other: Manifest) -> bool:
    """Whether the verdicts that are selected by mean the same in two corpora."""
    if selection.signature is not None:
        return (asked.verdicts, asked.models) == (other.verdicts, other.models)
    models = {model_of(name) for name in selection.passes | selection.fails}
    return all(asked.models.get(name) == other.models.get(name, "") for name in models)
