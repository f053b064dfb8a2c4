"""The order of verdicts as JSON: its classes, its edges, and for each pair whether it is in the order and why not."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from synth_storage.answer_json import answer_from

if TYPE_CHECKING:
    from synth_search.lattice import Lattice


class VerdictPair(NamedTuple):
    """Whether verdict `one` is at most as fair as verdict `other`.

    If it is not, `witness` is the test that shows it. If `at_most_as_fair` is null, the question is open. If it is
    true, `settled` says whether this is proven for every number of threads, and not only for those looked at.
    """

    one: str
    other: str
    at_most_as_fair: bool | None
    settled: bool
    witness: str | None


class LatticeAnswer(NamedTuple):
    """The order of all verdicts of some models: every ordered pair, and the classes and edges of the drawing.

    An edge is written as two verdicts: the first verdict of the less fair class, then that of the fairer class. The
    inclusion of fair sets was looked at for up to `threads` threads.
    """

    verdicts: tuple[str, ...]
    bounds: list[str]
    tests: int
    complete: bool
    threads: int
    classes: tuple[tuple[str, ...], ...]
    edges: list[tuple[str, str]]
    pairs: list[VerdictPair]


def lattice_answer(lattice: Lattice) -> LatticeAnswer:
    """Return the order of verdicts as `synth lattice --format json` prints it."""
    return answer_from(
        LatticeAnswer,
        lattice,
        bounds=[str(bound) for bound in lattice.bounds],
        edges=[(class_[0], other[0]) for class_, other in lattice.edges],
        pairs=[
            VerdictPair(first, other, comparison.at_most, comparison.settled, comparison.refuted_by)
            for (first, other), comparison in lattice.comparisons.items()
            if first != other
        ],
    )
