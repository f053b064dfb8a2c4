"""What is left out of a component because it is not valid, so that the rest can still be used.

    omissions = Omissions(are_allowed=True)
    for predicate in labelled:
        with omissions.part():
            check(predicate)

Rodin does the same: its static checker takes the parts that are right. With fewer hypotheses, what is proved is still
true, but a refutation may be wrong. So nobody may refute an obligation of a component that is not whole.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from synth_checker.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator


class Omissions:
    """Collects what is wrong with parts, as messages in `found`. Unless they are allowed, the first one is raised."""

    def __init__(self, *, are_allowed: bool) -> None:
        self.are_allowed = are_allowed
        self.found: list[str] = []

    @contextlib.contextmanager
    def part(self) -> Iterator[None]:
        """Leave out the part in the block if it is not valid."""
        try:
            yield
        except InputError as error:
            if not self.are_allowed:
                raise
            self.found.append(str(error))
