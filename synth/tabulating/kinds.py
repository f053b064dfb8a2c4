"""The tables by name: what each needs, corpora or campaigns, and the function that makes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from synth.campaigning.analysing import analysis_of
from synth.tabulating.corpora import passed_in, tests_table
from synth.tabulating.folders import found_in
from synth.tabulating.ordering import order_table
from synth_analysis.distinguishing import conformance_table, strong_weak_table
from synth_analysis.frequency import frequency_table
from synth_analysis.reading import devices_in
from synth_checker.errors import InputError
from synth_checker.nearest import unknown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from synth.tabulating.folders import Found
    from synth_analysis.table import Table


class Kind(NamedTuple):
    """A kind of table. `of` says what `make` reads: `corpora` or `campaigns`."""

    of: str
    make: Callable[[Found], Table]


KINDS = {
    "order": Kind("campaigns", lambda found: order_table(analysis_of(found.campaigns))),
    "tests": Kind("corpora", lambda found: tests_table(found.corpora)),
    "conformance": Kind("corpora", lambda found: conformance_table(passed_in(found.corpora))),
    "strong-weak": Kind("corpora", lambda found: strong_weak_table(passed_in(found.corpora))),
    "never-sometimes-always": Kind("campaigns", lambda found: frequency_table(devices_in(found.campaigns))),
}


def table_of(words: Iterable[str], name: str) -> Table:
    """Return a table, by name, of the corpora and campaigns that words name.

    Raises:
        InputError: the table is unknown, or the words name nothing that it reads.
        ResourceError: reading failed.
    """
    if name not in KINDS:
        raise unknown("name", name, KINDS)
    kind, found = KINDS[name], found_in(words)
    if not (found.corpora if kind.of == "corpora" else found.campaigns):
        msg = (
            f"{name}: found no {'corpus' if kind.of == 'corpora' else 'campaign'}, expected at least one for this table"
        )
        raise InputError(msg)
    return kind.make(found)
