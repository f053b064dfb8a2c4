"""Test animation: steps are those of the definition, random traces replay, and a changed one is rejected."""

import functools
import itertools
import random

import pytest

from synth_checker.errors import InputError
from synth_machines.animation.abstraction import abstract_step
from synth_machines.animation.machine_steps import Animation
from synth_machines.animation.replay import Rejection, TraceStep, replayed
from synth_machines.animation.settings import setting_of
from synth_machines.evaluation.values import written_value
from synth_machines.projects import Project
from synth_machines.shipped import shipped
from synth_machines.texts.reader import read_components

TEXT = """
context c
sets S
constants most first
axioms
  @axm1 most ∈ 1 ‥ 5
  @axm2 first ∈ S
  @axm3 finite(S)
end
machine m
sees c
variables x y f
invariants
  @inv1 x ∈ 0 ‥ most
  @inv2 y ∈ BOOL
  @inv3 f ∈ S ⇸ ℤ
  @inv4 x ≠ 3
events
  event INITIALISATION
    then
      @act1 x ≔ 0
      @act2 y :∈ BOOL
      @act3 f ≔ {first ↦ 1}
  end
  event up
    any d where
      @grd1 d ∈ 1 ‥ 2
      @grd2 x + d ≤ most
    then
      @act1 x ≔ x + d
  end
  event guess
    any s where
      @grd1 s ∉ dom(f)
    then
      @act1 x,y :∣ x' ∈ 0 ‥ x ∧ y' ≠ y
      @act2 f(s) ≔ x
  end
  event read
    any s where
      @grd1 s ∈ S
      @grd2 f(s) > 0
    then
      @act1 x ≔ most ÷ x
  end
end
machine n
refines m
sees c
variables x y f
events
  event INITIALISATION extends INITIALISATION end
  event one refines up
    when
      @grd1 x < most
    with
      @d d = 1
    then
      @act1 x ≔ x + 1
  end
  event guess extends guess end
  event read extends read end
  event new end
end
"""
PROJECT = Project(read_components(TEXT))
SETTING = {"most": "4", "S": "2", "first": "S1"}
GPU = {"nb_kernel_threads": "3", "warp": "2", "SM": "2", "c": "1", "duration": "2"}
GPU_LIMITS = {"WAIT": ["t ≤ T_ev + 1"], "tick": ["t = T_ev + 1"]}


def animation(name="m", setting=None, limits=None):
    machine = PROJECT.machine(name)
    return Animation(machine, setting_of(machine, setting or SETTING), limits)


def gpu(name="thread_execution"):
    machine = Project(shipped("@gpu")).machine(name)
    return Animation(machine, setting_of(machine, GPU), {gpu_limit: GPU_LIMITS[gpu_limit] for gpu_limit in GPU_LIMITS})


def random_trace(animation_, rng, most, steps_of=None):
    """Return a random trace of at most so many steps; `steps_of` remembers the steps of states."""
    steps_of = steps_of or animation_.steps
    steps = [rng.choice(animation_.starts())]
    while len(steps) < most and (options := steps_of(steps[-1].state)[0]):
        steps.append(rng.choice(options))
    return steps


def as_given(steps):
    return [TraceStep(step.event, dict(step.parameters), dict(step.chosen)) for step in steps]


def texts(steps):
    return [step.text for step in steps]


def test_the_steps_of_a_state_are_those_of_the_definition():
    animation_ = animation()
    starts = animation_.starts()
    assert texts(starts) == ["INITIALISATION(y = TRUE)", "INITIALISATION(y = FALSE)"]
    steps, findings = animation_.steps(starts[0].state)
    assert texts(steps) == ["up(d = 1)", "up(d = 2)", "guess(s = S2, x = 0, y = FALSE)"]
    assert [finding.text for finding in findings] == [
        "read: act1 is ill-defined here: most ÷ x",
        "read: grd2 is ill-defined here: f(s)",
    ]
    after = {step.text: step.state for step in steps}
    assert list(map(written_value, after["up(d = 2)"])) == ["2", "TRUE", "{S1 ↦ 1}"]
    assert list(map(written_value, after["guess(s = S2, x = 0, y = FALSE)"])) == ["0", "FALSE", "{S1 ↦ 1, S2 ↦ 0}"]


def test_steps_agree_with_replaying_every_candidate():
    """The twin of enumeration: of all parameters and choices, replaying takes those that are enumerated."""
    animation_ = animation()
    first, second = sorted(animation_.setting.evaluator.carriers["S"], key=str)
    for start in animation_.starts():
        for state in [start, *animation_.steps(start.state)[0]]:
            trace = as_given([start] if state is start else [start, state])
            taken = {step.text for step in animation_.steps(state.state)[0]}
            allowed = set()
            candidates = [TraceStep("up", {"d": d}, {}) for d in range(-1, 4)]
            candidates += [
                TraceStep("guess", {"s": s}, {"x": x, "y": y})
                for s, x, y in itertools.product((first, second), range(-1, 6), (False, True))
            ]
            candidates += [TraceStep("read", {"s": s}, {}) for s in (first, second)]
            for candidate in candidates:
                if not isinstance(replayed(animation_, [*trace, candidate]), Rejection):
                    named = ", ".join(
                        f"{k} = {written_value(v)}" for k, v in {**candidate.parameters, **candidate.chosen}.items()
                    )
                    allowed.add(f"{candidate.event}({named})")
            assert allowed == taken


@pytest.mark.full
def test_a_thousand_random_traces_replay_and_changed_ones_do_not():
    rng = random.Random(1)
    animations = [animation(), animation("n")]
    known = [functools.cache(animation_.steps) for animation_ in animations]
    rejected = 0
    for number in range(1000):
        animation_ = animations[number % 2]
        steps = random_trace(animation_, rng, 8, known[number % 2])
        trace = as_given(steps)
        assert replayed(animation_, trace) == [step.state for step in steps]
        place = rng.randrange(1, len(trace)) if len(trace) > 1 else 0
        trace[place] = TraceStep("up" if number % 2 == 0 else "one", {"d": 9} if number % 2 == 0 else {}, {})
        answer = replayed(animation_, trace[: place + 1])
        if isinstance(answer, Rejection):
            rejected += 1
            assert answer.step == place + 1
    assert rejected > 500


@pytest.mark.full
def test_traces_of_the_gpu_replay_and_its_invariants_hold():
    rng, animation_ = random.Random(2), gpu()
    for _ in range(8):
        steps = random_trace(animation_, rng, 20)
        assert replayed(animation_, as_given(steps)) == [step.state for step in steps]
        assert animation_.violated(steps[-1].state) == []


@pytest.mark.exhaustive
def test_a_thousand_traces_of_the_gpu_replay():
    rng, animation_ = random.Random(3), gpu()
    for _ in range(1000):
        steps = random_trace(animation_, rng, 30)
        assert replayed(animation_, as_given(steps)) == [step.state for step in steps]
        assert animation_.violated(steps[-1].state) == []


@pytest.mark.parametrize(
    ("step", "rejection"),
    [
        (TraceStep("up", {"d": 3}, {}), Rejection(2, "up", "grd1", "the guard does not hold")),
        (TraceStep("down", {}, {}), Rejection(2, "down", None, "m has no event of this name")),
        (TraceStep("up", {}, {}), Rejection(2, "up", None, "the parameters must be d")),
        (
            TraceStep("up", {"d": 1}, {"x": 1}),
            Rejection(2, "up", None, "the chosen values must be those of no variable"),
        ),
        (
            TraceStep("INITIALISATION", {}, {"y": True}),
            Rejection(2, "INITIALISATION", None, "INITIALISATION must be the first step, and only the first"),
        ),
    ],
)
def test_a_wrong_step_is_rejected_with_the_event_and_guard(step, rejection):
    animation_ = animation()
    start = as_given(animation_.starts()[:1])
    assert replayed(animation_, [*start, step]) == rejection
    assert replayed(animation_, [TraceStep("up", {"d": 1}, {})]).step == 1


def test_a_wrong_choice_is_rejected_with_the_action():
    animation_ = animation()
    second = animation_.setting.values["S2"]
    start = as_given(animation_.starts()[:1])
    wrong = TraceStep("guess", {"s": second}, {"x": 1, "y": False})
    assert replayed(animation_, [*start, wrong]) == Rejection(
        2, "guess", "act1", "the action does not allow the chosen values"
    )
    undefined = TraceStep("read", {"s": second}, {})
    assert replayed(animation_, [*start, undefined]) == Rejection(2, "read", "grd2", "ill-defined here: f(s)")


def test_a_step_is_shown_as_that_of_the_abstract_machine():
    animation_ = animation("n")
    start = animation_.starts()[0]
    shown = {step.event: abstract_step(animation_, start.state, step) for step in animation_.steps(start.state)[0]}
    assert shown == {"one": "up(d = 1)", "guess": "guess(s = S2)", "new": None}


def test_violated_invariants_are_named():
    animation_ = animation()
    state = (3, True, frozenset())
    assert animation_.violated(state) == ["inv4"]
    assert animation_.violated((9, True, frozenset({(animation_.setting.values["S1"], 1)}))) == ["inv1"]


def test_a_parameter_without_bounds_is_an_error_that_names_it():
    machine = Project(shipped("@gpu")).machine("kernel")
    animation_ = Animation(machine, setting_of(machine, GPU | {"SM": "1"}))
    start = next(step for step in animation_.starts() if "TRUE" in step.text)
    with pytest.raises(InputError) as error:
        animation_.steps(start.state)
    assert str(error.value) == "WAIT: found no finite number of values for t, expected a limit for this event"


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        (
            {"most": "4", "first": "S1"},
            "setting: found no size of the carrier set S, expected one, such as S=2 in --set",
        ),
        ({**SETTING, "S": "x"}, "setting: found S='x', expected a number from 1 to 100"),
        ({**SETTING, "most": "9"}, "setting: found values for which the axiom axm1 does not hold"),
        ({"S": "1"}, "setting: found several values of most, such as 1 and 2, expected most=… in --set"),
        (
            {**SETTING, "mosst": "1"},
            "setting: found 'mosst' (did you mean most?), expected a carrier set or a constant",
        ),
        (
            {**SETTING, "most": "2 ^ 999999"},
            "setting: most: found more than 100,000 bits in 2^999999, expected a smaller",
        ),
        ({**SETTING, "most": "1 ÷ 0"}, "setting: most: found '1 ÷ 0', expected an expression that is well defined"),
        ({**SETTING, "most": "S"}, "setting: most: S: found the types ℙ(S) and ℤ, expected equal types"),
    ],
)
def test_a_setting_that_is_not_valid_is_refused(setting, message):
    with pytest.raises(InputError) as error:
        animation(setting=setting)
    assert str(error.value).startswith(message)


def test_the_only_values_of_constants_are_found():
    setting = setting_of(PROJECT.machine("m"), {"S": "1", "most": "2"})
    assert written_value(setting.values["first"]) == "S1"
    with pytest.raises(InputError, match=r"^limit: event: found 'upp' .did you mean up"):
        animation(limits={"upp": ["⊤"]})
    with pytest.raises(InputError, match=r"^limit: up: "):
        animation(limits={"up": ["d = S"]})
    limited = animation(limits={"up": ["d = 2"], "guess": ["x' = x"]})
    assert texts(limited.steps(limited.starts()[0].state)[0]) == ["up(d = 2)", "guess(s = S2, x = 0, y = FALSE)"]


def test_all_actions_read_the_old_values():
    text = """machine swap variables x y invariants @i x ∈ ℤ @j y ∈ ℤ events
    event INITIALISATION then @a x,y ≔ 1,2 end
    event swap then @a x ≔ y @b y ≔ x end
    end"""
    machine = Project(read_components(text)).machine("swap")
    animation_ = Animation(machine, setting_of(machine, {}))
    (step,) = animation_.steps(animation_.starts()[0].state)[0]
    assert step.state == (2, 1)
