"""Values that nothing has set, and the cases into which a launch falls by what they decide.

An unset variable holds one arbitrary value, each thread its own. So does each element of private memory, and of the
local memory of each workgroup. A thread computes with such a value as with a formula (`partly`). Where the formula
decides a branch either way, the launch is two: one for the values with which the branch goes there, and one for the
others. A solver says whether there are such values.

What is unset anew in each round of a loop has no formula, and must not decide anything.
"""

from __future__ import annotations

import contextlib
import weakref
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from synth_checker.errors import InputError, LimitError
from synth_kernels.flow import Flow
from synth_kernels.progress.partial_values import PartialValue, unknown_value
from synth_kernels.terms import Terms, below, evaluate, script
from synth_solvers.client import Solver

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from synth_kernels.program import Kernel
    from synth_kernels.terms import Term

#: A launch falls into at most so many cases.
MOST_CASES = 256
#: A query takes at most so many seconds.
_SECONDS = 10.0
_Found = TypeVar("_Found")


class UnsetValue(NamedTuple):
    """A value that is not set: its name, whose it is, and the line of the typed program where its life begins.

    It is of a thread, or of all threads of a workgroup. The line is 0 for what is unset from the start.
    """

    name: str
    group: int
    thread: int | None = None
    line: int = 0


class UndecidedError(Exception):
    """A truth value may be either."""

    def __init__(self, truth: Term) -> None:
        super().__init__(truth)
        self.truth = truth


class _CaseVariables:
    """The variables that stand for what is unset in launches of a kernel, and the solver that knows of them."""

    def __init__(self, kernel: Kernel) -> None:
        self.terms = Terms()
        self.names: dict[str, UnsetValue] = {}
        self.variables: dict[UnsetValue, Term] = {}
        self.solver: Solver | None = None
        repeated = {block.name for block in kernel.blocks}
        with contextlib.suppress(InputError):  # some circle has two entries, so any line may come again
            repeated = {name for loop in Flow(kernel).loops.values() for name in loop.blocks}
        self.repeated = {step.line for block in kernel.blocks if block.name in repeated for step in block.instructions}


class Case:
    """What is unset in a launch of a kernel, where some truths about it hold."""

    def __init__(self, kernel: Kernel) -> None:
        self._known = _CaseVariables(kernel)
        self._holds: tuple[Term, ...] = ()
        self._decided: dict[Term, int | None] = {}

    @property
    def terms(self) -> Terms:
        """Where the terms of values are made."""
        return self._known.terms

    @property
    def is_whole(self) -> bool:
        """Whether nothing was decided by what is unset."""
        return not self._decided and not self._holds

    def also(self, truth: Term) -> Case:
        """Return the case in which another truth holds, too."""
        case = object.__new__(Case)
        case._known, case._holds, case._decided = self._known, (*self._holds, truth), {}
        return case

    def value(self, unset: UnsetValue, width: int) -> PartialValue:
        """Return a value that is not set."""
        if unset.line in self._known.repeated:
            return unknown_value(width)
        if unset not in self._known.variables:
            self._known.variables[unset] = self.terms.variable("unset", width)
            self._known.names[self._known.variables[unset].name] = unset
        return unknown_value(width, self._known.variables[unset])

    def decided(self, term: Term) -> int | None:
        """Return what a value must be, or None if it may be several.

        Raises:
            UndecidedError: it is a truth value that may be either.
            LimitError: the solver does not say.
            ResourceError: its package is not installed.
        """
        if term not in self._decided:
            model = self._model()
            assert model is not None  # noqa: S101  (each case was found to have values)
            value = evaluate([term], model)[term]
            other = self.terms.no(self.terms.equal(term, self.terms.constant(value, term.width)))
            self._decided[term] = value if self._model(other) is None else None
        if self._decided[term] is None and term.width == 1:
            raise UndecidedError(term)
        return self._decided[term]

    def names_in(self, term: Term) -> list[UnsetValue]:
        """Return what is unset in a term."""
        return [self._known.names[leaf.name] for leaf in below([term]) if leaf.name in self._known.names]

    def example(self) -> tuple[tuple[UnsetValue, int], ...]:
        """Return values of this case for what decides it."""
        model = self._model() or {}
        named = [leaf.name for leaf in below(self._holds) if leaf.name in self._known.names]
        return tuple((self._known.names[name], model.get(name, 0)) for name in named)

    def _model(self, *also: Term) -> dict[str, int] | None:
        """Return values with which truths hold in this case, or None if there are none."""
        if not self._holds and not also:
            return {}
        if self._known.solver is None:
            self._known.solver = Solver(seconds=_SECONDS)
            weakref.finalize(self._known, self._known.solver.__exit__)
        answer = self._known.solver.ask(script((*self._holds, *also)))
        if answer.verdict == "unknown":
            raise LimitError(f"unset variables: the solver could not say what they decide ({answer.reason})")
        return None if answer.verdict == "unsat" else {name: int(value) for name, value in answer.values.items()}


def in_each_case(whole: Case, answer: Callable[[Case], _Found]) -> Iterator[_Found]:
    """Yield what is found in each of the cases into which what is unset divides a launch.

    Raises:
        LimitError: there are too many.
    """
    todo, cases = [whole], 1
    while todo:
        case = todo.pop()
        try:
            value = answer(case)
        except UndecidedError as undecided:
            cases += 1
            if cases > MOST_CASES:
                raise LimitError(
                    f"unset variables: they divide the launch into more than {MOST_CASES} cases; use fewer threads"
                ) from None
            todo += [case.also(case.terms.no(undecided.truth)), case.also(undecided.truth)]
        else:
            yield value
