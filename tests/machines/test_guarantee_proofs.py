"""Test proofs that a machine guarantees a model for every setting: the rule, its premises, and its ranks."""

import itertools
import re
from dataclasses import replace
from pathlib import Path

import pytest

from faulty_machines import mutants
from quick import mostly_full
from synth_checker.errors import InputError, LimitError
from synth_checker.models.further import further_model
from synth_checker.models.model_text import read_word
from synth_machines.answers.proof_attempts import ProofOptions, prove
from synth_machines.evaluation.evaluator import Evaluator
from synth_machines.formulas.formula import FormulaConstant, FormulaName, FormulaNumber, FormulaOperation
from synth_machines.formulas.types import BOOLEAN, INTEGER
from synth_machines.guarantees import scheduler_parts
from synth_machines.guarantees.fairness import read_fairness
from synth_machines.guarantees.graph import explore
from synth_machines.guarantees.premises import NoRuleError, Premises
from synth_machines.guarantees.ranks import RankedStage, Round, StageRanks, values_of
from synth_machines.guarantees.scheduler_parts import read_reading, shipped_reading
from synth_machines.guarantees.state_search import Histories
from synth_machines.projects import Project
from synth_machines.shipped import shipped
from synth_machines.texts.reader import read_components

WEAK = "weak: all"
FOLDER = Path(scheduler_parts.__file__).parents[1] / "data"
SCHEDULERS = shipped_reading("@schedulers")


def scheduler_machine(name, components=None):
    return Project(components or shipped("@schedulers")).machine(name)


def premises_of(machine, reading=SCHEDULERS, fairness=None):
    events = [event.label for event in machine.events if not event.is_initialisation]
    return Premises(machine, reading, read_fairness(fairness or reading.fairness, events))


def open_premises(machine, model, reading=SCHEDULERS):
    """The names of the premises and the obligations of invariants that are not proved."""
    premises = premises_of(machine, reading)
    return not_proved([*premises.of_model(read_word(model)), *premises.invariants()])


def not_proved(obligations, seconds=3.0):
    return [
        result.obligation.name for result in prove(obligations, ProofOptions(seconds), 1) if result.verdict != "proved"
    ]


@pytest.mark.full
@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("slots_fifo", "LOBE = live & upto(stepped)"),
        ("slots_fifo", "HSA = lowest(live)"),
        ("slots_batched", "both = live & (stepped | lowest(live))"),
        ("slots_any", "OBE = live & stepped"),
        ("resident", "fair = live"),
    ],
)
def test_guarantees_are_proved_for_every_setting(name, model):
    assert open_premises(scheduler_machine(name), model) == []


@pytest.mark.full
@pytest.mark.parametrize(("name", "least"), [("lockstep", 40), ("slots_preemptive", 118)])
def test_slots_that_take_turns_are_fair_for_every_setting(name, least):
    """With weak fairness alone. The invariants have tests of their own: they are obligations of the machines."""
    obligations = list(premises_of(scheduler_machine(name), fairness=WEAK).of_model(read_word("fair = live")))
    assert len(obligations) >= least
    assert not_proved(obligations, 20.0) == []


@mostly_full(
    ("name", "model", "premise"),
    [("slots_any", "last = highest(live)", "last/covered"), ("slots_fifo", "fair = live - none", "fair/covered")],
)
def test_what_does_not_hold_is_not_proved(name, model, premise):
    assert premise in open_premises(scheduler_machine(name), model)


@pytest.mark.full
@mostly_full(
    ("change", "still_open"),
    [
        (lambda stages: stages[:-1], {"OBE/covered", "OBE/stepping/Thread_yield/helps"}),
        (lambda stages: stages[::-1], {"OBE/stepping/Thread_yield/helps"}),
        (
            lambda stages: [stages[0], replace(stages[1], freed_by="")],
            {"OBE/resident/possible", "OBE/resident/Thread_running/kept"},
        ),
        (lambda stages: [replace(stages[0], where="m_ ≠ m"), stages[1]], {"OBE/stepping/possible"}),
        (
            lambda stages: [stages[0], replace(stages[1], when="m ∈ dom(at) ∧ busy = ∅")],
            {"OBE/covered", "OBE/resident/Thread_running/stays"},
        ),
        (
            lambda stages: [stages[0], replace(stages[1], freed_by="Affectation")],
            {"OBE/resident/possible", "OBE/resident/Affectation/kept", "OBE/resident/Affectation/freed"},
        ),
        (
            lambda stages: [replace(stages[0], when="m ∈ dom(at)", variant="m")],
            {"OBE/stepping/possible", "OBE/stepping/Thread_yield/helps"},
        ),
    ],
)
def test_wrong_stages_leave_premises_open(change, still_open):
    machine = scheduler_machine("slots_any")
    stages = [stage for stage in SCHEDULERS.stages if "slots_any" in stage.machines]
    reading = replace(SCHEDULERS, stages=tuple(change(stages)))
    assert set(open_premises(machine, "OBE = live & stepped", reading)) == still_open


#: Only thread 0 steps.
SELFISH = """
context c constants n axioms @a n ∈ ℕ1 end
machine selfish sees c variables x invariants @i x = 0 events
event INITIALISATION then @a x ≔ 0 end
event run any m where @g m = 0 then @a x ≔ 0 end
end
"""
SELFISH_READING = """
threads = "0 ‥ n − 1"
thread = "m"
live = "x = 0"
step = "run"
fairness = "weak: all; strong: none"
invariants = ["stepped ⊆ {0}"]

[[stages]]
name = "any"
when = "m ∈ 0 ‥ n − 1"
helpful = "run"
where = "m_ = 0"
"""


@pytest.mark.full
@pytest.mark.parametrize(
    ("where", "still_open"),
    [("m_ = 0", {"fair/any/run/helps"}), ("m_ = m", {"fair/any/possible"})],
    ids=["other", "own"],
)
def test_the_step_of_another_thread_does_not_help(where, still_open):
    machine = Project(read_components(SELFISH)).machine("selfish")
    reading = read_reading(SELFISH_READING.replace("m_ = 0", where))
    assert set(open_premises(machine, "fair = live", reading)) == still_open


@pytest.mark.parametrize(
    ("old", "new", "use"),
    [
        ("x", "thread", "the thread that is promised steps"),
        ("x", "before0", "the old value of a variant"),
        ("n", "other1", "another thread"),
        ("x", "stepped", "the threads that have stepped"),
        ("x", "m_", "the helpful value of m"),
        ("m", "thread", "the thread that is promised steps"),
    ],
)
def test_names_that_premises_need_are_refused(old, new, use):
    text, reading = (re.sub(rf"\b{old}\b", new, text_) for text_ in (SELFISH, SELFISH_READING))
    machine = Project(read_components(text)).machine("selfish")
    reading = read_reading(reading)
    with pytest.raises(InputError, match=f"selfish: found the name {new}, expected it for {use}"):
        Premises(machine, reading, read_fairness("weak: all", ["run"]))


def test_a_stage_needs_fairness():
    machine = scheduler_machine("slots_any")
    with pytest.raises(NoRuleError, match="'stepping' needs fairness of Thread_yield"):
        Premises(machine, SCHEDULERS, read_fairness("weak: none; strong: Thread_running", ["Thread_running"]))


#: The helpful event has another instance each time, so strong fairness to each of them promises nothing.
TICKET = """
machine ticket variables open k invariants @i open ∈ BOOL @j k ∈ ℕ events
event INITIALISATION then @a open ≔ FALSE @b k ≔ 0 end
event Step any m n where @g m = 0 @h open = TRUE @i n = k then @a k ≔ k + 1 end
event Toggle then @a open ≔ bool(open = FALSE) @b k ≔ k + 1 end
end
"""
OF_TICKET = """
threads = "{0}"
thread = "m"
live = "m = 0"
step = "Step"
fairness = "weak: Toggle; strong: Step"

[[stages]]
name = "waits"
when = "m = 0"
helpful = "Step"
where = "m_ = m"
freed_by = "Toggle"
"""


@pytest.mark.parametrize("where", ["m_ = m", "m_ = m ∧ n_ = k"])
def test_strong_fairness_needs_finitely_many_instances(where):
    machine = scheduler_machine("ticket", read_components(TICKET))
    with pytest.raises(NoRuleError, match="parameter n may have infinitely many values"):
        premises_of(machine, read_reading(OF_TICKET.replace("m_ = m", where)))


# --- what the premises are about ---

#: Two events have a parameter k: a truth value and a number.
GATE = """
machine gate variables open level invariants @i open ∈ BOOL @j level ∈ 0 ‥ 3 events
event INITIALISATION then @a open ≔ FALSE @b level ≔ 0 end
event unlock any k where @g k ∈ BOOL @h open ≠ k then @a open ≔ TRUE end
event tune any k where @g k ∈ 0 ‥ 3 @h open = TRUE @i level = 0 then @a open ≔ FALSE @b level ≔ k end
event run any m where @g m = 0 @h level = 2 then @a level ≔ 0 end
end
"""
GATE_READING = """
threads = "0 ‥ 0"
thread = "m"
live = "⊤"
step = "run"
fairness = "weak: all; strong: tune"

[[stages]]
name = "low"
when = "m = 0 ∧ level = 0"
helpful = "tune"
where = "k_ = 2"
freed_by = "unlock"
blocked = "k_ = TRUE"

[[stages]]
name = "high"
when = "m = 0 ∧ level = 2"
helpful = "run"
"""


@pytest.mark.full
@pytest.mark.parametrize(("level", "is_open"), [(2, False), (3, True)])
def test_events_may_share_the_name_of_a_parameter_with_different_types(level, is_open):
    machine = Project(read_components(GATE)).machine("gate")
    reading = read_reading(GATE_READING.replace("k_ = 2", f"k_ = {level}"))
    assert ("fair/low/tune/helps" in open_premises(machine, "fair = live", reading)) is is_open


@pytest.mark.full
def test_a_formula_without_a_meaning_proves_nothing():
    """Where m is in no slot, `at(m)` has no meaning. So the stage would say that m is in a slot."""
    machine = scheduler_machine("slots_any")
    stages = [stage for stage in SCHEDULERS.stages if "slots_any" in stage.machines]
    reading = replace(SCHEDULERS, stages=(stages[0], replace(stages[1], when="m ∉ busy ∧ at(m) = at(m)")))
    assert "fair/resident/when/defined" in open_premises(machine, "fair = live", reading)


def test_no_rule_is_known_for_automata():
    premises = premises_of(scheduler_machine("slots_any"))
    with pytest.raises(NoRuleError, match="no rule is known for automata such as round-robin"):
        list(premises.of_model(further_model("round-robin")))


# --- ranks ---


def test_ranks_get_smaller_only_finitely_often():
    """States are values of x, y and z, where z is a truth value. No way through smaller ranks comes back to a state."""
    x, y, z = FormulaName("x"), FormulaName("y"), FormulaName("z")
    shared = values_of(
        [(FormulaOperation("bool", (FormulaOperation("=", (x, FormulaNumber(0))),)), BOOLEAN), (y, INTEGER)]
    )
    own = values_of([(FormulaOperation("+", (x, y)), INTEGER)], 2)
    ways = [FormulaOperation("=", (z, FormulaConstant(word))) for word in ("TRUE", "FALSE")]
    rounds = [
        Round("both", FormulaOperation("≤", (x, FormulaNumber(1))), shared),
        Round("", FormulaOperation("=", (x, FormulaNumber(2)))),
    ]
    inside = [FormulaOperation("∧", (rounds[0].when, way)) for way in ways]
    stages = [RankedStage(inside[0], ways[0], 0, own), RankedStage(inside[1], ways[1], 0, ())]
    ranks = StageRanks(rounds, [*stages, RankedStage(rounds[1].when, rounds[1].when, 1, ())])
    evaluator = Evaluator({})
    states = [
        dict(zip("xyz", values, strict=True)) for values in itertools.product((0, 1, 2), (-1, 0, 1), (False, True))
    ]
    nodes = [
        (place, number)
        for place, stage in enumerate(ranks.stages)
        for number, state in enumerate(states)
        if evaluator.holds(stage.when, state)
    ]
    after = {}
    for place, number in nodes:
        before = {rank.before: evaluator.value(rank.now, states[number]) for rank in ranks.values(place)}
        goal = ranks.smaller(place)
        led = {to for to, state in enumerate(states) if evaluator.holds(goal, {**state, **before})}
        after[place, number] = [node for node in nodes if node[1] in led]
        assert evaluator.holds(ranks.same(place), {**states[number], **before})
    depths = {}

    def depth(node):
        assert depths.get(node, 0) is not None, "a rank gets smaller for ever"
        if node not in depths:
            depths[node] = None
            depths[node] = 1 + max((depth(node_after) for node_after in after[node]), default=0)
        return depths[node]

    assert max(map(depth, nodes)) > 6


@pytest.mark.full
@mostly_full(
    ("change", "still_open"),
    [
        (["bool(at(m) ≤ last)"], {"the next slot/Thread_running/helps"}),
        (["places − last"], {"the first slot/Thread_running/helps"}),
        (["places − last", "bool(at(m) ≤ last)"], {"the first slot/Thread_running/helps"}),
        (["bool(at(m) ≤ last)", "0 − last"], {"the next slot/Thread_running/helps"}),
    ],
    ids=["turn", "place", "order", "negative"],
)
def test_a_wrong_variant_leaves_a_premise_open(change, still_open):
    rounds = {**SCHEDULERS.rounds, "started": replace(SCHEDULERS.rounds["started"], variant=tuple(change))}
    premises = premises_of(scheduler_machine("lockstep"), replace(SCHEDULERS, rounds=rounds), WEAK)
    obligations = [
        obligation
        for obligation in premises.of_model(read_word("fair = live"))
        if obligation.name.endswith("slot/Thread_running/helps")
    ]
    assert len(obligations) == 2
    assert set(not_proved(obligations)) == {f"fair/{premise}" for premise in still_open}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('round = "queued"', 'round = "queue"', "stage queued, a step: round: found 'queue'"),
        ('"places − last"]', '"at"]', "found the variant 'at', expected an integer or bool"),
        ('variant = ["queue', 'variants = ["queue', "rounds.queued: found no table with when and variant"),
        ('holds = "', 'hold = "', "invariants: found other keys, expected holds and machines"),
    ],
)
def test_what_is_wrong_with_rounds_is_said(old, new, message):
    text = (FOLDER / "schedulers.toml").read_text("utf-8")
    assert old in text
    with pytest.raises(InputError, match=message):
        premises_of(scheduler_machine("slots_preemptive"), read_reading(text.replace(old, new, 1)), WEAK)


def test_the_stages_of_a_round_follow_each_other():
    stages = sorted(SCHEDULERS.stages, key=lambda stage: stage.helpful)
    with pytest.raises(InputError, match="found stages between those of the round 'queued'"):
        premises_of(scheduler_machine("slots_preemptive"), replace(SCHEDULERS, stages=tuple(stages)), WEAK)


# --- mutants ---


def check_mutants_are_not_proved(every):
    """No mutant that a small setting refutes is proved for every setting."""
    refuted = 0
    models = [read_word("LOBE = live & upto(stepped)"), read_word("HSA = lowest(live)")]
    for name, components in list(mutants(shipped("@schedulers")))[::every]:
        if not name.startswith(("slots_any", "slots_fifo")):
            continue
        try:
            machine = scheduler_machine("slots_fifo", components)
            graphs = [explore(machine, SCHEDULERS, {"nb": "3", "places": str(places)}, most=2000) for places in (1, 2)]
        except (InputError, LimitError):
            continue
        for model in models:
            if not all(holds(graph, model) for graph in graphs):
                refuted += 1
                premises = premises_of(machine)
                obligations = [*premises.of_model(model), *premises.invariants()]
                assert any(not_proved([obligation], 0.5) for obligation in obligations), name
    return refuted


@pytest.mark.full
def test_a_mutant_that_a_setting_refutes_is_not_proved():
    assert check_mutants_are_not_proved(4) >= 3


@pytest.mark.exhaustive
def test_no_mutant_that_a_setting_refutes_is_proved():
    assert check_mutants_are_not_proved(1) >= 18


def holds(graph, model):
    events = [event.label for event in graph.animation.machine.events if not event.is_initialisation]
    return Histories(graph, SCHEDULERS, read_fairness(SCHEDULERS.fairness, events)).neglect(model) is None
