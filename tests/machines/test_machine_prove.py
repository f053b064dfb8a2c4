"""Test `synth machine prove`: proofs, refutations with a state, what is kept of earlier runs, and planted faults."""

import json
from pathlib import Path

import pytest

import large_machines
from faulty_machines import without_guards
from synth_checker.errors import InputError
from synth_machines.answers.proof_attempts import ProofOptions, prove
from synth_machines.answers.proofs import Proofs
from synth_machines.obligations import obligations_of
from synth_machines.projects import Project
from synth_machines.refutations import is_confirmed
from synth_machines.sequents.scripts import script_of, sequent_of
from synth_machines.shipped import shipped
from synth_machines.texts.reader import read_components
from synth_solvers.peers import answer

COUNTER = """context c constants k axioms @axm1 k ∈ ℕ1 end
machine m sees c variables x invariants @inv1 x ∈ 0 ‥ k events
  event INITIALISATION then @a x ≔ 0 end
  event up any d where @g1 d ∈ ℕ @g2 x + d {order} k then @a x ≔ x + d end
end
"""


def all_of(components, *names):
    checked = (component for component in Project(components).checked() if not names or component.name in names)
    return [obligation for component in checked for obligation in obligations_of(component)]


def decide(components, *names, **options):
    return {
        result.obligation.full_name: result for result in prove(all_of(components, *names), ProofOptions(**options), 2)
    }


def verdicts(components, *names, **options):
    return {name: result.verdict for name, result in decide(components, *names, **options).items()}


@pytest.mark.full
def test_a_machine_is_proved_and_with_a_fault_refuted(synth, tmp_path):
    file = tmp_path / "m.eventb"
    file.write_text(COUNTER.format(order="≤"))
    ran = synth("machine", "prove", str(file), "--jobs", "2")
    assert ran.code == 0
    axioms, *others = ran.out.splitlines()
    assert axioms.startswith("c: the axioms hold for k = ")
    assert others == ["m: 2 proved", "2 obligations: 2 proved"]
    file.write_text(COUNTER.format(order="≤").replace("@g2 x + d ≤ k", ""))
    ran = synth("machine", "prove", str(file), "--jobs", "1", "--json")
    assert ran.code == 1
    context, first, second = map(json.loads, ran.out.splitlines())
    assert (first["name"], first["verdict"], first["state"]) == ("INITIALISATION/inv1/INV", "proved", {})
    assert (second["name"], second["verdict"]) == ("up/inv1/INV", "refuted")
    assert (context["name"], context["verdict"]) == ("axioms", "satisfiable")
    state = {name: int(value.replace("−", "-")) for name, value in second["state"].items()}
    assert 0 <= state["x"] <= state["k"] < state["x"] + state["d"]
    out = synth("machine", "prove", str(file), "--obligation", "up/").out
    assert out.startswith("m/up/inv1/INV: refuted\n  goal: x + d ∈ 0 ‥ k\n  x = ")


@pytest.mark.full
def test_axioms_that_contradict_each_other_are_told(synth, tmp_path):
    file = tmp_path / "c.eventb"
    file.write_text("context c constants k axioms @a k ∈ ℕ @b k < 0 theorem @t k = 7 end")
    ran = synth("machine", "prove", str(file))
    assert ran.code == 1
    assert ran.out.splitlines()[0] == "c/axioms: contradictory"


REFINED = """
machine n refines m sees c variables z invariants @glue z = x events
  event INITIALISATION then @b z ≔ 0 end
  event up refines up any e0 where @g1 e0 ∈ ℕ @g2 z + e0 ≤ k with @d d = e0 then @b z ≔ z + e0 end
end
"""


@pytest.mark.full
@pytest.mark.parametrize(
    ("right", "wrong", "name"),
    [
        ("x + d ≤ k", "x + d ≤ k + 1", "m/up/inv1/INV"),
        ("@a x ≔ 0", "@a x ≔ k + 1", "m/INITIALISATION/inv1/INV"),
        ("d = e0", "d = z", "n/up/g2/GRD"),
        ("d = e0", "d = e0 + 1", "n/up/glue/INV"),
        ("@b z ≔ z + e0", "@b z ≔ z", "n/up/glue/INV"),
        ("z + e0 ≤ k", "z + e0 ≤ k + 1", "n/up/g2/GRD"),
        ("@b z ≔ 0", "@b z ≔ 1", "n/INITIALISATION/glue/INV"),
    ],
)
def test_planted_faults_are_refuted(right, wrong, name):
    text = COUNTER.format(order="≤") + REFINED
    assert set(verdicts(read_components(text)).values()) == {"proved"}
    assert right in text
    results = decide(read_components(text.replace(right, wrong)))
    assert results[name].verdict == "refuted"
    assert is_confirmed(sequent_of(results[name].obligation), results[name].refutation)


def test_a_witness_may_not_take_what_the_abstract_action_excludes():
    """The invariant holds after the event, so only SIM can notice that 3 is none of the abstract values."""
    text = """machine m variables y invariants @i y ∈ ℤ events
      event INITIALISATION then @a y ≔ 0 end event e then @a y :∈ {1, 2} end end
    machine n refines m variables w invariants @glue w = y events
      event INITIALISATION then @b w ≔ 0 end event e refines e with @y' y' = 3 then @b w ≔ 3 end end"""
    verdicts_found = verdicts(read_components(text), "n")
    assert verdicts_found == {"n/INITIALISATION/glue/INV": "proved", "n/e/glue/INV": "proved", "n/e/a/SIM": "refuted"}
    assert set(verdicts(read_components(text.replace("3", "2")), "n").values()) == {"proved"}


def test_the_effort_of_a_proof_does_not_depend_on_earlier_queries():
    """In one context for all queries, Z3 takes 11 times as many steps for this theorem after the others."""
    scripts = {
        obligation.name: script_of(sequent_of(obligation)) for obligation in all_of(shipped("@gpu"), "bloc_scheduling")
    }
    others = [script for name, script in scripts.items() if not name.startswith("thm")][:6]
    for script in [scripts["thm23/THM"], *others, scripts["thm23/THM"]]:
        assert answer("z3", script, 0.04).verdict == "unsat"


def test_what_needs_induction_is_undecided_with_the_reason(synth, tmp_path):
    file = tmp_path / "m.eventb"
    file.write_text("context c constants k axioms @a k ∈ ℕ theorem @t 2 ^ (k + 1) = 2 ∗ 2 ^ k end")
    ran = synth("machine", "prove", str(file), "--obligation", "THM")
    assert ran.code == 3
    assert ran.out.splitlines()[0] == "c/t/THM: undecided: a solver found values that the evaluator does not confirm"


def test_what_may_lack_a_hypothesis_is_not_refuted(synth, tmp_path):
    """Without the axiom that can't be read, k may be 0; with it, nobody knows. A proof needs no more hypotheses."""
    text = "context c constants k axioms @a k ∈ ℕ @b k ∈ odd theorem @t k ≠ 0 theorem @u k + 1 > 0 end"
    file = tmp_path / "m.eventb"
    file.write_text(text)
    ran = synth("machine", "prove", str(file))
    assert (ran.code, ran.err) == (2, "synth: c: line 1: b: found odd, which is not declared\n")
    assert ran.out.splitlines() == [
        "c/axioms: undecided: hypotheses may be missing, because a part was left out",
        "  goal: ⊥",
        "c/t/THM: undecided: hypotheses may be missing, because a part was left out",
        "  goal: k ≠ 0",
        "c: 1 proved and 1 undecided",
        "2 obligations: 1 proved and 1 undecided",
    ]
    file.write_text(text.replace("@b k ∈ odd", ""))
    assert "c/t/THM: refuted" in synth("machine", "prove", str(file)).out


def test_a_name_that_no_obligation_has_is_refused(synth):
    ran = synth("machine", "prove", "@gpu", "--obligation", "THN")
    assert ran.code == 2
    assert ran.err == (
        "synth: --obligation: no obligation has 'THN' in its name; to see the names, run synth machine obligations\n"
    )


def test_a_proof_is_found_again_when_other_hypotheses_change(tmp_path):
    proofs = Proofs(tmp_path / "proofs")
    text = COUNTER.format(order="≤")
    assert not any(result.is_cached for result in decide(read_components(text), proofs=proofs).values())
    again = Proofs(tmp_path / "proofs")
    more = text.replace("@axm1", "@axm0 k < 100 @axm1")
    assert all(result.is_cached for result in decide(read_components(more), proofs=again).values())
    # Without a hypothesis that the proof used, and with another goal, it is not found.
    for changed in (text.replace("@axm1 k ∈ ℕ1", "@axm1 k ∈ ℤ"), text.replace("0 ‥ k", "0 ‥ k − 1")):
        results = decide(read_components(changed), proofs=again)
        assert not any(result.is_cached for result in results.values())
        assert "refuted" in {result.verdict for result in results.values()}
    Path(tmp_path / "proofs").write_text("nothing\n")
    with pytest.raises(InputError, match="line 1: found something else, expected a proof in JSON"):
        Proofs(tmp_path / "proofs")


@pytest.mark.full
def test_the_repaired_context_and_block_scheduling_are_proved_and_confirmed():
    results = decide(shipped("@gpu"), "GPU", "bloc_scheduling", peer="cvc5")
    assert [name for name, result in results.items() if result.verdict != "proved"] == []
    confirmed = [name for name, result in results.items() if result.peer == "unsat"]
    assert len(confirmed) >= 0.9 * len(results)


#: Obligations of the printed machines, each with the number of its defect in docs/understand/machines.md.
DEFECTS = {
    "kernel_p/EXECUTION/say1/INV": 1,
    "kernel_p/EXECUTION/say2/INV": 2,
    "kernel_p/WAIT/say4/INV": 3,
    "kernel_p/ENDEXECUTION/say3/INV": 5,
    "bloc_scheduling_p/Affectation/say20/INV": 6,
    "bloc_scheduling_p/Affectation/blocsArray/EQL": 8,
    "bloc_execution_p/bloc_executing/say30/INV": 9,
    "bloc_execution_p/bloc_ending/say31/INV": 11,
    "bloc_execution_p/bloc_ending/act1/WD": 11,
    "thread_execution_p/Thread_election/grd1/WD": 12,
    "thread_execution_p/Thread_election/say40/INV": 2,
}


@pytest.mark.full
def test_defects_of_the_printed_machines_are_refuted():
    wanted = [obligation_ for obligation_ in all_of(shipped("@gpu-printed")) if obligation_.full_name in DEFECTS]
    results = list(prove(wanted, ProofOptions(), 2))
    assert [result.obligation.full_name for result in results if result.verdict != "refuted"] == []
    assert len(results) == len(DEFECTS)
    assert all(is_confirmed(sequent_of(result.obligation), result.refutation) for result in results)


@pytest.mark.full
@pytest.mark.parametrize("name", ["@gpu-printed", "@gpu-printed-full"])
def test_the_printed_machines_have_40_obligations_that_are_refuted(name):
    results = decide(shipped(name))
    counts = [
        sum(result.verdict == verdict for result in results.values()) for verdict in ("proved", "refuted", "undecided")
    ]
    assert counts == [62, 40, 0]
    refuted = [result for result in results.values() if result.verdict == "refuted"]
    assert all(is_confirmed(sequent_of(result.obligation), result.refutation) for result in refuted)
    assert sum(result.obligation.kind == "EQL" for result in refuted) == 12


@pytest.mark.full
def test_the_repaired_machines_are_proved_and_cvc5_confirms_nearly_all():
    results = decide(shipped("@gpu"), peer="cvc5")
    assert [name for name, result in results.items() if result.verdict != "proved"] == []
    assert len(results) == 241
    assert sum(result.peer == "unsat" for result in results.values()) >= 0.95 * len(results)


@pytest.mark.exhaustive
def test_guards_that_are_dropped_are_noticed(tmp_path):
    """34 of 54 guards are noticed at least; the others are implied, or speak of what must happen."""
    proofs = Proofs(tmp_path / "proofs")
    assert set(verdicts(shipped("@gpu"), proofs=proofs).values()) == {"proved"}
    noticed, count = [], 0
    for name, changed in without_guards(shipped("@gpu")):
        count += 1
        results = prove(all_of(changed), ProofOptions(8.0, proofs=proofs), 2, lambda: noticed[-1:] == [name])  # noqa: B023
        for result in results:
            if result.verdict == "refuted" and name not in noticed:
                noticed.append(name)
    assert count == 54
    assert len(noticed) >= 34


@pytest.mark.full
def test_a_few_guards_that_are_dropped_are_noticed():
    cases = dict(without_guards(shipped("@gpu")))
    for name, obligation in {
        "kernel/bloc_start/grd1": "kernel/bloc_start/inv12/INV",
        "bloc_scheduling/Affectation/grd2": "bloc_scheduling/Affectation/inv21/INV",
    }.items():
        wanted = [obligation_ for obligation_ in all_of(cases[name]) if obligation_.full_name == obligation]
        assert [result.verdict for result in prove(wanted, ProofOptions(), 1)] == ["refuted"]


@pytest.mark.exhaustive
def test_all_1700_obligations_of_a_large_machine_are_proved():
    verdicts_found = verdicts(read_components(large_machines.text(170)))
    assert len(verdicts_found) == 1700
    assert set(verdicts_found.values()) == {"proved"}
