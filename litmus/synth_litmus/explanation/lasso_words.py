"""Explain the lasso of a program that fails: which threads starve, and why the model's promise is kept all the same.

On a cycle the set of live threads does not change. Under a set expression over history, the fair set does not change
either, and neither do the parts of the expression that leave out a starving thread. Under a model with states of its
own, the fair set and these parts may change. Then the sentences say in which steps of the lasso the model owes a thread
a step. For the other steps, they say what leaves the thread out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic

from synth_checker.models.absence import AbsenceReason, reasons_of_absence
from synth_checker.transitions.transition_system import AnyState
from synth_documents.phrases import count, named_threads, sentence, threads_in, written_set

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from synth_checker.certificates.certificate import Lasso, LassoStep
    from synth_checker.certificates.product import Product
    from synth_checker.models import Form, Model


class LassoWords(Generic[AnyState]):
    """The sentences that explain one lasso."""

    def __init__(self, product: Product[AnyState], model: Model, form: Form, lasso: Lasso[AnyState]) -> None:
        self._product, self._model, self._form, self._lasso = product, model, form, lasso
        self._numbers = {state: number for number, state in enumerate(product.states)}
        self._cycle = {self._numbers[step.state] for step in lasso.cycle}
        self._live = set(product.successors[min(self._cycle)])
        # For each thread, the numbers of those steps of the cycle before which it is promised a step.
        self._owed: dict[int, list[int]] = {}
        for number, step in enumerate(lasso.cycle, lasso.prefix + 1):
            for thread in threads_in(step.fair):
                self._owed.setdefault(thread, []).append(number)
        self._stepping = {step.thread for step in lasso.cycle}

    def sentences(self, verdicts: Mapping[str, str]) -> Iterator[str]:
        """Yield the sentences that explain the lasso, in order.

        `verdicts` says, by name, which verdicts of the model the program passes and fails.
        """
        yield self._length()
        for thread in sorted(self._live - self._stepping):
            yield self._starvation(thread)
        if self._live == self._stepping:
            yield "No thread starves: each live thread steps again and again."
        yield from self._promises()
        if self._form == "weak":
            yield from self._ways_out(verdicts)
        if not self._may_end():
            yield "No path leads from the cycle to an end, so the program could not end under any model."

    def _length(self) -> str:
        prefix, cycle = self._lasso.prefix, count(len(self._lasso.cycle), "step")
        steps = f"after {count(prefix, 'step')}, {cycle} again and again" if prefix else f"{cycle} again and again"
        shortest = "There is no shorter way." if self._lasso.is_shortest else "There may be a shorter way."
        return f"The program may hang: {steps}. {shortest}"

    def _starvation(self, thread: int) -> str:
        """Say why a thread starves.

        A starving thread is not promised a step all the time, or it would take one. Under the strong form it is never
        promised one.
        """
        lacking: dict[str, list[int]] = {}
        for number, step in enumerate(self._lasso.cycle, self._lasso.prefix + 1):
            if not step.fair >> thread & 1:
                lacking.setdefault(self._why(thread, step), []).append(number)
        name, owed = self._model.name, self._owed.get(thread, [])
        if owed:
            parts = [f"not at {_listed(numbers)}{why}" for why, numbers in lacking.items()]
            return (
                f"Thread {thread} starves: {name} promises it a step at {_listed(owed)}, but {', and '.join(parts)}; "
                "so the thread is not promised a step all the time."
            )
        if len(lacking) == 1:
            return f"Thread {thread} starves: {name} promises it no step in the cycle{next(iter(lacking))}."
        parts = [f"at {_listed(numbers)}{why}" for why, numbers in lacking.items()]
        return f"Thread {thread} starves: {name} promises it no step in the cycle: {', and '.join(parts)}."

    def _why(self, thread: int, step: LassoStep[AnyState]) -> str:
        """Say what leaves a thread out of the fair set before a step, or nothing if the model is Python code."""
        threads = self._product.automaton.threads
        promise = self._model.fair_in(self._product.automaton, step.state.model)
        if promise is None:
            return ""
        expression, values = promise
        live = sum(1 << each for each in self._live)
        reasons = reasons_of_absence(expression, thread, live=live, everyone=(1 << threads) - 1, **values)
        return f", because it is {', and '.join(map(_absence, reasons))}"

    def _promises(self) -> Iterator[str]:
        """Say that the execution keeps every promise of the form in the cycle."""
        if not self._owed:
            yield "No thread is promised a step in the cycle, so no promise is broken."
            return
        steps = len(self._lasso.cycle)
        always = [thread for thread, numbers in sorted(self._owed.items()) if len(numbers) == steps]
        sometimes = {thread: numbers for thread, numbers in sorted(self._owed.items()) if thread not in always}
        takes = "takes a step" if self._form == "weak" else "takes it in each state of the cycle"
        if always:
            are, each = ("are", "each ") if len(always) > 1 else ("is", "")
            end = "" if sometimes else ", so no promise is broken"
            yield sentence(f"{named_threads(always)} {are} promised a step in the cycle and {each}{takes}{end}")
        for thread, numbers in sometimes.items() if self._form == "strong" else ():
            yield f"Thread {thread} is promised a step at {_listed(numbers)} and takes it in each of these states."
        if sometimes and self._form == "weak":
            yield (
                "No other thread is promised a step in all states of the cycle."
                if always
                else "No thread is promised a step in all states of the cycle."
            )
        if sometimes:
            yield "So no promise is broken."

    def _ways_out(self, verdicts: Mapping[str, str]) -> Iterator[str]:
        """Name the owed steps that lead out of the cycle, which the weak form does not promise."""
        leaving: dict[int, list[int]] = {}
        for number, step in enumerate(self._lasso.cycle, self._lasso.prefix + 1):
            row = self._product.successors[self._numbers[step.state]]
            for thread in threads_in(step.fair):
                if row[thread] not in self._cycle:
                    leaving.setdefault(thread, []).append(number)
        for thread, numbers in sorted(leaving.items()):
            yield (
                f"A promised step of thread {thread} would leave the cycle, at {_listed(numbers)}; the weak form "
                f"promises this thread a step {self._promised(thread)}, but not that step."
            )
        strong = f"{self._model.name}.strong"
        if leaving and verdicts[strong] == "pass":
            yield f"The strong form promises that step, and the program passes {strong}."

    def _promised(self, thread: int) -> str:
        always = len(self._owed[thread]) == len(self._lasso.cycle)
        return "at some time" if always else "only if it is promised a step all the time"

    def _may_end(self) -> bool:
        states, to_do = set(self._cycle), list(self._cycle)
        while to_do:
            row = self._product.successors[to_do.pop()]
            if not row:
                return True
            to_do.extend(set(row.values()) - states)
            states.update(row.values())
        return False


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))


def _absence(reason: AbsenceReason) -> str:
    members = written_set(reason.threads) if reason.threads else "empty"
    return (
        f"in {reason.part}, which is {members} and taken away"
        if reason.taken_away
        else f"not in {reason.part}, which is {members}"
    )
