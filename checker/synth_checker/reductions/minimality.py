"""Which tests are minimal: no sub-program is a test with the same signature (definitions, section 6).

Under the rules and models in force: dropping a rule makes more sub-programs tests, and fewer models tell fewer
signatures apart. Decided by the C++ core (checker/native/minimality/minimality.hpp);
`synth_checker.twin.subprograms` decides the same from the sentence of the definitions.
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


class MinimalityFilter:
    """Tells the minimal tests of any batches; what it learns of sub-programs in one helps it with the next.

    For programs of at most so many threads. Calls from several Python threads wait for each other.

    Raises:
        LimitError: there are more threads than models are made for.
    """

    def __init__(self, threads: int, models: tuple[Model, ...] | None = None, without: Collection[str] = ()) -> None:
        from synth_checker import _native

        models = library() if models is None else models
        # Those for most threads first: they are the ones that there may be none of.
        automata = [[compile_model(model, t) for model in models] for t in range(threads, 0, -1)]
        self._core = _native.Minimality(
            rule_mask(without),
            automata[::-1],
            [(True, len(model.forms) == FORMS) for model in models],
        )

    def minimal(self, tests: Sequence[str], signatures: Sequence[int]) -> list[bool]:
        """Whether each test, given by its id, is minimal.

        The ids are those of normal forms, and they are tests; `signatures` are the bit masks that `judge` gives them.

        Raises:
            InputError: an id can't be read, or a program has more threads than the filter is for.
            LimitError: a program has too many sub-programs, or one of these too many states.
        """
        return self._core.minimal(tests, signatures)

    def minimal_of(self, lines: bytes, signatures: bytes) -> bytes:
        """The same of ids as a batch, each ended by a line end: those that are minimal.

        `signatures` are packed as `synth_checker.examination` has them. Raises as `minimal` does.
        """
        return self._core.minimal_of(lines, signatures)

    @property
    def known(self) -> int:
        """How many programs it has learned of."""
        return self._core.known()

    @property
    def bytes(self) -> int:
        """How many bytes these take, but for unusually large ones."""
        return self._core.bytes()


def minimal(ids: Sequence[str], models: tuple[Model, ...] | None = None, without: Collection[str] = ()) -> list[bool]:
    """Whether each program, given by its id, is a minimal test; one that is no test is none.

    Raises:
        InputError: an id can't be read.
        LimitError: a program has more than eight threads or too many sub-programs, or one of these too many states.
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
