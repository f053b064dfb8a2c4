"""Emitted code means what the definitions say: each step, and which workgroup takes it. Planted faults are seen."""

import random

import pytest

from device_steps import STEPS, places_of, steps_of, steps_of_the_definitions, telling
from emitted import ALL_SHAPES, MAPPINGS, MUTEX, faulty, random_program, source_of, written
from synth_backends.mapping import Launch, read_mapping
from synth_backends.target import STRESSED_WORDS
from synth_checker.normal import program_of_id

each_running_target = pytest.mark.parametrize("target", STEPS)

IN_ALL = "common/step"
#: Where, what is right, and what is wrong.
FAULTS = {
    "wrong target": (IN_ALL, "? {{ i.target }}u :", "? 0u :"),
    "branches swapped": (IN_ALL, "? {{ i.target }}u : {{ next }}u", "? {{ next }}u : {{ i.target }}u"),
    "values swapped": (IN_ALL, "== {{ i.check }}u ?", "== {{ i.check if i.exch is none else i.exch }}u ?"),
    "a store that waits": (IN_ALL, "            return {{ next }}u;", "            return {{ loop.index0 }}u;"),
    "finishes another thread": (IN_ALL, "{{ finish(tid) }}", "{{ finish(0) }}"),
    "finishes only at times": (
        IN_ALL,
        "            {{ finish(tid) }}",
        "            if (thread == 0u) {{ finish(tid) }}",
    ),
    "does not finish": (IN_ALL, "            {{ finish(tid) }};\n", ""),
    "threads swapped": (IN_ALL, '"case " ~ tid ~ "u"', '"case " ~ (1 - tid) ~ "u"'),
}
FAULTS_OF = {
    "cpp": {
        "exchange missing": ("cpp/test.cpp", "exchange({{ i.exch }})", "fetch_add(0)"),
        "exchange of the checked value": ("cpp/test.cpp", "exchange({{ i.exch }})", "exchange({{ i.check }})"),
        "one location for all": ("cpp/test.cpp", "memory[{{ i.loc }}]", "memory[0]"),
        "a read that writes": ("cpp/test.cpp", "fetch_add(0)", "fetch_add(1)"),
    },
    "opencl": {
        "exchange missing": ("opencl/test.cl", "exchange(memory + {{ i.loc }}, {{ i.exch }}u)", "add(memory, 0u)"),
        "exchange of the checked value": ("opencl/test.cl", "{{ i.exch }}u)", "{{ i.check }}u)"),
        "one location for all": ("opencl/test.cl", "memory + {{ i.loc }}", "memory"),
        "a read that writes": ("opencl/test.cl", "add(memory + {{ i.loc }}, 0u)", "add(memory + {{ i.loc }}, 1u)"),
    },
}


@each_running_target
def test_each_step_is_as_in_the_definitions_and_each_fault_is_seen(target, tmp_path):
    kinds = {ALL_SHAPES[tid].kind(pc) for tid, pc, _ in ALL_SHAPES.instructions()}
    assert len(kinds) == 4
    faults = FAULTS | FAULTS_OF[target]
    sources = []
    for fault in faults.values():
        with faulty(*fault):
            sources.append(source_of(target, written(ALL_SHAPES)))
    programs = [ALL_SHAPES, program_of_id(MUTEX), random_program(random.Random("quick"), 3, 7)]
    right = [source_of(target, written(threads)) for threads in programs]
    found = steps_of(target, [*programs, *[ALL_SHAPES] * len(faults)], tmp_path, [*right, *sources])
    assert found[: len(programs)] == [steps_of_the_definitions(threads) for threads in programs]
    expected = steps_of_the_definitions(ALL_SHAPES)
    assert [name for name, steps in zip(faults, found[len(programs) :], strict=True) if steps == expected] == []


@pytest.mark.full
@each_running_target
def test_each_step_of_many_programs_is_as_in_the_definitions(target, tmp_path):
    rng = random.Random("full")
    programs = [random_program(rng, rng.randint(1, 5), rng.randint(1, 12)) for _ in range(20)]
    programs.append(random_program(rng, 2, 35))
    assert steps_of(target, programs, tmp_path) == [steps_of_the_definitions(threads) for threads in programs]


WRONG_WORKGROUPS = {
    "cpp": [
        ("cpp/test.cpp", "memory += instance * {{ locations }}u", "memory += thread * {{ locations }}u"),
        ("cpp/test.cpp", "started - {{ stress }}u", "started - 1u"),
    ],
    "opencl": [
        ("opencl/test.cl", "finished += instance", "finished += workgroup / 3u"),
        ("opencl/test.cl", "get_group_id(0);\n    if", "get_group_id(0) + 1u;\n    if"),
    ],
}


def launched(target, launch):
    choices = {"mapping": launch.mapping.name, "instances": launch.instances, "stress": launch.stress}
    return source_of(target, telling(3), **choices)


@each_running_target
@pytest.mark.parametrize("stress", [pytest.param(0, marks=pytest.mark.full), 2])
def test_each_workgroup_is_the_thread_and_the_instance_that_the_mapping_says(target, stress, tmp_path):
    """And wrong workgroups are seen."""
    launches = [Launch(read_mapping(word), 3, 1 if word == "plain" else 4, stress) for word in MAPPINGS]
    sources = [launched(target, launch) for launch in launches]
    for fault in WRONG_WORKGROUPS[target] if stress else []:
        with faulty(*fault):
            sources.append(launched(target, launches[-1]))
    wrong = len(sources) - len(launches)
    launches += [launches[-1]] * wrong
    words = [each.threads * each.instances + (STRESSED_WORDS if stress else 0) for each in launches]
    found = places_of(target, list(zip(launches, words, strict=True)), tmp_path, sources)
    expected = [[None] * stress + [each.place(k) for k in range(each.workgroups - stress)] for each in launches]
    right = len(launches) - wrong
    assert found[:right] == expected[:right]
    assert all(places != expected[-1] for places in found[right:])
