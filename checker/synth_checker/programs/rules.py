"""The rules that make a program a test (definitions, section 3), checked by the C++ core.

`synth_checker.twin.rules` checks the same rules directly from the definitions. The SAT encoding states them once more,
as clauses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from synth_checker.programs.ids import Ids

#: The names of all rules, in the order of the definitions. Bit k of a mask of rules stands for the k-th name.
RULES = (
    "possible-termination",
    "non-termination-cycle",
    "executed",
    "inter-thread-influence",
    "all-branches",
    "effective-stores",
    "meaningful-comparisons",
)
#: The rules that `--without` may drop.
DROPPABLE = RULES[3:]


def broken_rules(ids: Sequence[str]) -> list[int]:
    """Return, for each program in `ids`, the rules that it breaks as a bit mask over `RULES`.

    Raises:
        InputError: an id cannot be read.
        LimitError: a program has more states than can be explored.
    """
    from synth_checker import _native

    return _native.broken_rules(ids)


def first_broken(ids: Ids, without: Iterable[str] = (), *, jobs: int = 1) -> tuple[str, tuple[str, ...]] | None:
    """Return the first program that breaks a rule, with the names of all rules that it breaks; None if no program does.

    Rules in `without` are dropped and may be broken. `jobs` is the number of operating-system threads that do the work.

    Raises:
        LimitError: a program has more states than can be explored.
    """
    from synth_checker.chunks import in_chunks

    packed, allowed = ids.packed, rule_mask(without)
    chunks = in_chunks(lambda first, last: packed.first_broken(first, last, allowed), len(ids), jobs)
    return next(((ids[place], rule_names(broken)) for place, broken in chunks if broken), None)


def rule_names(mask: int) -> tuple[str, ...]:
    """Return the names of the rules in a bit mask, in the order of the definitions."""
    return tuple(rule for k, rule in enumerate(RULES) if mask >> k & 1)


def rule_mask(rules: Iterable[str]) -> int:
    """Return the bit mask that stands for the rules with these names.

    Raises:
        InputError: a name is not one of `RULES`.
    """
    rule_names = set(rules)
    if unknown := rule_names.difference(RULES):
        raise InputError(f"rules: found {min(unknown)!r}, expected some of {', '.join(RULES)}")
    return sum(1 << RULES.index(rule) for rule in rule_names)
