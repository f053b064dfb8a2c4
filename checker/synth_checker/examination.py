"""Examine many tests: one exploration of a test's transition system gives its broken rules, verdicts and behaviour.

The modules `synth_checker.programs.rules`, `synth_checker.verdicts` and `synth_checker.transitions.behaviour` each find
one of the three alone, and each of them explores the transition system again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_checker.programs.rules import rule_mask, rule_names
from synth_checker.verdicts import judge_for

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from synth_checker.models import Model


@dataclass(frozen=True, slots=True)
class Examination:
    """The results of examining several programs.

    `signatures` holds the verdicts of each program, 8 bytes each: the bit mask that `synth_checker.verdicts.judge`
    returns. `behaviours` holds a hash for each program, 16 bytes each, or nothing if no hashes were requested;
    behaviour-equivalent programs have equal hashes. `broken` is the id of the first program that breaks a rule, with
    the names of the rules that it breaks, or None. The programs after that one are not examined.
    """

    signatures: bytes
    behaviours: bytes
    broken: tuple[str, tuple[str, ...]] | None


class Examiner:
    """Examines programs under given models and rules. Several operating-system threads may use one examiner.

    `threads` are the numbers of threads that the programs may have. The rules in `without` are not checked.
    """

    def __init__(self, threads: Iterable[int], models: tuple[Model, ...], without: Collection[str] = ()) -> None:
        self._judges = [judge_for(models, count) for count in sorted(set(threads))]
        self._allowed = rule_mask(without)

    def examine(self, lines: bytes, *, with_behaviours: bool = True) -> Examination:
        """Return the signatures, the behaviours and the first broken rule of some programs in normal form.

        `lines` are the ids of the programs, each followed by a line end. Computing the hashes of the behaviours takes a
        third of the time, and more where programs have many threads.

        Raises:
            InputError: an id cannot be read, or a program has a number of threads that the examiner was not made for.
            LimitError: a program has more states than can be explored.
        """
        from synth_checker import _native

        signatures, behaviours, id_, broken = _native.examined(lines, self._judges, self._allowed, with_behaviours)
        return Examination(signatures, behaviours, (id_, rule_names(broken)) if broken else None)
