"""What to check of a kernel, and how."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """What to check of a kernel, and how.

    `tolerate_benign`: two writes of the same value are no race. `check_bounds`: each access must be inside its array.
    `enters_always` is a fault that tests plant: to assume that some thread enters each loop.
    """

    tolerate_benign: bool = True
    check_bounds: bool = False
    enters_always: bool = False


DEFAULT = Options()
