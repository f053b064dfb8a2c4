"""Test `synth machine guarantees`: what it prints of models, settings and tests."""

import json
from pathlib import Path

import pytest

SMALL = ["--setting", "SM=1,nb_kernel_threads=2"]


def test_each_model_has_an_answer_with_the_settings_that_were_explored(synth):
    ran = synth("machine", "guarantees", "@gpu", *SMALL, "--model", "LOBE,fair")
    lines = ran.out.splitlines()
    assert ran.code == 1
    assert lines[:4] == [
        "thread_execution, weak: all; strong: Thread_running",
        "Time passes until these guards hold: Thread_election/grd3, bloc_ending/grd5.",
        "LOBE: guaranteed, explored in SM=1,nb_kernel_threads=2 (16 states)",
        "fair: not guaranteed, refuted by a run in SM=1,nb_kernel_threads=2 (16 states)",
    ]
    assert "  The test 0000-0010 passes the weak form, and does not end here:" in lines
    assert lines[-2].startswith("      Thread_running(m = 0, p = 0): if (Exch(Mem[0],0) == 0) goto 0;")
    ran = synth("machine", "guarantees", "@gpu", *SMALL, "--model", "LOBE")
    assert ran.code == 0


def test_several_settings_are_named_once(synth):
    words = [*SMALL, "--setting", "SM=2,nb_kernel_threads=2", "--model", "LOBE,fair"]
    lines = synth("machine", "guarantees", "@gpu", *words).out.splitlines()
    assert lines[2:6] == [
        "Explored in SM=1,nb_kernel_threads=2 (16 states) and SM=2,nb_kernel_threads=2 (84 states).",
        "LOBE: guaranteed in all of them",
        "fair: guaranteed in SM=2,nb_kernel_threads=2",
        "fair: not guaranteed, refuted by a run in SM=1,nb_kernel_threads=2",
    ]


def test_the_witness_is_the_smallest_test_that_passes_and_does_not_end(synth):
    words = ["machine", "guarantees", "@gpu", "--fairness", "weak: all", "--json"]
    answer = json.loads(synth(*words, "--setting", "SM=2, nb_kernel_threads=2").out)
    witnesses = {guarantee["model"]: guarantee["settings"][0]["witness"] for guarantee in answer["models"]}
    assert {model: witness and witness["test"] for model, witness in witnesses.items()} == {
        "unfair": None,
        "HSA": "0010-0000",
        "OBE": "00100002-0110",
        "LOBE": "0010-0000",
        "HSA+OBE": "0010-0000",
        "fair": "0000-0010",
    }
    assert all(witness is None or witness["run"]["cycle"] for witness in witnesses.values())


@pytest.mark.full
def test_tests_of_a_corpus_run_on_each_setting(synth):
    settings = [*SMALL, "--setting", "SM=2,nb_kernel_threads=2", "--model", "OBE", "--model", "fair"]
    answer = json.loads(synth("machine", "guarantees", "@gpu", *settings, "--tests", "@complete/2x2", "--json").out)
    first, two = answer["tests"]
    assert (first["tests"], first["ended"], two["ended"]) == (8, 5, 6)
    assert two["endless"] == {"OBE": [], "fair": []}
    assert two["beyond"]["fair"] == 0
    lines = synth("machine", "guarantees", "@gpu", *settings, "--tests", "@complete/2x2").out.splitlines()
    assert lines[-1] == "  fair: 6 tests pass the weak form; all of them end; no other ends"
    assert lines[-2] == "  OBE: no test passes the weak form; 6 tests end"


def test_a_reading_may_stand_in_a_file(synth, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("m.eventb").write_text(
        "context c constants blocs most axioms @a most ∈ ℕ1 @b blocs = 0 ‥ most end\n"
        "machine turns sees c variables next invariants @i next ∈ blocs events\n"
        "event INITIALISATION then @a next ≔ 0 end\n"
        "event go any m where @g m = next then @a next ≔ (next + 1) mod (most + 1) end\n"
        "end"
    )
    Path("m.toml").write_text('threads = "blocs"\nthread = "m"\nlive = "⊤"\nstep = "go"\nfairness = "weak: all"\n')
    words = ["machine", "guarantees", "m.eventb", "--reading", "m.toml", "--model", "fair", "--setting", "most=2"]
    assert synth(*words).out.splitlines()[1] == "fair: guaranteed, explored in most=2 (3 states)"
    because = "fair: not proved for every setting: the reading has no stages for this machine"
    assert because in synth(*words, "--prove").out
    ran = synth(*words, "--fairness", "weak: none")
    assert ran.out.splitlines()[3:6] == [
        "    INITIALISATION",
        "    and then nothing more",
        "  The test 0000-0010-0010 passes the weak form, and does not end here:",
    ]
    assert synth("machine", "guarantees", "m.eventb", "--setting", "most=2").err == (
        "synth: reading: event: found 'Thread_running', expected one of INITIALISATION, go\n"
    )


def test_what_is_wrong_is_said_in_one_line(synth):
    for words, message in [
        (["--setting", "SM"], "--setting: found 'SM', expected NAME=VALUE,NAME=VALUE with each name once"),
        (["--setting", "SM=1"], "expected nb_kernel_threads=… in --setting"),
        (["--setting", "nb_kernel_threads=1"], "expected one, such as SM=2 in --setting"),
        (
            ["--setting", "SM=1,nb_kernel_threads=2000000"],
            "setting: found more than 100,000 numbers in 0 ‥ nb − 1, expected smaller values in --setting",
        ),
        (["--fairness", "weak: up"], "fairness: event: found 'up'"),
        (["--model", "round-robbin", *SMALL], "round-robin"),
        (["--reading", "missing.toml"], "missing.toml"),
    ]:
        ran = synth("machine", "guarantees", "@gpu", *words)
        assert (ran.code, len(ran.err.splitlines())) == (2, 1)
        assert message in ran.err


@pytest.mark.full
def test_a_guarantee_is_proved_or_says_why_not(synth):
    words = ["machine", "guarantees", "@schedulers", "--setting", "nb=2,places=1", "--prove", "--jobs", "1"]
    ran = synth(*words, "--component", "slots_any", "--model", "OBE")
    assert "OBE: guaranteed, proved for every setting whatever the sizes: 19 premises and 25 obligations" in ran.out
    ran = synth(*words, "--component", "slots_any", "--model", "OBE", "--fairness", "weak: all")
    assert "OBE: not proved for every setting: the stage 'resident' needs fairness of Thread_running" in ran.out
    assert ran.code == 3
    ran = synth(*words, "--component", "slots_preemptive", "--setting", "nb=2,places=1,quantum=1", "--model", "fair")
    assert ran.code == 2
    ran = synth(*words, "--component", "slots_any", "--model", "OBE", "--model", "LOBE", "--json")
    models = json.loads(ran.out)["models"]
    assert [model["proof"] and model["proof"]["proved"] for model in models] == [True, None]


def test_a_model_may_be_an_automaton(synth):
    """The witness passes the automaton, and round-robin is no promise that a device with one multiprocessor keeps."""
    words = ["machine", "guarantees", "@gpu", *SMALL, "--prove"]
    lines = synth(*words, "--model", "round-robin").out.splitlines()
    assert lines[2] == ("round-robin: not guaranteed, refuted by a run in SM=1,nb_kernel_threads=2 (16 states)")
    assert "  The test 0000-0010 passes the weak form, and does not end here:" in lines
    ran = synth(*words, "--model", "resident-2")
    because = "no rule is known for automata such as resident-2, only for set expressions"
    assert ran.out.splitlines()[2:] == [
        f"resident-2: not proved for every setting: {because}",
        "resident-2: guaranteed, explored in SM=1,nb_kernel_threads=2 (16 states)",
    ]
    assert ran.code == 3


def test_a_value_of_a_setting_may_have_commas(synth):
    setting = "nb=3,places=2,order={0 ↦ 2, 1 ↦ 1, 2 ↦ 0}"
    words = ["machine", "guarantees", "@schedulers", "--component", "slots_reverse", "--setting", setting]
    assert "HSA: not guaranteed" in synth(*words, "--model", "HSA").out
    assert synth(*words, "--model", "OBE").code == 0
