"""Test proof obligations: names, goals and hypotheses, on machines made by hand and on those that ship."""

import pytest

import large_machines
from counted import calls_of
from quick import mostly_full
from synth_machines.formulas.equality import same
from synth_machines.formulas.parser import read_predicate
from synth_machines.formulas.printer import shown
from synth_machines.obligations import obligations_of
from synth_machines.projects import Project
from synth_machines.shipped import shipped
from synth_machines.texts.reader import read_components

BASE = """context c sets S constants k axioms @axm1 k ∈ ℕ1 end
machine a sees c variables x y s invariants
  @inv1 x ∈ ℤ @inv2 y ∈ 0 ‥ k @inv3 s ⊆ S
events
  event INITIALISATION then @a1 x ≔ 0 @a2 y ≔ 0 @a3 s ≔ ∅ end
  event up any d where @g1 d ∈ 1 ‥ 3 @g2 x + d < k then @a1 x ≔ x + d end
  event down any d where @g1 d ∈ 1 ‥ 3 @g2 x > d then @a1 x ≔ x + d end
  event pick then @a1 y :∈ 0 ‥ k @a2 s :∣ s' ⊂ s end
end
"""


def goals(text, component, *, as_rodin=False):
    """The goals of a component by the names of its obligations, without those of INITIALISATION."""
    project = Project(read_components(text))
    checked = project.context(component) if component == "c" else project.machine(component)
    by_name = {obligation.name: obligation for obligation in obligations_of(checked, as_rodin=as_rodin)}
    return {name: obligation for name, obligation in by_name.items() if not name.startswith("INITIALISATION/")}


def check(obligations, wanted):
    assert {name: shown(obligation.goal) for name, obligation in obligations.items()} == wanted


def refined(events, *, head="variables y s t invariants @glue x = t", first="@a1 t ≔ 0 @a2 y ≔ 0 @a3 s ≔ ∅"):
    start = f"event INITIALISATION then {first} end"
    return f"{BASE} machine b refines a sees c {head} events {start} {events} end"


def test_invariants_guards_and_actions_have_the_obligations_of_the_definitions():
    check(
        goals(BASE, "a"),
        {
            "pick/a1/FIS": "0 ‥ k ≠ ∅",
            "pick/a2/FIS": "∃s'·s' ⊂ s",
            "pick/inv2/INV": "y' ∈ 0 ‥ k",
        },
    )


def test_the_hypotheses_of_an_obligation_are_the_predicates_before_it():
    obligations = goals(BASE, "a")
    known = [(hypothesis.source, shown(hypothesis.predicate)) for hypothesis in obligations["pick/inv2/INV"].hypotheses]
    assert known == [
        ("axm1", "k ∈ ℕ1"), ("inv1", "x ∈ ℤ"), ("inv2", "y ∈ 0 ‥ k"), ("inv3", "s ⊆ S"), ("a1", "y' ∈ 0 ‥ k"),
    ]  # fmt: skip
    text = BASE.replace("@g1 d ∈ 1 ‥ 3 @g2 x + d < k", "@g1 d ∈ 1 ‥ 3 @g2 x ÷ d < k theorem @g3 d > 0")
    obligations = goals(text, "a")
    assert [hypothesis.source for hypothesis in obligations["up/g2/WD"].hypotheses][-2:] == ["inv3", "g1"]
    assert [hypothesis.source for hypothesis in obligations["up/g3/THM"].hypotheses][-2:] == ["g1", "g2"]
    project = Project(read_components(BASE))
    initial = [
        obligation
        for obligation in obligations_of(project.machine("a"))
        if obligation.name.startswith("INITIALISATION")
    ]
    assert [obligation.name for obligation in initial] == ["INITIALISATION/inv2/INV"]
    assert [hypothesis.source for hypothesis in initial[0].hypotheses] == ["axm1"]
    assert shown(initial[0].goal) == "0 ∈ 0 ‥ k"


def test_a_context_has_obligations_for_well_definedness_and_theorems():
    text = "context c constants k f axioms @axm1 k ∈ ℕ @axm2 f ∈ 0‥k → ℤ @axm3 f(k) = 1 theorem @thm1 k ÷ f(k) = k end"
    check(
        goals(text, "c"),
        {
            "axm3/WD": "k ∈ dom(f) ∧ f ∈ ℤ ⇸ ℤ",
            "thm1/WD": "k ∈ dom(f) ∧ f ∈ ℤ ⇸ ℤ ∧ f(k) ≠ 0",
            "thm1/THM": "k ÷ f(k) = k",
        },
    )


def test_a_variant_has_obligations_to_be_a_number_and_to_decrease():
    text = BASE.replace("events", "variant k − x ÷ y events", 1).replace("event up", "event up status convergent")
    text = text.replace("event down", "event down status anticipated")
    shown_goals = {name: shown(goal.goal) for name, goal in goals(text, "a").items() if not name.startswith("pick")}
    assert shown_goals == {
        "VWD": "y ≠ 0",
        "up/NAT": "k − x ÷ y ∈ ℕ",
        "up/VAR": "k − (x + d) ÷ y < k − x ÷ y",
        "down/VAR": "k − (x + d) ÷ y ≤ k − x ÷ y",
    }
    text = text.replace("k − x ÷ y", "s × {x}")
    shown_goals = {name: shown(goal.goal) for name, goal in goals(text, "a").items() if not name.startswith("pick")}
    assert shown_goals == {
        "FIN": "finite(s × {x})",
        "up/VAR": "s × {x + d} ⊂ s × {x}",
        "down/VAR": "s × {x + d} ⊆ s × {x}",
    }
    of_truths = text.replace("s × {x}", "{p·p = bool(x = y) ∣ p}")
    assert "FIN" not in goals(of_truths, "a")


def test_an_event_that_was_convergent_has_no_variant_again():
    text = BASE.replace("event up", "event up status convergent").replace("events", "variant k − x events", 1)
    event = "event up refines up status convergent any d where @g1 d ∈ 1 ‥ 3 @g2 t + d < k then @a1 t ≔ t + d end"
    obligations = goals(
        text + refined(event, head="variables y s t invariants @glue x = t variant t")[len(BASE) :], "b"
    )
    assert [name for name in obligations if name.endswith(("VAR", "NAT"))] == []


def test_witnesses_and_guards_are_substituted():
    event = "event up refines up where @h1 t + 1 < k with @d d = y ÷ k then @a1 t ≔ t + 1 end"
    check(
        goals(refined(event), "b"),
        {
            "up/glue/INV": "x + y ÷ k = t + 1",
            "up/d/WWD": "k ≠ 0",
            "up/g1/GRD": "y ÷ k ∈ 1 ‥ 3",
            "up/g2/GRD": "x + y ÷ k < k",
        },
    )


def test_a_witness_that_is_not_deterministic_has_an_obligation_to_exist():
    event = "event up refines up where @h1 t + 1 < k with @d d > t ∧ d = 1 then @a1 t ≔ t + 1 end"
    obligations = goals(refined(event), "b")
    check(
        obligations,
        {
            "up/glue/INV": "x + d = t + 1",
            "up/d/WFIS": "∃d·d > t ∧ d = 1",
            "up/g1/GRD": "d ∈ 1 ‥ 3",
            "up/g2/GRD": "x + d < k",
        },
    )
    assert shown(obligations["up/g1/GRD"].hypotheses[-1].predicate) == "d > t ∧ d = 1"


def test_a_witness_gives_the_value_of_a_variable_that_vanished():
    event = "event pick refines pick with @s' s' = u' then @a1 y ≔ 0 @a2 u :∈ ℙ(u) end"
    text = refined(event, head="variables x y u invariants @glue s = u", first="@a1 x ≔ 0 @a2 y ≔ 0 @a3 u ≔ ∅")
    obligations = goals(text, "b")
    check(
        obligations,
        {"pick/a2/FIS": "ℙ(u) ≠ ∅", "pick/glue/INV": "u' = u'", "pick/a1/SIM": "0 ∈ 0 ‥ k", "pick/a2/SIM": "u' ⊂ s"},
    )
    assert [hypothesis.source for hypothesis in obligations["pick/glue/INV"].hypotheses][-1] == "a2"
    blind = goals(text.replace("s' = u'", "u' = s'"), "b")
    assert {name: shown(blind[name].goal) for name in ("pick/s'/WFIS", "pick/glue/INV")} == {
        "pick/s'/WFIS": "∃s'·u' = s'", "pick/glue/INV": "s' = u'",
    }  # fmt: skip
    assert {hypothesis.source for hypothesis in blind["pick/glue/INV"].hypotheses} >= {"a2", "s'"}


def test_a_merge_has_one_obligation_for_all_guards():
    event = "event move refines up down any d where @g1 d ∈ 1 ‥ 3 @h t < 2 then @a1 t ≔ t + d end"
    obligations = goals(refined(event), "b")
    assert shown(obligations["move/MRG"].goal) == "x + d < k ∨ x > d"
    assert not [name for name in obligations if name.endswith("GRD")]
    empty = event.replace("@h t < 2", "@h x > d")
    text = refined(empty, head="variables x y s", first="@a1 x ≔ 0 @a2 y ≔ 0 @a3 s ≔ ∅").replace("t ≔ t", "x ≔ x")
    assert "move/MRG" not in goals(text, "b")
    several = "event move refines up down where @h t < 2 with @d d = 2 then @a1 t ≔ t + 2 end"
    merged = "(2 ∈ 1 ‥ 3 ∧ x + 2 < k) ∨ (2 ∈ 1 ‥ 3 ∧ x > 2)"
    assert shown(goals(refined(several), "b")["move/MRG"].goal) == merged


def test_simulation_is_about_kept_variables():
    event = "event pick refines pick then @a1 y ≔ k @a2 s ≔ ∅ end"
    head, first = "variables x y s", "@a1 x ≔ 0 @a2 y ≔ 0 @a3 s ≔ ∅"
    check(
        goals(refined(event, head=head, first=first), "b"),
        {"pick/a1/SIM": "k ∈ 0 ‥ k", "pick/a2/SIM": "∅ ⊂ s"},
    )
    same_again = "event pick refines pick then @a1 y :∈ 0 ‥ k @a2 s :∣ s' ⊂ s end"
    check(goals(refined(same_again, head=head, first=first), "b"), {})


def test_new_events_leave_kept_variables_alone():
    event = "event other then @a1 y ≔ y + 1 @a2 t ≔ t end event up refines up where @g1 t > t then @a1 s ≔ ∅ end"
    obligations = goals(refined(event), "b")
    assert shown(obligations["other/y/EQL"].goal) == "y + 1 = y"
    assert shown(obligations["up/s/EQL"].goal) == "∅ = s"
    assert "other/t/EQL" not in obligations


def test_extended_events_are_whole_and_not_stated_again():
    event = "event up extends up when @g3 t ÷ d = 1 then @a2 t ≔ t + d end"
    text = refined(
        event, head="variables x y s t invariants @glue x = t", first="@a0 x ≔ 0 @a1 t ≔ 0 @a2 y ≔ 0 @a3 s ≔ ∅"
    )
    check(goals(text, "b"), {"up/g3/WD": "d ≠ 0", "up/glue/INV": "x + d = t + d"})


#: The defect that the definitions predict: a is gone, so the list of what is left is shifted by one.
SHIFTED = """machine m variables a b c invariants @i a = b ∧ b = c ∧ a ∈ ℤ events
  event INITIALISATION then @x a ≔ 0 @y b ≔ 0 @z c ≔ 0 end
  event e then @x a ≔ 1 @y b ≔ 1 @z c ≔ 1 end
end
machine n refines m variables b c events
  event INITIALISATION then @y b ≔ 0 @z c ≔ 0 end
  event e refines e then @y b ≔ 1 @z c ≔ 2 end
end"""


def test_rodins_obligations_on_request():
    assert list(goals(SHIFTED, "n")) == ["e/z/SIM"]
    assert list(goals(SHIFTED, "n", as_rodin=True)) == ["e/y/SIM"]


@mostly_full(("name", "counts"), [("@gpu-printed", [0, 46, 6, 27, 23]), ("@gpu", [4, 78, 31, 43, 85])])
def test_shipped_machines_have_so_many_obligations(name, counts):
    checked = Project(shipped(name)).checked()
    assert [len(list(obligations_of(component))) for component in checked] == counts


def test_names_are_unique():
    for component in Project(shipped("@gpu")).checked():
        names = [obligation.name for obligation in obligations_of(component)]
        assert len(set(names)) == len(names)


def test_goals_are_compared_as_formulas():
    project = Project(shipped("@gpu"))
    goals_by_name = {obligation.name: obligation.goal for obligation in obligations_of(project.machine("kernel"))}
    assert same(goals_by_name["ENDEXECUTION/inv19/INV"], read_predicate("ending = ending ⇒ Time_start ≤ T_ev"))


@pytest.mark.full
def test_in_a_large_machine_hypotheses_are_not_made_for_each_obligation():
    """With four times as many obligations there are four times as many hypotheses, too: sixteen times in all."""

    def calls(pairs):
        components = read_components(large_machines.text(pairs))
        call_count, number = calls_of(
            lambda: sum(1 for component in Project(components).checked() for _ in obligations_of(component))
        )
        assert number == 10 * pairs
        return call_count

    assert calls(160) < 12 * calls(40)
