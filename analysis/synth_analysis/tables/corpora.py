"""What tables need of corpora: the numbers of their tests or of their published names, and the verdicts of each."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from synth_analysis.tables.published_names import names_in, published_names
from synth_checker.errors import InputError
from synth_checker.models import library, verdict_names
from synth_checker.programs.id_layout import thread_and_instruction_count
from synth_documents.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from synth_analysis.tables.published_names import PublishedNames
    from synth_corpus.store import Corpus


def tests_table(corpora: Iterable[Corpus]) -> Table:
    """Return a table of how many tests each bound of each corpus has (Table 2 of the paper).

    The paper's table also has bounds for states and actions, which its search needed. Ours needs none.
    """
    rows = []
    for corpus in corpora:
        bounds: dict[tuple[int, int], int] = {}
        for split, number in corpus.manifest.splits.items():
            sizes = [int(size) for size in split.split("+")]
            bound = len(sizes), sum(sizes)
            bounds[bound] = bounds.get(bound, 0) + number
        complete = "yes" if corpus.manifest.complete else "no"
        rows += [(corpus.name, *bound, number, complete) for bound, number in sorted(bounds.items())]
    return Table(
        "Tests by bound",
        ("corpus", "threads", "instructions", "tests", "complete"),
        tuple(rows),
        ("Complete: the corpus has all tests that its question asks for.",),
    )


def names_table(corpora: Sequence[Corpus]) -> Table:
    """Return a table of how many published names the tests of each bound have, as the paper's Table 2 counts.

    Raises:
        InputError: no test has a published name, or two tests have the same one.
    """
    rows: list[tuple[str | int, ...]] = []
    for corpus in corpora:
        ids = [id_ for _, id_ in names_in(corpus)]
        names, tests = (
            Counter(map(thread_and_instruction_count, ids)),
            Counter(map(thread_and_instruction_count, set(ids))),
        )
        rows += [(corpus.name, *bound, names[bound], tests[bound]) for bound in sorted(names)]
    columns = ("corpus", "threads", "instructions", "published names", "tests with such a name")
    return Table("Published names by bound", columns, tuple(rows), published_names(corpora).notes)


def passed_in(corpora: Sequence[Corpus], names: PublishedNames | None = None) -> list[frozenset[str]]:
    """Return the verdicts that each test of some corpora passes. A test in several corpora counts once.

    With `names`, the result has an entry for each published name instead.

    Raises:
        InputError: a corpus lacks a verdict of the six models, or cannot be read.
    """
    expected = set(verdict_names(library()))
    passed: dict[str, frozenset[str]] = {}
    for corpus in corpora:
        missing = expected.difference(corpus.manifest.verdicts)
        if missing:
            raise InputError(
                f"{corpus.name}: its tests have no verdict {min(missing)}, expected those of all models of the paper; "
                "make a corpus without --model"
            )
        for record in corpus:
            passed[record.id] = frozenset(name for name, result in record.verdicts.items() if result == "pass")
    return list(passed.values()) if names is None else [passed[id_] for id_ in names.ids.values()]
