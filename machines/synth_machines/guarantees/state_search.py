"""Which progress models a scheduler guarantees in one setting, by a search of all of its states.

A scheduler *guarantees* a model if no fair run neglects a thread: from some moment on the thread is always in the
model's fair set, and never steps. The run that shows the contrary leads to a recurrent set (`recurrence`) of pairs: a
state of the scheduler, and the threads that have stepped. For a model that is no set expression, the pairs have a state
of its automaton instead (`observer`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_checker.models.expression import Expression, evaluate
from synth_machines.guarantees.observer import Observed
from synth_machines.guarantees.recurrence import FairRuns, offered_labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_checker.models.model import Model
    from synth_machines.guarantees.fairness import Fairness
    from synth_machines.guarantees.graph import SchedulerGraph
    from synth_machines.guarantees.recurrence import Lasso
    from synth_machines.guarantees.scheduler_parts import Reading


@dataclass(frozen=True, slots=True)
class Neglect:
    """A fair run that neglects a thread. The labels of its edges are instances of events."""

    thread: int
    run: Lasso


class Histories:
    """The pairs of a state of a scheduler and the set of threads that have stepped, under declared fairness."""

    def __init__(self, graph: SchedulerGraph, reading: Reading, fairness: Fairness) -> None:
        self.graph, self.reading = graph, reading
        self.masks = masks(graph, fairness)
        numbers: dict[tuple[int, int], int] = {(state, 0): place for place, state in enumerate(graph.starts)}
        self.pairs = list(numbers)
        self.starts = tuple(range(len(self.pairs)))
        edges: list[list[tuple[int, int]]] = []
        for state, stepped in self.pairs:  # grows
            row = []
            for instance, after in graph.edges[state]:
                thread = graph.steps[instance]
                pair = (after, stepped | 1 << thread if thread >= 0 else stepped)
                if pair not in numbers:
                    numbers[pair] = len(self.pairs)
                    self.pairs.append(pair)
                row.append((instance, numbers[pair]))
            edges.append(row)
        self.runs = FairRuns(edges, offered_labels(edges), *self.masks)

    def neglect(self, model: Model) -> Neglect | None:
        """Return a short fair run that neglects a thread, or None if the scheduler guarantees the model.

        Raises:
            LimitError: the automaton of the model would be too large.
            InputError: the Python object that is registered as the model can't be used.
        """
        if isinstance(model.fair, Expression):
            live, everyone = self.graph.live, (1 << self.graph.threads) - 1
            fair = [
                live[state] & evaluate(model.fair, live=live[state], stepped=stepped, everyone=everyone)
                for state, stepped in self.pairs
            ]
            return self._neglect(self.runs, fair)
        observed = Observed(self.graph, self.reading, model.automaton(self.graph.threads))
        possible = offered_labels(self.graph.edges)
        offered = [possible[node[0]] for node in observed.nodes]
        return self._neglect(FairRuns(observed.edges, offered, *self.masks), observed.fair())

    def _neglect(self, runs: FairRuns, fair: Sequence[int]) -> Neglect | None:
        """Return a fair run that neglects a thread; `fair` has the fair set of each node."""
        found = []
        for thread in range(self.graph.threads):
            steps = sum(1 << instance for instance, owner in enumerate(self.graph.steps) if owner == thread)
            owed = {node for node, some in enumerate(fair) if some >> thread & 1}
            found += [Neglect(thread, runs.lasso(self.starts, some, steps)) for some in runs.sets(owed, steps)]
        return min(
            found, key=lambda history: (len(history.run.stem) + len(history.run.cycle), history.thread), default=None
        )


def masks(graph: SchedulerGraph, fairness: Fairness) -> tuple[int, int]:
    """Return the instances that are weakly fair, and those that are strongly fair, as bit masks."""
    weak = sum(1 << number for number, instance in enumerate(graph.instances) if instance.event in fairness.weak)
    strong = sum(1 << number for number, instance in enumerate(graph.instances) if instance.event in fairness.strong)
    return weak, strong
