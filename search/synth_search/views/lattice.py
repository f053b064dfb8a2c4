"""The text of `synth lattice`: the edges, the classes of equal verdicts, and a reason for each unordered pair."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

from synth_checker.names import name_of
from synth_checker.reductions.shrink import size_of
from synth_documents.phrases import count
from synth_litmus.views.more_threads import look_further

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from synth_search.lattice import Lattice


def lines(lattice: Lattice, again: Callable[[int], str]) -> Iterator[str]:
    """Yield lines which say which verdict is less fair than which; then the other pairs, each with a witness.

    `again` returns the command that looks at more threads.
    """
    bounds = ", ".join(map(str, lattice.bounds))
    looked_at, by, opened = (
        ("", "the smallest test", f"Open, because no test of {bounds} decides these pairs:")
        if lattice.complete
        else (
            ", but there may be more",
            "the smallest test found",
            f"Open, because none of the tests found of {bounds} decides these pairs:",
        )
    )
    yield f"{count(len(lattice.verdicts), 'verdict')}, {lattice.tests:,} tests of {bounds}{looked_at}"
    unsettled = set(lattice.unsettled)
    told_of = {f"{_class(below)} < {_class(other)}": (*below, *other) for below, other in lattice.edges}
    told_of |= {_class(names): names for names in lattice.classes if len(names) > 1}
    bounded = [line for line, names in told_of.items() if not unsettled.isdisjoint(permutations(names, 2))]
    for comparisons, threads in (
        ([line for line in told_of if line not in bounded], "any number of threads"),
        (bounded, f"up to {count(lattice.threads, 'thread')}"),
    ):
        if comparisons:
            yield (
                "In each of these pairs the first verdict is at most as fair as the second, which the inclusion of "
                f"fair sets proves with {threads}:"
            )
            yield from (f"  {line}" for line in comparisons)
    if bounded:
        yield look_further(lattice.threads, again)
    yield (
        "In each of these pairs the first verdict is not at most as fair as the second. Above the pairs stands "
        f"{by} that shows it, because it passes the first and fails the second:"
    )
    for witness, pairs in _by_witness(lattice).items():
        yield f"  {witness}, {name_of(witness)}"
        yield from (f"    {name}: {', '.join(others)}" for name, others in pairs.items())
    if lattice.open:
        yield opened
        yield from (f"  {name}, {other_name}" for name, other_name in lattice.open)
    else:
        yield "Every pair is decided: none is open."


def _class(names: tuple[str, ...]) -> str:
    return " = ".join(names)


def _by_witness(lattice: Lattice) -> dict[str, dict[str, list[str]]]:
    """Return for each witness, smallest first, the verdicts that it passes, each with those that it refutes."""
    pairs: dict[str, dict[str, list[str]]] = {}
    for (name, other), comparison in lattice.comparisons.items():
        if comparison.refuted_by is not None:
            pairs.setdefault(comparison.refuted_by, {}).setdefault(name, []).append(other)
    return {witness: pairs[witness] for witness in sorted(pairs, key=size_of)}
