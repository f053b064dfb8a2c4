"""Test that `synth explain` is right: who starves, who is promised a step, and what leaves a thread out."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies
from synth_checker.certificates import lasso
from synth_checker.certificates.certificate import Lasso
from synth_checker.models import library, verdict_names
from synth_checker.programs.normal import program_of_id
from synth_checker.twin.semantics import live, step
from synth_documents.phrases import named_threads, written_set
from synth_litmus.explanation import explain
from synth_litmus.facts import check

MUTEX = "01100002-01100002"
VERDICTS = verdict_names(library())
explained = st.builds(
    explain, strategies.waiting_programs(threads=(1, 3), instructions=(1, 6)), st.sampled_from(VERDICTS)
)


def said(found, pattern):
    """The threads that a sentence of an explanation names, if it says that."""
    for sentence in found.sentences:
        match = re.search(pattern, sentence)
        if match:
            yield {int(number) for number in re.findall(r"\d+", match["threads"])}


@given(explained)
def test_who_starves_is_live_and_takes_no_step_and_is_owed_none(found):
    starving = set().union(*said(found, r"Thread (?P<threads>\d+) starves"))
    if not isinstance(found.certificate, Lasso):
        assert not starving
        return
    states = [step.state for step in found.certificate.cycle]
    alive = set.intersection(*(set(live(found.check.judged, state.system)) for state in states))
    assert starving == alive - {step.thread for step in found.certificate.cycle}
    assert not any(step.fair >> thread & 1 for step in found.certificate.cycle for thread in starving)


@given(explained)
def test_who_is_said_to_be_owed_a_step_is_in_the_fair_set_and_gets_it(found):
    """No thread is blamed for a step that it was not owed, and none is denied one that it was."""
    if not isinstance(found.certificate, Lasso):
        return
    cycle = found.certificate.cycle
    (owed,) = said(found, r"(?i)(?P<threads>threads? [\d, and]+|no thread) (is|are) promised a step in the cycle")
    assert all({thread for thread in range(4) if each.fair >> thread & 1} == owed for each in cycle)
    assert owed <= {each.thread for each in cycle}


@given(explained)
def test_a_way_out_is_an_owed_step_that_leaves_the_cycle(found):
    for threads in said(found, r"A promised step of thread (?P<threads>\d+) would leave the cycle"):
        program, states = found.check.judged, {each.state.system for each in found.certificate.cycle}
        assert found.form == "weak"
        for thread in threads:
            assert any(
                step(program, each.state.system, thread) not in states
                for each in found.certificate.cycle
                if each.fair >> thread & 1
            )


@given(strategies.programs(threads=(1, 3), instructions=(1, 5)).filter(lambda p: check.normal_form(p).threads))
def test_no_model_could_help_exactly_where_the_cycle_reaches_no_end(program):
    found = explain(program, "unfair")
    if not isinstance(found.certificate, Lasso):
        return
    seen, to_do = set(), [found.certificate.cycle[0].state.system]
    while to_do:
        state = to_do.pop()
        if state not in seen:
            seen.add(state)
            to_do.extend(step(found.check.judged, state, t) for t in live(found.check.judged, state))
    ends = any(not live(found.check.judged, state) for state in seen)
    assert any("could not end under any model" in sentence for sentence in found.sentences) == (not ends)


@pytest.mark.parametrize(
    ("id_", "verdict", "sentence"),
    [
        (MUTEX, "HSA.weak", "HSA promises it no step in the cycle, because it is not in lowest(live), which is {0}."),
        (
            "00_0-0011",
            "LOBE.strong",
            "LOBE promises it no step in the cycle, because it is not in upto(stepped), which is {0}.",
        ),
        ("00_0-0011", "unfair", "unfair promises it no step in the cycle, because it is not in none, which is empty."),
        ("0010-0100", "fair.weak", "The strong form promises that step, and the program passes fair.strong."),
        (
            "00_0",
            "fair.strong",
            "No path leads from the cycle to an end, so the program could not end under any model.",
        ),
        ("0011", "unfair", "The program always ends: no state can come back, whichever thread takes the steps."),
        (
            MUTEX,
            "OBE.weak",
            "At rank 3 thread 0 can step again and again, but thread 1 is promised a step all the while,",
        ),
    ],
)
def test_sentences_worked_out_by_hand(id_, verdict, sentence):
    assert sentence in " ".join(explain(program_of_id(id_), verdict).sentences)


@pytest.mark.parametrize(
    ("mask", "text", "name"),
    [
        (0b1, "{0}", "thread 0"),
        (0b101, "{0,2}", "threads 0 and 2"),
        (0b111, "{0,1,2}", "threads 0, 1 and 2"),
    ],
)
def test_threads_in_words(mask, text, name):
    assert written_set(mask) == text
    assert named_threads({thread for thread in range(3) if mask >> thread & 1}) == name


def test_a_lasso_is_called_the_shortest_only_if_that_is_known(monkeypatch):
    shortest = explain(program_of_id(MUTEX), "HSA.weak")
    assert shortest.sentences[0].endswith("There is no shorter way.")
    monkeypatch.setattr(lasso, "BUDGET", -1)
    other = explain(program_of_id(MUTEX), "HSA.weak")
    assert other.sentences[0].endswith("There may be a shorter way.")
    assert other.sentences[1:] == shortest.sentences[1:]


def test_a_verdict_that_its_certificate_denies_is_a_defect(synth, monkeypatch):
    """The core is made to lie."""
    monkeypatch.setattr(check, "judge", lambda ids, _: [0b11111111111] * len(ids))
    for words in (("check", MUTEX, "--certify"), ("explain", MUTEX, "--model", "HSA.weak")):
        ran = synth(*words)
        assert (ran.code, ran.out) == (70, "")
        assert "the core says pass for" in ran.err
    assert synth("check", MUTEX).code == 0


def test_the_json_of_a_certificate_has_all_of_it(synth):
    lasso = json.loads(synth("explain", MUTEX, "--model", "HSA.weak", "--json").out)
    assert lasso["verdict"] == {"HSA.weak": "fail"}
    assert [step["thread"] for step in lasso["certificate"]["steps"]] == [1, 0]
    assert lasso["certificate"]["steps"][1] == {"memory": [1], "pcs": [0, 1], "model": 0, "fair": [0], "thread": 0}
    ranking = json.loads(synth("explain", MUTEX, "--model", "OBE.strong", "--json").out)
    assert ranking["certificate"]["kind"] == "ranking"
    assert len(ranking["certificate"]["ranks"]) == 12


@given(explained)
def test_a_drawing_of_the_proof_has_its_steps_or_its_ranks(found):
    graph = found.graph()
    if graph.notes != found.sentences:  # not all states are drawn
        return
    numbered = {}
    for edge in graph.edges:
        for number in re.findall(r"\d+(?=[,.])", edge.label):
            numbered[int(number)] = edge
    if not isinstance(found.certificate, Lasso):
        assert not numbered
        assert {node.lines[-1] for node in graph.nodes} == {f"rank {r.rank}" for r in found.certificate.ranks.values()}
        falls = [edge for edge in graph.edges if edge.style == "green"]
        assert len(falls) == sum(rank.helper is not None for rank in found.certificate.ranks.values())
        return
    assert [f"T{step.thread}" for step in found.certificate.steps] == [
        numbered[number].label.split()[-1] for number in range(1, len(numbered) + 1)
    ]
    for number, edge in numbered.items():
        after = number + 1 if number < len(numbered) else found.certificate.prefix + 1
        assert edge.target == numbered[after].source
        assert edge.style == "red" or number <= found.certificate.prefix


def test_a_drawing_of_many_states_has_those_of_the_proof(synth, tmp_path):
    words = ("explain", "001000110010-001000110010-00100011", "--model", "LOBE.weak", "--svg", "it.svg")
    assert synth(*words).code == 0
    text = (tmp_path / "it.svg").read_text("utf-8")
    assert "The drawing has 60 of 88 states." in text
    assert text.count('class="node"') == 60
    assert synth(*words).code == 2
    assert synth(*words, "--force").code == 0
    assert (tmp_path / "it.svg").read_text("utf-8") == text
    assert "--force needs --svg" in synth("explain", "0010", "--model", "HSA.weak", "--force").err
