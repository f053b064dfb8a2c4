"""The tables by name: what each needs, corpora, campaigns or jobs, and the function that makes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from synth.campaigning.analysing import analysis_of
from synth.tabulating.corpora import passed_in, tests_table
from synth.tabulating.discovery import discovery_table
from synth.tabulating.folders import found_in, jobs_in
from synth.tabulating.ordering import order_table
from synth_analysis.distinguishing import conformance_table, strong_weak_table
from synth_analysis.frequency import frequency_table
from synth_analysis.reading import devices_in
from synth_checker.errors import InputError
from synth_checker.nearest import unknown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from synth_analysis.table import Table


class Kind(NamedTuple):
    """A kind of table. `of` says what `make` reads: `corpora`, `campaigns` or `jobs`."""

    of: str
    make: Callable[[Any], Table]


KINDS = {
    "order": Kind("campaigns", lambda campaigns: order_table(analysis_of(campaigns))),
    "tests": Kind("corpora", tests_table),
    "discovery": Kind("jobs", discovery_table),
    "conformance": Kind("corpora", lambda corpora: conformance_table(passed_in(corpora))),
    "strong-weak": Kind("corpora", lambda corpora: strong_weak_table(passed_in(corpora))),
    "never-sometimes-always": Kind("campaigns", lambda campaigns: frequency_table(devices_in(campaigns))),
}


def table_of(words: Iterable[str], name: str) -> Table:
    """Return a table, by name, of the corpora, campaigns or jobs that words name.

    Raises:
        InputError: the table is unknown, or the words name nothing that it reads.
        ResourceError: reading failed.
    """
    if name not in KINDS:
        raise unknown("name", name, KINDS)
    kind = KINDS[name]
    if kind.of == "jobs":
        return kind.make(jobs_in(words))
    found = found_in(words)._asdict()[kind.of]
    if not found:
        one = "corpus" if kind.of == "corpora" else "campaign"
        msg = f"{name}: found no {one}, expected at least one for this table"
        raise InputError(msg)
    return kind.make(found)
