"""The tables by name, each made of corpora, of campaigns or of jobs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from synth_analysis.answers.analysis import analysis_of
from synth_analysis.device_results import devices_in
from synth_analysis.frequency import frequency_table
from synth_analysis.tables.corpora import names_table, passed_in, tests_table
from synth_analysis.tables.discovery import discovery_table
from synth_analysis.tables.folders import jobs_in, named_sources
from synth_analysis.tables.order import order_table
from synth_analysis.tables.published_names import published_names
from synth_analysis.verdict_shares import conformance_table, strong_weak_table
from synth_checker.errors import InputError
from synth_checker.nearest import check_known
from synth_documents.table import Table

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from synth_corpus.store import Corpus

_T = TypeVar("_T")
#: Makes a table of what words name. The second argument is the name of the table, for messages.
Maker: TypeAlias = Callable[[Iterable[str], str], Table]


def _of_corpora(make: Callable[[Sequence[Corpus]], Table]) -> Maker:
    def made(words: Iterable[str], name: str) -> Table:
        return make(_at_least_one(named_sources(words).corpora, name, "corpus"))

    return made


def _of_names(make: Callable[[Sequence[frozenset[str]], str], Table]) -> Maker:
    def made(corpora: Sequence[Corpus]) -> Table:
        names = published_names(corpora)
        table = make(passed_in(corpora, names), "published names")
        return table._replace(notes=(*table.notes, *names.notes))

    return _of_corpora(made)


def _of_campaigns(make: Callable[[Sequence[Path]], Table]) -> Maker:
    def made(words: Iterable[str], name: str) -> Table:
        return make(_at_least_one(named_sources(words).campaigns, name, "campaign"))

    return made


def _of_jobs(make: Callable[[Sequence[Path]], Table]) -> Maker:
    return lambda words, _: make(jobs_in(words))


def _at_least_one(entries: tuple[_T, ...], name: str, expected: str) -> tuple[_T, ...]:
    """Return what was found, or raise InputError if that is nothing."""
    if not entries:
        raise InputError(f"{name}: found no {expected}, expected at least one for this table")
    return entries


KINDS = {
    "order": _of_campaigns(lambda campaigns: order_table(analysis_of(campaigns))),
    "tests": _of_corpora(tests_table),
    "discovery": _of_jobs(discovery_table),
    "conformance": _of_corpora(lambda corpora: conformance_table(passed_in(corpora))),
    "strong-weak": _of_corpora(lambda corpora: strong_weak_table(passed_in(corpora))),
    "never-sometimes-always": _of_campaigns(lambda campaigns: frequency_table(devices_in(campaigns))),
}


#: The tables that can count published names instead of tests.
OF_NAMES = {
    "tests": _of_corpora(names_table),
    "conformance": _of_names(conformance_table),
    "strong-weak": _of_names(strong_weak_table),
}


def table_of(words: Iterable[str], name: str, *, aliases: bool = False) -> Table:
    """Return a table, by name, of the corpora, campaigns or jobs that words name.

    With `aliases`, the table counts the published names of tests, as the paper does.

    Raises:
        InputError: the table is unknown or counts no tests, or the words name nothing that it reads.
        ResourceError: reading failed.
    """
    check_known("name", name, KINDS)
    if aliases and name not in OF_NAMES:
        raise InputError(f"{name}: this table counts no tests of corpora; --aliases is for {', '.join(OF_NAMES)}")
    return (OF_NAMES if aliases else KINDS)[name](words, name)
