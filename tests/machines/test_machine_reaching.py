"""Test the search for executions that reach a refutation, and that proved obligations hold in all states."""

import dataclasses
import json

import pytest

from synth_checker.errors import InternalError
from synth_machines.animation.machine_steps import Animation
from synth_machines.animation.search import Exploration, Violations
from synth_machines.animation.settings import setting_of
from synth_machines.answers.animation import random_walk
from synth_machines.answers.proof_attempts import ProofOptions, prove
from synth_machines.answers.reachability import ProvedObligations, ReachabilitySearch
from synth_machines.formulas.parser import read_predicate
from synth_machines.obligations import obligations_of
from synth_machines.projects import Project
from synth_machines.shipped import shipped
from synth_machines.texts.reader import read_components

TEXT = """context c constants k axioms @axm1 k ∈ ℕ end
machine m sees c variables x y invariants @inv1 x ∈ ℕ @inv2 x ≠ 3 @inv3 y ∈ ℕ events
  event INITIALISATION then @a x ≔ 0 @b y :∈ ℕ end
  event up any d where @g1 d ∈ {dees} @g2 x + d ≤ k + 4 then @a x ≔ x + d end
end
"""
GPU = {"nb_kernel_threads": "3", "warp": "2", "SM": "2", "c": "1", "duration": "2"}
LIMITS = {"WAIT": ["t ≤ T_ev + 1"], "tick": ["t = T_ev + 1"]}


def reached(text, steps=12, **options):
    checked = list(Project(read_components(text)).checked())
    obligations = [obligation for part in checked for obligation in obligations_of(part)]
    search = ReachabilitySearch(checked, steps, **options)
    return {
        result.obligation.name: search.reach(result)
        for result in prove(obligations, ProofOptions(), 2)
        if result.refutation
    }


@pytest.mark.full
def test_the_shortest_execution_is_found_and_none_where_none_exists():
    results = reached(TEXT.replace("{dees}", "{1, 2}"))
    assert list(results) == ["up/inv2/INV"]
    words = results["up/inv2/INV"].words
    # The shortest one: two of the numbers make 3.
    assert words.startswith("reached after 3 steps: INITIALISATION(y = ")
    assert [words.endswith(f"up(d = {number}), up(d = {3 - number})") for number in (1, 2)].count(True) == 1
    # x is even, so no execution reaches 3, but the hypotheses do not say so.
    assert reached(TEXT.replace("{dees}", "{2}"))["up/inv2/INV"].words == "no execution was found within 12 steps"
    none = reached(TEXT.replace("{dees}", "{1}"), steps=2)["up/inv2/INV"]
    assert (none.words, none.witness, none.trace("m")) == ("no execution was found within 2 steps", None, None)
    assert reached(TEXT.replace("{dees}", "{1}"), steps=0)["up/inv2/INV"].words == "no execution was looked for"


def test_a_search_ends_after_its_time():
    assert reached(TEXT.replace("{dees}", "{1}"), seconds=-1)["up/inv2/INV"].words == "no execution was found in -1 s"


@pytest.mark.full
def test_a_state_that_an_earlier_fault_led_to_is_said_to_be_one():
    text = """machine m variables x y invariants @inv1 x = 0 @inv2 y = 0 @inv3 x ≤ y events
      event INITIALISATION then @a x ≔ 0 @b y ≔ 0 end
      event up then @a x ≔ 1 end
      event down when @g x = 1 then @a y ≔ −1 end
    end"""
    results = reached(text.replace("@inv1 x = 0", "@inv1 x ∈ 0 ‥ 1 @inv4 x = 0").replace("@inv3 x ≤ y", ""))
    assert results["up/inv4/INV"].words == "reached after 2 steps: INITIALISATION, up"
    results = reached(text)
    assert results["up/inv1/INV"].witness.broken == ()
    assert "down/inv2/INV" not in results  # x = 0 and x = 1 contradict each other, so the goal is proved


@pytest.mark.full
def test_the_command_says_what_was_reached_and_the_trace_replays(synth, tmp_path):
    file = tmp_path / "m.eventb"
    file.write_text(TEXT.replace("{dees}", "{1, 2}"))
    lines = synth("machine", "prove", str(file), "--component", "m").out.splitlines()
    assert lines[0] == "m/up/inv2/INV: refuted"
    assert [line for line in lines if line.startswith("  reached after 3 steps: ")]
    ran = synth("machine", "prove", str(file), "--component", "m", "--json")
    refuted = next(row for row in map(json.loads, ran.out.splitlines()) if row["verdict"] == "refuted")
    assert len(refuted["trace"]["steps"]) == 2
    (tmp_path / "trace.json").write_text(json.dumps(refuted["trace"]))
    ran = synth("machine", "replay", str(file), str(tmp_path / "trace.json"))
    assert (ran.code, ran.out) == (0, "m allows all 2 steps\n")
    lines = synth("machine", "prove", str(file), "--component", "m", "--steps", "1").out.splitlines()
    assert "  no execution was found within 1 steps" not in lines
    assert "  no execution was found within 1 step" in lines


def gpu(name):
    machine = Project(shipped("@gpu")).machine(name)
    limits = {
        event: limit
        for event, limit in LIMITS.items()
        if any(machine_event.label == event for machine_event in machine.events)
    }
    return Animation(machine, setting_of(machine, GPU), limits, {"u": (1, 2), "v": (1, 3)})


@pytest.mark.full
def test_what_is_proved_of_the_gpu_holds_in_all_states():
    """All obligations of @gpu are proved, by other tests. So each of them must hold in each state of a walk."""
    animation = gpu("thread_execution")
    proved = ProvedObligations(animation, obligations_of(animation.machine))
    assert len(proved) == 85
    walk = None
    for walk in random_walk(animation, 5, 25):
        proved.check(walk.steps)
    assert len(walk.steps) == 25


@pytest.mark.full
@pytest.mark.parametrize("name", ["kernel", "bloc_scheduling", "bloc_execution", "thread_execution"])
def test_what_is_proved_of_the_gpu_holds_in_the_first_states(name):
    animation = gpu(name)
    violations = [Violations(animation, obligation) for obligation in obligations_of(animation.machine)]
    traces = list(Exploration(animation, 60, 60).traces())
    assert len(traces) > 40
    assert [violation.obligation.name for violation in violations for trace in traces if violation.after(trace)] == []


def test_an_obligation_that_is_not_true_but_counts_as_proved_is_a_defect():
    animation = gpu("bloc_scheduling")
    for label, goal in (("Affectation/inv21/INV", "j + 1 < 1"), ("bloc_stop/inv22/INV", "j > nb")):
        kind = next(
            obligation for obligation in obligations_of(animation.machine) if obligation.event == label.split("/")[0]
        )
        wrong = dataclasses.replace(kind, name=label, goal=read_predicate(goal))
        proved = ProvedObligations(animation, [wrong])
        traces = [tuple(walk.steps) for walk in random_walk(animation, 1, 40)]
        with pytest.raises(InternalError, match=f"bloc_scheduling/{label} is proved, but does not hold after"):
            list(map(proved.check, traces))


def test_proofs_are_checked_while_a_machine_is_animated(synth, tmp_path):
    file = tmp_path / "m.eventb"
    file.write_text(TEXT.replace("{dees}", "{2}"))
    proofs = str(tmp_path / "proofs")
    words = ["machine", "animate", str(file), "--set", "k=4", "--limit", "INITIALISATION: y' = 0", "--seed", "1"]
    ran = synth(*words, "--proofs", proofs)
    assert ran.code == 2
    assert ran.err.endswith("proofs: found no proof about m, expected a file of synth machine prove --proofs\n")
    synth("machine", "prove", str(file), "--proofs", proofs)
    ran = synth(*words, "--proofs", proofs)
    assert ran.code == 0
    assert ran.out.splitlines()[-1] == "5 proved obligations hold in all states of this trace"
