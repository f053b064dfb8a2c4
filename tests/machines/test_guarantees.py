"""Test which progress models a machine guarantees: by definition, by brute force, and by all litmus tests."""

import pytest

from fair_runs import MODELS, AutomatonTwin, Twin
from faulty_machines import mutants
from quick import mostly_full
from synth_checker import _native
from synth_checker.errors import InputError, LimitError
from synth_checker.models import library, verdict_names
from synth_checker.models.automaton import history_automaton
from synth_checker.models.further import further_model
from synth_checker.models.model import Model
from synth_checker.models.model_text import read_word
from synth_checker.verdicts import judge
from synth_litmus.inputs.named_tests import ids_in
from synth_machines.guarantees.fairness import read_fairness
from synth_machines.guarantees.graph import explore
from synth_machines.guarantees.litmus import LitmusScheduler
from synth_machines.guarantees.scheduler_parts import read_reading, shipped_reading
from synth_machines.guarantees.state_search import Histories
from synth_machines.projects import Project
from synth_machines.shipped import shipped
from synth_machines.texts.reader import read_components
from synth_machines.texts.writer import written_components

READING = shipped_reading("@gpu")
STRONG, WEAK = "weak: all; strong: Thread_running", "weak: all"
#: The scheduler without FIFO: any waiting block may come next.
ANY_ORDER = {
    "any s\n    where\n      @grd1 k_state = executing\n      @grd2 j < nb": (
        "any s m\n    where\n      @grd1 k_state = executing\n      @grd2 m ∈ blocs ∧ blocsArray(m) = b_wait"
    ),
    "with\n      @m m = j\n    ": "",
    "blocsArray(j) ≔ b_run": "blocsArray(m) ≔ b_run",
    "blocs_start_time(j) ≔ T_ev": "blocs_start_time(m) ≔ T_ev",
    "at(j) ≔ s": "at(m) ≔ s",
}


SCHEDULERS = shipped_reading("@schedulers")


def scheduler_machine(name, components=None):
    return Project(components or shipped("@schedulers")).machine(name)


def machine_of(components):
    return Project(components).machine("thread_execution")


def any_order():
    text = written_components(shipped("@gpu"))
    for old, new in ANY_ORDER.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return machine_of(read_components(text))


def graph_of(machine, blocks, places):
    return explore(machine, READING, {"SM": str(places), "nb_kernel_threads": str(blocks)})


def fairness_of(text, graph):
    return read_fairness(text, [event.label for event in graph.animation.machine.events if not event.is_initialisation])


def guaranteed(graph, fairness, models=None):
    histories = Histories(graph, READING, fairness_of(fairness, graph))
    return {model.name for model in models or library() if histories.neglect(model) is None}


ALL = {"unfair", "HSA", "OBE", "LOBE", "HSA+OBE", "fair"}
FIFO = ALL - {"fair"}


@pytest.mark.full
@mostly_full(
    ("blocks", "places", "fairness", "expected"),
    [
        (2, 1, STRONG, FIFO), (3, 1, STRONG, FIFO), (3, 2, STRONG, FIFO), (4, 2, STRONG, FIFO), (2, 2, STRONG, ALL),
        (2, 1, WEAK, FIFO), (3, 1, WEAK, FIFO), (2, 2, WEAK, {"unfair"}), (3, 2, WEAK, {"unfair"}),
        (1, 1, WEAK, ALL), (1, 1, "weak: none", {"unfair"}),
    ],
quick=4)  # fmt: skip
def test_the_scheduler_guarantees_what_its_definition_says(blocks, places, fairness, expected):
    assert guaranteed(graph_of(machine_of(shipped("@gpu")), blocks, places), fairness) == expected


@pytest.mark.full
@pytest.mark.parametrize(("fairness", "expected"), [(STRONG, ALL), (WEAK, {"unfair"})])
def test_with_a_place_for_each_of_three_blocks_the_scheduler_is_fair(fairness, expected):
    assert guaranteed(graph_of(machine_of(shipped("@gpu")), 3, 3), fairness) == expected


@mostly_full(("blocks", "places"), [(2, 1), (3, 1), (3, 2)])
def test_without_fifo_only_obe_is_left(blocks, places):
    assert guaranteed(graph_of(any_order(), blocks, places), STRONG) == {"unfair", "OBE"}


@pytest.mark.full
def test_a_model_of_ones_own_is_a_set_expression():
    graph = graph_of(machine_of(shipped("@gpu")), 3, 2)
    mine = [read_word("next = live & (stepped | lowest(live - stepped))"), read_word("last = highest(live)")]
    assert guaranteed(graph, STRONG, mine) == set()  # a third block waits until another ends, and the last does


class Tabled:
    """The rule of a model, as tables instead of the set expression that it is."""

    def __init__(self, expression):
        self.expression = expression

    def automaton(self, threads):
        return history_automaton(self.expression, threads)


@pytest.mark.full
@pytest.mark.parametrize(("blocks", "places"), [(2, 1), (2, 2), (3, 2)])
def test_the_tables_of_a_model_give_the_answers_of_its_set_expression(blocks, places):
    graph = graph_of(machine_of(shipped("@gpu")), blocks, places)
    tables = [Model(model.name, model.definition, Tabled(model.fair)) for model in library()]
    for fairness in (STRONG, WEAK, "weak: none", "weak: Thread_running; strong: bloc_ending"):
        assert guaranteed(graph, fairness, tables) == guaranteed(graph, fairness)


def automaton_answers(graph, reading, machine_blocks, fairness, names=("round-robin", "highest-first", "resident-1")):
    """What each automaton says, and what brute force says of it."""
    for name in names:
        model = further_model(name)
        histories = Histories(graph, reading, fairness)
        twin = AutomatonTwin(
            graph.animation, machine_blocks, fairness.weak, fairness.strong, model.automaton(machine_blocks), reading
        )
        yield name, histories.neglect(model) is None, twin.guarantees(name)


@mostly_full(
    ("blocks", "places", "expected"),
    [
        (2, 1, {"resident-1"}),
        (2, 2, {"round-robin", "highest-first", "resident-1"}),
        pytest.param(3, 2, {"resident-1"}, marks=pytest.mark.full),
    ],
)
def test_automata_get_the_answers_of_brute_force(blocks, places, expected):
    graph = graph_of(machine_of(shipped("@gpu")), blocks, places)
    for fairness in (STRONG, WEAK, "weak: none; strong: Affectation"):
        answers = list(automaton_answers(graph, READING, blocks, fairness_of(fairness, graph)))
        assert all(mine == twin for _, mine, twin in answers)
        if fairness == STRONG:
            assert {name for name, mine, _ in answers if mine} == expected


@pytest.mark.full
def test_the_run_that_refutes_is_fair_and_neglects_the_thread():
    graph = graph_of(machine_of(shipped("@gpu")), 3, 2)
    histories = Histories(graph, READING, fairness_of(STRONG, graph))
    history = histories.neglect(read_word("fair = live"))
    state = graph.starts[history.run.start]
    visited = []
    for place, (label, node) in enumerate((*history.run.stem, *history.run.cycle)):
        state = dict(graph.edges[state])[label]
        assert state == histories.pairs[node][0]
        if place >= len(history.run.stem):
            visited.append(state)
    taken = {label for label, _ in history.run.cycle}
    assert visited[-1] == histories.pairs[history.run.stem[-1][1]][0]
    assert all(graph.live[state_visited] >> history.thread & 1 for state_visited in visited)
    assert history.thread not in {graph.steps[label] for label in taken}
    offers = [{label for label, _ in graph.edges[state_visited]} for state_visited in visited]
    assert set.intersection(*offers) <= taken
    assert {offer for offer in set.union(*offers) if graph.steps[offer] >= 0} <= taken


# --- litmus tests ---

PASSING = ("HSA.weak", "OBE.weak", "LOBE.weak", "HSA+OBE.weak")


def check_tests(bounds, *, whole_every=0):
    names = verdict_names(library())
    passing = sum(1 << names.index(name) for name in PASSING)
    fair = 1 << names.index("fair.weak")
    machine = machine_of(shipped("@gpu"))
    count = 0
    for blocks in sorted({int(bound[0]) for bound in bounds}):
        ids = [id_ for bound in bounds if int(bound[0]) == blocks for id_ in ids_in(f"@complete/{bound}")]
        count += len(ids)
        verdicts = judge(ids)
        for places in range(1, blocks + 1):
            graph = graph_of(machine, blocks, places)
            fairness = fairness_of(STRONG, graph)
            scheduler = LitmusScheduler(graph, READING, fairness)
            whole = LitmusScheduler(graph, READING, fairness, is_whole=True)
            for number, (id_, mask) in enumerate(zip(ids, verdicts, strict=True)):
                table = _native.Lts.of_program(id_).table()
                ends = scheduler.ends(table)
                assert ends or not mask & passing, (id_, places)
                assert places < blocks or ends == bool(mask & fair), id_
                if whole_every and number % whole_every == 0:
                    assert whole.ends(table) == ends, (id_, places)
    return count


def test_tests_that_pass_what_the_scheduler_guarantees_end():
    assert check_tests(["2x2", "2x3"], whole_every=5) == 170


@pytest.mark.full
def test_all_tests_that_pass_what_the_scheduler_guarantees_end():
    assert check_tests(["2x2", "2x3", "3x3", "2x4", "3x4"], whole_every=211) == 10_986


def test_philosophers_end_on_one_place_and_may_go_round_on_two():
    table = _native.Lts.of_program("0100-0010").table()
    for places, ends in ((1, True), (2, False)):
        graph = graph_of(machine_of(shipped("@gpu")), 2, places)
        assert LitmusScheduler(graph, READING, fairness_of(STRONG, graph)).ends(table) is ends


# --- brute force ---


def compared(components, places):
    """Whether both searches agree on each model and fairness, or None if the machine can't be explored."""
    try:
        graph = explore(machine_of(components), READING, {"SM": str(places), "nb_kernel_threads": "2"}, most=400)
    except (InputError, LimitError):
        return None
    answers = []
    for text in (STRONG, WEAK, "weak: none; strong: Affectation"):
        fairness = fairness_of(text, graph)
        twin = Twin(graph.animation, 2, fairness.weak, fairness.strong)
        names = guaranteed(graph, text)
        assert names == {name for name in MODELS if twin.guarantees(name)}
        assert all(mine == other for _, mine, other in automaton_answers(graph, READING, 2, fairness, ["round-robin"]))
        answers.append(frozenset(names))
    return answers


@pytest.mark.full
def test_the_search_agrees_with_brute_force():
    assert compared(shipped("@gpu"), 1)[0] == FIFO
    assert compared(shipped("@gpu"), 2)[0] == ALL


@pytest.mark.full
def test_a_hundred_mutants_guarantee_what_brute_force_says():
    answers = {}
    for name, components in mutants(shipped("@gpu")):
        if (comparison := compared(components, 1)) is not None:
            answers[name] = comparison
    assert len(answers) >= 100
    assert len({answer[0] for answer in answers.values()}) >= 3  # the mutants do not all guarantee the same


@pytest.mark.full
@pytest.mark.parametrize(
    ("name", "sizes", "least"),
    [("slots_fifo", {}, 15), ("slots_batched", {"batch": "2"}, 25), ("slots_preemptive", {"quantum": "1"}, 20)],
)
def test_mutants_of_other_schedulers_guarantee_what_brute_force_says(name, sizes, least):
    setting = {"nb": "2", "places": "1", **sizes}
    original = explore(scheduler_machine(name), SCHEDULERS, setting)
    changed = 0
    for label, components in mutants(shipped("@schedulers")):
        if label.split("/")[0] not in {"slots_any", name}:
            continue
        try:
            graph = explore(scheduler_machine(name, components), SCHEDULERS, setting, most=400)
        except (InputError, LimitError):
            continue
        changed += (graph.states, graph.edges) != (original.states, original.edges)
        for text in (STRONG, WEAK):
            fairness = fairness_of(text, graph)
            twin = Twin(graph.animation, 2, fairness.weak, fairness.strong)
            assert guaranteed(graph, text) == {model for model in MODELS if twin.guarantees(model)}, label
    assert changed >= least


# --- nondeterministic actions ---

#: The event `choose` may choose 0 for ever.
CHOOSER = """
machine chooser variables turn invariants @i turn ∈ 0 ‥ 1 events
event INITIALISATION then @a turn ≔ 0 end
event choose when @g turn = 0 then @a turn :∈ 0 ‥ 1 end
event run any m where @g m = 0 @h turn = 1 then @a turn ≔ 1 end
end
"""
CHOOSER_READING = """
threads = "0 ‥ 0"
thread = "m"
live = "⊤"
step = "run"
fairness = "weak: all; strong: none"
"""


def chooser_graph(change=("", "")):
    machine = Project(read_components(CHOOSER.replace(*change) if change[0] else CHOOSER)).machine("chooser")
    return explore(machine, read_reading(CHOOSER_READING), {})


@pytest.mark.parametrize("change", [("", ""), ("turn :∈ 0 ‥ 1", "turn :∈ {1}")], ids=["choice", "no choice"])
def test_a_run_need_not_be_fair_to_what_an_action_chooses(change):
    graph = chooser_graph(change)
    holds = bool(change[0])
    for text in (STRONG.replace("Thread_running", "run"), WEAK, "weak: all; strong: choose"):
        fairness = fairness_of(text, graph)
        assert ("fair" in guaranteed(graph, text)) is holds
        twin = Twin(graph.animation, 1, fairness.weak, fairness.strong, step="run")
        twin.live = lambda _: {0}
        assert twin.guarantees("fair") is holds
        assert LitmusScheduler(graph, read_reading(CHOOSER_READING), fairness).ends([(1,), (-1,)]) is holds


def test_a_step_of_no_thread_happens_beside_a_test():
    graph = chooser_graph(("m = 0 @h turn = 1", "m = 7"))
    fairness = fairness_of(WEAK, graph)
    scheduler = LitmusScheduler(graph, read_reading(CHOOSER_READING), fairness, is_whole=True)
    assert not scheduler.ends([(1,), (-1,)])


# --- what is refused ---


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("strict: all", "found 'strict: all', expected weak: EVENTS"),
        ("weak: all; weak: none", "found 'weak: none'"),
        ("weak: nothing", "event: found 'nothing'"),
        ("", "expected weak: EVENTS"),
    ],
)
def test_a_wrong_fairness_is_refused(text, message):
    with pytest.raises(InputError, match=message):
        read_fairness(text, ["up", "down"])


def test_a_reading_says_what_is_wrong():
    good = 'threads = "t"\nthread = "m"\nlive = "⊤"\nstep = "up"\nfairness = "weak: all"\n'
    assert read_reading(good).threads == "t"
    for text, message in [
        (good + "steps = 1", "key: found 'steps'"),
        (good.replace('"t"', "3"), "threads: found no text"),
        (good + "times = 3", "times: found no list"),
        (good + "constants = 3", "constants: found no table"),
        (good + "stages = [3]", "found a stage without name"),
    ]:
        with pytest.raises(InputError, match=message):
            read_reading(text)
