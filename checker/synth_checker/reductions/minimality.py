"""Decide which tests are minimal: no sub-program is a test with the same signature (definitions, section 6).

The answer depends on the rules and models in force. If a rule is dropped, more sub-programs are tests. If fewer models
are in force, fewer signatures differ. The C++ core decides (checker/native/minimality/minimality.hpp).
`synth_checker.twin.subprograms` decides the same directly from the definition.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.errors import check_ids
from synth_checker.models import Model, library
from synth_checker.models.compiled import compile_model
from synth_checker.programs.id_layout import thread_count
from synth_checker.programs.rules import broken_rules, rule_mask
from synth_checker.verdicts import FORMS, judge

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from synth_checker._native import SharedOrbits


class MinimalityFilter:
    """Finds the minimal tests of any number of batches, and reuses for a batch what it learned of sub-programs before.

    `threads` is the largest number of threads that a test may have. The rules in `without` are dropped. Neighbours in a
    batch that differ only in the order of their threads are decided together, where that can be done. With
    `by_orbits=False`, the filter decides each test by itself, which takes longer. `shared` is what the filter knows
    together with filters of other processes under the same models. Calls from several operating-system
    threads wait for each other.

    Raises:
        LimitError: `threads` is more than a model can be made for.
    """

    def __init__(
        self,
        threads: int,
        models: tuple[Model, ...] | None = None,
        without: Collection[str] = (),
        *,
        by_orbits: bool = True,
        shared: SharedOrbits | None = None,
    ) -> None:
        from synth_checker import _native

        models = library() if models is None else models
        # The automata for most threads first: for them a model may have too many states, which is said before any work.
        automata = [[compile_model(model, t) for model in models] for t in range(threads, 0, -1)]
        self._core = _native.Minimality(
            rule_mask(without),
            automata[::-1],
            [(True, len(model.forms) == FORMS) for model in models],
            by_orbits,
            shared,
        )

    def minimal(self, tests: Sequence[str], signatures: Sequence[int]) -> list[bool]:
        """Return for each test whether it is minimal.

        Each program in `tests` must be a test, and its id must be that of its normal form. `signatures` holds the bit
        mask that `synth_checker.verdicts.judge` returns for each test.

        Raises:
            InputError: an id cannot be read, or a test has more threads than the filter was made for.
            LimitError: a test has too many sub-programs, or a sub-program has too many states.
        """
        return self._core.minimal(tests, signatures)

    def minimal_of(self, lines: bytes, signatures: bytes) -> bytes:
        """Return those of the given tests that are minimal, as ids in a text of bytes with a line end after each id.

        `lines` are the ids of the tests in the same form. `signatures` are their verdicts in packed form, as in
        `synth_checker.examination.Examination`.

        Raises:
            InputError: an id cannot be read, or a test has more threads than the filter was made for.
            LimitError: a test has too many sub-programs, or a sub-program has too many states.
        """
        return self._core.minimal_of(lines, signatures)

    @property
    def known(self) -> int:
        """Return the number of programs about which the filter has stored something."""
        return self._core.known()

    @property
    def bytes(self) -> int:
        """Return about how many bytes of memory the stored programs take. Unusually large programs are not counted."""
        return self._core.bytes()


def minimal(ids: Sequence[str], models: tuple[Model, ...] | None = None, without: Collection[str] = ()) -> list[bool]:
    """Return for each program in `ids` whether it is a minimal test. A program that is not a test is not minimal.

    Raises:
        InputError: an id cannot be read.
        LimitError: a program has more than eight threads or too many sub-programs, or a sub-program has too many
            states.
    """
    from synth_checker import _native

    check_ids(ids)
    forms = _native.normalise(ids, "meaningful-comparisons" in without)
    allowed = rule_mask(without)
    tests = [form for form, broken in zip(forms, broken_rules(forms), strict=True) if not broken & ~allowed]
    most = max((thread_count(test) for test in tests), default=0)
    chosen = MinimalityFilter(most, models, without).minimal(tests, judge(tests, models))
    of_test = dict(zip(tests, chosen, strict=True))
    return [of_test.get(form, False) for form in forms]
