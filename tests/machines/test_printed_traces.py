"""Test defects of the printed machines that are defects of behaviour: executions that must not be there.

The steps are taken by hand: guards must hold, and all actions read the values before the event.
"""

import pytest

from synth_machines.evaluation.evaluator import Evaluator
from synth_machines.evaluation.sets import contains
from synth_machines.evaluation.values import Element, IllDefinedError
from synth_machines.formulas.names import free_names
from synth_machines.projects import Project
from synth_machines.shipped import shipped

LISTED = {
    "K_STATE": ("waiting", "executing", "ending"),
    "B_STATE": ("b_wait", "b_run", "b_end"),
    "T_STATE": ("asleep", "ready", "running", "finishing"),
    "M_STATE": ("accessible", "notaccessible"),
}
ELEMENTS = {
    name: Element(carrier, place, name) for carrier, names in LISTED.items() for place, name in enumerate(names)
}
EVALUATOR = Evaluator({carrier: frozenset(ELEMENTS[name] for name in names) for carrier, names in LISTED.items()})


class Run:
    """An execution of the last machine, from INITIALISATION with chosen values."""

    def __init__(self, completion, *, c=1, **chosen):
        self.machine = Project(shipped(completion)).machine("thread_execution_p")
        self.events = {event.label: event for event in self.machine.events}
        self.values = {**ELEMENTS, "c": c, "duration": 2, "k": 2}
        chosen = {"nb_SM_GPU": 1, "nb_kernel_threads": 64, "GPU_OCC": False, **chosen}
        assert all(EVALUATOR.holds(axiom.predicate, self.values) for axiom in self.machine.axioms)
        changed = {}
        for action in self.events["INITIALISATION"].actions:
            assignment = action.assignment
            if assignment.operator == ":∈":
                assert contains(EVALUATOR.set(assignment.values[0], self.values), chosen[assignment.targets[0]])
                changed[assignment.targets[0]] = chosen[assignment.targets[0]]
            else:
                changed[assignment.targets[0]] = EVALUATOR.value(assignment.results[0], self.values)
        self.values |= changed

    def is_enabled(self, label, **parameters):
        values = {**self.values, **parameters}
        return all(EVALUATOR.holds(guard.predicate, values) for guard in self.events[label].guards)

    def step(self, label, **parameters):
        assert self.is_enabled(label, **parameters), label
        values = {**self.values, **parameters}
        self.values |= {
            target: EVALUATOR.value(result, values)
            for action in self.events[label].actions
            for target, result in zip(action.assignment.targets, action.assignment.results, strict=True)
        }
        return self

    def __getitem__(self, name):
        return str(self.values[name]) if isinstance(self.values[name], Element) else self.values[name]


BOTH = pytest.mark.parametrize("completion", ["@gpu-printed", "@gpu-printed-full"])


@BOTH
def test_3_a_kernel_waits_for_itself_for_ever(completion):
    run = Run(completion).step("EXECUTION").step("WAIT")
    assert run["k_state"] == "waiting"
    before = dict(run.values)
    assert run.step("WAIT").values == before
    assert not run.is_enabled("EXECUTION")


@pytest.mark.full
@BOTH
def test_3_a_gpu_that_is_occupied_at_the_start_is_never_free(completion):
    run = Run(completion, GPU_OCC=True)
    frees = [
        label
        for label, event in run.events.items()
        if label != "INITIALISATION" and "GPU_OCC" in event.assigned and label != "EXECUTION"
    ]
    assert frees == ["ENDEXECUTION"]
    assert not run.is_enabled("EXECUTION")


@BOTH
def test_4_a_block_runs_of_a_kernel_that_waits(completion):
    run = Run(completion).step("Affectation")
    assert run["k_state"] == "waiting"
    assert (0, ELEMENTS["b_run"]) in run["blocsArray"]


@BOTH
def test_7_two_blocks_run_on_one_multiprocessor_and_no_third_ever_starts(completion):
    run = Run(completion, nb_SM_GPU=1, nb_kernel_threads=96).step("Affectation").step("Affectation")
    assert {place for place, state in run["blocsArray"] if str(state) == "b_run"} == {0, 1}
    assert not run.is_enabled("Affectation")


def test_10_and_11_with_empty_arrays_no_thread_is_elected_and_no_block_ends():
    run = Run("@gpu-printed").step("EXECUTION").step("Affectation").step("bloc_executing", m=0)
    assert not run.is_enabled("Thread_election", m=0)
    with pytest.raises(IllDefinedError, match="threads_end_time"):
        run.step("Thread_running")
    with pytest.raises(IllDefinedError, match="max"):
        run.step("bloc_ending", m=0)
    asleep = [
        label
        for label, event in run.events.items()
        for action in event.actions
        for value in action.assignment.values
        if label != "INITIALISATION" and "asleep" in free_names(value)
    ]
    assert asleep == []


def test_11_with_full_arrays_a_kernel_ends_after_one_thread_of_32():
    run = Run("@gpu-printed-full").step("EXECUTION").step("Affectation").step("bloc_executing", m=0)
    run.step("Thread_running").step("Thread_finishing").step("bloc_ending_verification", m=0)
    run.step("bloc_ending", m=0).step("ENDEXECUTION", m=0)
    assert run["k_state"] == "ending"
    assert sum(str(state) == "finishing" for _, state in run["threadsArray"]) == 1


def test_13_time_goes_backwards():
    run = Run("@gpu-printed-full", c=10).step("EXECUTION").step("Affectation").step("bloc_executing", m=0)
    run.step("Thread_running").step("Thread_finishing").step("bloc_ending_verification", m=0)
    assert run["T_ev"] == 10
    assert run.step("bloc_ending", m=0)["T_ev"] == 2


def test_9_the_array_of_threads_gets_33_entries():
    run = Run("@gpu-printed").step("EXECUTION").step("Affectation")
    for _ in range(33):
        run.step("bloc_executing", m=0)
    assert {place for place, _ in run["threadsArray"]} == set(range(33))
