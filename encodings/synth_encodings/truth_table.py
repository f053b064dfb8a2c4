"""Minimal clauses of a relation, by Espresso from its truth table.

Espresso (Brayton et al., 1984; here pyeda's build of it) finds a near-minimal sum of products. Given the assignments
that the relation forbids, each product is a set of forbidden assignments, and its negation is a clause. Assignments
that can't occur, such as two values of a one-hot field at once, are left to Espresso's choice.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from pyeda.boolalg import espresso

if TYPE_CHECKING:
    from collections.abc import Callable

# Espresso's words: an input is 0, 1 or either; an output says whether the row is forbidden.
_ZERO, _ONE = 1, 2
_ALLOWED, _FORBIDDEN, _EITHER = (0,), (1,), (2,)
_KINDS = espresso.FTYPE | espresso.DTYPE | espresso.RTYPE


def minimal_clauses(inputs: int, holds: Callable[[tuple[bool, ...]], bool | None]) -> tuple[tuple[int, ...], ...]:
    """Clauses that say that a relation over `inputs` Booleans holds.

    `holds(bits)` is the relation's truth table, None where `bits` can't occur. A clause is a tuple of non-zero
    integers: k stands for input k-1, -k for its negation. Sorted, so that the same table gives the same clauses.
    """
    table = {bits: holds(bits) for bits in itertools.product((False, True), repeat=inputs)}
    if False not in table.values():
        return ()
    outputs = {True: _ALLOWED, False: _FORBIDDEN, None: _EITHER}
    rows = [(tuple(_ONE if bit else _ZERO for bit in bits), outputs[value]) for bits, value in table.items()]
    forbidden = espresso.espresso(inputs, 1, rows, intype=_KINDS)
    return tuple(
        sorted(
            tuple(-k if literal == _ONE else k for k, literal in enumerate(cube, 1) if literal in {_ZERO, _ONE})
            for cube, _ in forbidden
        )
    )
