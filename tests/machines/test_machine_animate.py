"""Test `synth machine animate` and `synth machine replay`."""

import json
from pathlib import Path

import pytest

COUNTER = """
context c sets S constants most axioms @axm1 most ∈ ℕ end
machine counter sees c
variables x
invariants
  @inv1 x ∈ ℤ
  @inv2 x ≤ 5
events
  event INITIALISATION then @act1 x ≔ 0 end
  event up any d where @grd1 d ∈ 1 ‥ 2 @grd2 x + d ≤ most then @act1 x ≔ x + d end
  event far any d where @grd1 d ≥ most @grd2 x = 8 then @act1 x ≔ d end
end
"""
SETTING = ["--set", "most=4", "--set", "S=1"]


@pytest.fixture(autouse=True)
def _counter(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("c.eventb").write_text(COUNTER)


def test_a_random_trace_replays_and_a_changed_one_does_not(synth):
    words = ["machine", "animate", "c.eventb", *SETTING, "--seed", "5", "--out", "t.json"]
    ran = synth(*words)
    assert ran.code == 0
    assert ran.out.startswith("1 INITIALISATION\n  x = 0\n2 up(d = ")
    assert ran.out.endswith("  x = 4\n  deadlock: no event can happen\n")
    assert synth(*words).code == 2
    assert synth(*words, "--force").out == ran.out
    trace = json.loads(Path("t.json").read_text())
    printed = synth("machine", "animate", "c.eventb", *SETTING, "--seed", "5", "--json").out
    assert json.loads(printed) == trace
    assert trace["end"] == "deadlock"
    steps = len(trace["steps"])
    replayed = synth("machine", "replay", "c.eventb", "t.json")
    assert (replayed.code, replayed.out) == (0, f"counter allows all {steps} steps\n")
    trace["steps"][-1]["parameters"]["d"] = "5"
    Path("t.json").write_text(json.dumps(trace))
    replayed = synth("machine", "replay", "c.eventb", "t.json")
    assert (replayed.code, replayed.out) == (1, f"step {steps}: up: grd1: the guard does not hold\n")
    trace["steps"][-1]["event"] = "far"
    Path("t.json").write_text(json.dumps(trace))
    assert synth("machine", "replay", "c.eventb", "t.json").out == f"step {steps}: far: grd2: the guard does not hold\n"


def test_steps_are_chosen_by_their_numbers(synth):
    ran = synth("machine", "animate", "c.eventb", *SETTING, stdin="1\n9\n2\nq\n")
    assert ran.code == 0
    assert "2 up(d = 2)\n  x = 2\n" in ran.out
    assert ran.err == "found '9', expected a number from 1 to 2, or q\n"


def test_violated_invariants_and_unbounded_parameters_are_named(synth):
    words = ["machine", "animate", "c.eventb", "--set=most=9", "--set=S=1", "--limit=up: d = 2", "--seed=1"]
    ran = synth(*words, "--steps=4")
    assert (ran.code, ran.out.splitlines()[-1]) == (1, "  invariant inv2 does not hold")
    ran = synth(*words)
    assert ran.code == 2
    assert "far: found no finite number of values for d, expected a limit for this event" in ran.err


def test_the_states_are_drawn(synth):
    assert synth("machine", "animate", "c.eventb", *SETTING, "--graph", "g.svg").out == "drew 5 states\n"
    drawn = Path("g.svg").read_text()
    assert drawn.startswith("<svg")
    assert "x = 4" in drawn
    assert synth("machine", "animate", "c.eventb", *SETTING, "--graph", "g.dot").code == 0
    assert Path("g.dot").read_text().count("->") == 7
    ran = synth("machine", "animate", "c.eventb", *SETTING, "--graph", "g.svg", "--force", "--states", "3")
    assert ran.out == "The drawing ends after 3 states. There are more.\ndrew 3 states\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["animate", "c.eventb", "--json"], "--json needs --seed, because only a random trace ends by itself"),
        (["animate", "c.eventb", "--force"], "--force needs --out, which names the file to replace"),
        (["animate", "c.eventb", "--set", "most"], "--set: found 'most', expected NAME=VALUE with each name once"),
        (["animate", "c.eventb", *SETTING, "--limit", "x"], "--limit: found 'x', expected EVENT: PREDICATE"),
        (["animate", "c.eventb", *SETTING, "--graph", "x"], "--graph: found 'x', expected a file .svg or .dot"),
        (["animate", "c.eventb", "--component", "count"], "machine: found 'count' (did you mean counter?), expected"),
        (["animate", "@gpu", "--component", "GPU"], "machine: found 'GPU', expected one of"),
        (["replay", "c.eventb", "c.eventb"], "c.eventb: found no JSON ("),
        (["replay", "c.eventb", "wrong.json"], "wrong.json: "),
        (["replay", "c.eventb", "value.json"], "step 1: "),
    ],
)
def test_wrong_words_are_refused_in_one_line(synth, words, message):
    Path("wrong.json").write_text('{"machine": "counter", "setting": {}, "steps": [1]}')
    step = {"event": "up", "parameters": {"d": "1 +"}, "chosen": {}}
    Path("value.json").write_text(
        json.dumps({"machine": "counter", "setting": {"most": "1", "S": "1"}, "steps": [step]})
    )
    ran = synth("machine", *words)
    assert ran.code == 2
    assert ran.err.removeprefix("synth: ").startswith(message)
    assert len(ran.err.splitlines()) == 1
