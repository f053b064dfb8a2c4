"""The order of verdicts as JSON: its classes, its edges, and for each pair whether it is in the order and why not."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from synth_search.lattice import Lattice


class VerdictPairFields(TypedDict):
    """Whether verdict `one` is at most as fair as verdict `other`.

    If it is not, `witness` is the test that shows it. If `at_most_as_fair` is null, the question is open. If it is
    true, `settled` says whether this is proven for every number of threads, and not only for those looked at.
    """

    one: str
    other: str
    at_most_as_fair: bool | None
    settled: bool
    witness: str | None


class LatticeFields(TypedDict):
    """The order of all verdicts of some models: every ordered pair, and the classes and edges of the drawing.

    An edge is written as two verdicts: the first verdict of the less fair class, then that of the fairer class. The
    inclusion of fair sets was looked at for up to `threads` threads.
    """

    verdicts: list[str]
    bounds: list[str]
    tests: int
    complete: bool
    threads: int
    classes: list[list[str]]
    edges: list[tuple[str, str]]
    pairs: list[VerdictPairFields]


def lattice_fields(lattice: Lattice) -> LatticeFields:
    """Return the order of verdicts as the JSON object that `synth lattice --json` prints."""
    return {
        "verdicts": list(lattice.verdicts),
        "bounds": [str(bound) for bound in lattice.bounds],
        "tests": lattice.tests,
        "complete": lattice.complete,
        "threads": lattice.threads,
        "classes": [list(names) for names in lattice.classes],
        "edges": [(class_[0], other[0]) for class_, other in lattice.edges],
        "pairs": [
            {
                "one": first,
                "other": other,
                "at_most_as_fair": comparison.at_most,
                "settled": comparison.settled,
                "witness": comparison.refuted_by,
            }
            for (first, other), comparison in lattice.comparisons.items()
            if first != other
        ],
    }
