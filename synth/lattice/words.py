"""The order of verdicts in words, and as JSON: the edges, the classes that are equal, and why all else is not so."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from synth.explaining.words import count
from synth_checker.names import name_of

if TYPE_CHECKING:
    from synth.lattice import Lattice


def write_text(lattice: Lattice) -> str:
    """What is less fair than what, then all pairs that are not ordered so, by their witnesses, the smallest first."""
    bounds = ", ".join(map(str, lattice.bounds))
    looked_at, by, opened = (
        ("", "the smallest test", f"Open up to {bounds}:")
        if lattice.complete
        else (", not all there are", "the smallest test looked at", f"Open up to the tests of {bounds} looked at:")
    )
    lines = [f"{count(len(lattice.verdicts), 'verdict')}, {lattice.tests:,} tests of {bounds}{looked_at}"]
    lines += [f"At most as fair, by inclusion of fair sets with up to {lattice.threads} threads:"]
    lines += [f"  {_class(one)} < {_class(other)}" for one, other in lattice.edges]
    lines += [f"  {_class(names)}" for names in lattice.classes if len(names) > 1]
    lines += [f"Not at most as fair, by {by} that passes the one and fails the other:"]
    for witness, pairs in _by_witness(lattice).items():
        lines.append(f"  {witness}, {name_of(witness)}")
        lines += [f"    {one}: {', '.join(others)}" for one, others in pairs.items()]
    if lattice.open:
        lines += [opened]
        lines += [f"  {one}, {other}" for one, other in lattice.open]
    else:
        lines += ["No pair is open."]
    return "\n".join([*lines, ""])


def write_json(lattice: Lattice) -> str:
    """Every ordered pair of two verdicts: true, false with its witness, or null where it is open."""
    pairs = [
        {"one": one, "other": other, "at_most_as_fair": comparison.at_most, "witness": comparison.refuted_by}
        for (one, other), comparison in lattice.comparisons.items()
        if one != other
    ]
    fields = {
        "verdicts": list(lattice.verdicts),
        "bounds": [str(bound) for bound in lattice.bounds],
        "tests": lattice.tests,
        "complete": lattice.complete,
        "threads": lattice.threads,
        "classes": [list(names) for names in lattice.classes],
        "edges": [[one[0], other[0]] for one, other in lattice.edges],
        "pairs": pairs,
    }
    return json.dumps(fields, separators=(",", ":")) + "\n"


def _class(names: tuple[str, ...]) -> str:
    return " = ".join(names)


def _by_witness(lattice: Lattice) -> dict[str, dict[str, list[str]]]:
    """For each witness, the smallest first, what passes it, each with all that it refutes."""
    from synth_checker.shrinking import size_of

    found: dict[str, dict[str, list[str]]] = {}
    for (one, other), comparison in lattice.comparisons.items():
        if comparison.refuted_by is not None:
            found.setdefault(comparison.refuted_by, {}).setdefault(one, []).append(other)
    return {witness: found[witness] for witness in sorted(found, key=size_of)}
