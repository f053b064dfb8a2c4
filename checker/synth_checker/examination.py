"""What is asked of each test of a stream: rules, verdicts and behaviour, from one exploration of its LTS.

`synth_checker.programs.rules`, `verdicts` and `behaviour` decide each alone, and explore the LTS each time.
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
class Examined:
    """What was found of some programs.

    `signatures` are the bit masks that `synth_checker.verdicts.judge` gives, and `behaviours` hashes, equal for
    behaviour-equivalent programs, as the core packs them: 8 and 16 bytes each, if hashes were asked for. `broken` is
    the id of the first program that breaks a rule in force, with these rules; nothing is then found of those behind it.
    """

    signatures: bytes
    behaviours: bytes
    broken: tuple[str, tuple[str, ...]] | None


class Examiner:
    """Examines programs of some numbers of threads, under models and rules; may be used by several Python threads."""

    def __init__(self, threads: Iterable[int], models: tuple[Model, ...], without: Collection[str] = ()) -> None:
        self._judges = [judge_for(models, count) for count in sorted(set(threads))]
        self._allowed = rule_mask(without)

    def examine(self, lines: bytes, *, with_behaviours: bool = True) -> Examined:
        """What is found of programs in normal form, their ids each ended by a line end.

        Behaviours take a third of the time, and more where programs have many threads.

        Raises:
            InputError: an id can't be read, or a program has another number of threads.
            LimitError: a program has more states than can be explored.
        """
        from synth_checker import _native

        signatures, behaviours, id_, broken = _native.examined(lines, self._judges, self._allowed, with_behaviours)
        return Examined(signatures, behaviours, (id_, rule_names(broken)) if broken else None)
