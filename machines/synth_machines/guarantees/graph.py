"""The states of a machine that is read as a scheduler, in one setting.

States, event instances and threads have numbers. A thread's number is its place among all threads in rising order, so
it is its id in a litmus test.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from synth_checker.errors import InputError, LimitError
from synth_machines.animation.machine_steps import Animation
from synth_machines.animation.settings import setting_of
from synth_machines.evaluation.values import IllDefinedError, UnboundedError, written_value
from synth_machines.formulas.inference import Scope
from synth_machines.formulas.parser import read_predicate
from synth_machines.formulas.types import INTEGER, PowerType
from synth_machines.guarantees.untimed_machine import untimed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from synth_machines.animation.machine_steps import MachineStep, Named, State
    from synth_machines.checked_components import CheckedMachine
    from synth_machines.evaluation.values import Evaluated
    from synth_machines.guarantees.scheduler_parts import Reading

#: A setting may have so many states, unless the caller says something else.
MOST_STATES = 100_000


@dataclass(frozen=True, slots=True)
class Instance:
    """An event with values of its parameters. `thread` is the number of the thread that it names, or −1."""

    event: str
    parameters: Named
    thread: int

    @property
    def text(self) -> str:
        """The instance in words, such as `Affectation(s = SM1)`."""
        named = ", ".join(f"{name} = {written_value(value)}" for name, value in self.parameters)
        return f"{self.event}({named})" if named else self.event


@dataclass(slots=True)
class SchedulerGraph:
    """All states of a scheduler. State k has the edges `edges[k]`: pairs of an instance and the state after it.

    An instance has several edges in a state if an action chooses a value.

    `starts` are the first states, and `first` the steps of INITIALISATION that lead there, as text. `live[k]` is the
    set of live threads as a bit mask. `steps[i]` is the thread of which instance i is a step, or −1.
    """

    animation: Animation
    left_out: tuple[str, ...]
    threads: int
    starts: tuple[int, ...] = ()
    first: tuple[str, ...] = ()
    states: list[State] = field(default_factory=list)
    edges: list[list[tuple[int, int]]] = field(default_factory=list)
    live: list[int] = field(default_factory=list)
    instances: list[Instance] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)

    def class_of(self, instance: int) -> tuple[str, int]:
        """Return the event and the thread of an instance, without the other parameters."""
        pair = self.instances[instance]
        return pair.event, pair.thread


def explore(
    machine: CheckedMachine, reading: Reading, texts: Mapping[str, str], most: int = MOST_STATES
) -> SchedulerGraph:
    """Return the states of a machine in a setting, where `texts` has sizes of carrier sets and values of constants.

    Raises:
        InputError: the reading does not fit the machine, the setting is not valid, or something is ill-defined.
        LimitError: there are more than `most` states.
    """
    reading.check(machine)
    plain = untimed(machine, reading.times)
    reading.check(plain.machine)
    names = {*machine.carriers, *(name for name in machine.types if name not in machine.variables)}
    defaults = {name: value for name, value in reading.constants.items() if name in names}
    animation = Animation(plain.machine, setting_of(plain.machine, {**defaults, **texts}, "--setting"))
    return _Exploration(animation, reading, plain.left_out, most).graph


class _Exploration:
    """Numbers states and instances while they are found."""

    def __init__(self, animation: Animation, reading: Reading, left_out: tuple[str, ...], most: int) -> None:
        self.animation = animation
        self.reading = reading
        self.most = most
        self.numbers: dict[State, int] = {}
        self.instances: dict[tuple[str, Named], int] = {}
        self.ids = self._ids()
        scope = Scope({**animation.types_in(animation.machine.events[0]), reading.thread: INTEGER})
        self.is_live = scope.typed(scope.predicate(read_predicate(reading.live)))
        self.graph = SchedulerGraph(animation, left_out, len(self.ids))
        starts = {self._number(step.state): step.text for step in reversed(animation.starts())}
        self.graph.starts, self.graph.first = tuple(starts), tuple(starts.values())
        for state in self.graph.states:  # grows
            steps, findings = animation.steps(state)
            if findings:
                raise InputError(f"{animation.machine.name}: {findings[0].text}; expected no state where it is")
            self.graph.edges.append([(self._instance(step), self._number(step.state)) for step in steps])

    def _ids(self) -> dict[Evaluated, int]:
        setting = self.animation.setting
        members = setting.read(self.reading.threads, PowerType(INTEGER))
        assert isinstance(members, frozenset)  # noqa: S101  (`read` allows finite sets only)
        return {member: place for place, member in enumerate(sorted(members))}  # type: ignore[type-var]

    def _number(self, state: State) -> int:
        if state not in self.numbers:
            if len(self.numbers) >= self.most:
                raise LimitError(f"found more than {self.most:,} states, expected a smaller setting")
            self.numbers[state] = len(self.numbers)
            self.graph.states.append(state)
            self.graph.live.append(self._live(state))
        return self.numbers[state]

    def _live(self, state: State) -> int:
        values = self.animation.values(state)
        evaluator, name = self.animation.setting.evaluator, self.reading.thread
        try:
            holds = [evaluator.holds(self.is_live, {**values, name: id_}) for id_ in self.ids]
        except (IllDefinedError, UnboundedError) as error:
            raise InputError(f"reading: live: found {error}, expected a predicate with a value in each state") from None
        return sum(1 << place for place, is_held in enumerate(holds) if is_held)

    def _instance(self, step: MachineStep) -> int:
        key = (step.event, step.parameters)  # a run need not be fair to what an action chooses
        if key not in self.instances:
            self.instances[key] = len(self.instances)
            named = [value for name, value in step.parameters if name == self.reading.thread]
            thread = self.ids.get(named[0], -1) if named else -1
            self.graph.instances.append(Instance(step.event, step.parameters, thread))
            self.graph.steps.append(thread if step.event == self.reading.step else -1)
        return self.instances[key]
