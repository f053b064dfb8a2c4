"""Test that emitted code does what the definitions say, step by step and workgroup by workgroup.

Planted faults show that the tests can fail.
"""

import contextlib
import itertools
import random

import pytest

from device_steps import STEPS, memory_in_order, memory_of_stress, places_of, steps_of
from emitted import ALL_SHAPES, MAPPINGS, MUTEX, each_of, faulty, random_program, source_of, written
from quick import mostly_full
from steps import steps_of_the_definitions, telling
from synth_backends import stress
from synth_backends.mapping import LitmusLaunch, read_mapping
from synth_backends.stress import StressShape, read_shape
from synth_checker.programs.normal import program_of_id

each_running_target = each_of(STEPS)

IN_ALL = "common/step"
#: Where, what is right, and what is wrong, in the targets whose `switch` is that of C.
FAULTS_OF_C = {
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
#: And those whose functions take pointers.
FAULTS_BY_POINTER = {
    "exchange missing": (IN_ALL, "exchange(memory + {{ i.loc }}, {{ i.exch }}u)", "add(memory, 0u)"),
    "exchange of the checked value": (IN_ALL, "{{ i.exch }}u)", "{{ i.check }}u)"),
    "one location for all": (IN_ALL, "memory + {{ i.loc }}", "memory"),
    "a read that writes": (IN_ALL, "add(memory + {{ i.loc }}, 0u)", "add(memory + {{ i.loc }}, 1u)"),
}
GLSL, SPIRV, WGSL = "glsl/shader", "spirv/functions", "wgsl/shader"
FAULTS_OF = {
    "cpp": {
        **FAULTS_OF_C,
        "exchange missing": ("cpp/test.cpp", "exchange({{ i.exch }})", "fetch_add(0)"),
        "exchange of the checked value": ("cpp/test.cpp", "exchange({{ i.exch }})", "exchange({{ i.check }})"),
        "one location for all": ("cpp/test.cpp", "memory[{{ i.loc }}]", "memory[0]"),
        "a read that writes": ("cpp/test.cpp", "fetch_add(0)", "fetch_add(1)"),
    },
    "glsl": {  # whose compiler takes its time; of the faults of C's `switch` one shows that it is the same
        "wrong target": FAULTS_OF_C["wrong target"],
        "exchange missing": (GLSL, "exchange(region + {{ i.loc }}u, {{ i.exch }}u)", "exchange(region, 0u)"),
        "exchange of the checked value": (GLSL, "{{ i.exch }}u)", "{{ i.check }}u)"),
        "one location for all": (GLSL, "region + {{ i.loc }}u", "region"),
        "a read that writes": (GLSL, "{{ i.loc }}u, 0u)", "{{ i.loc }}u, 1u)"),
        "exchange that adds": (GLSL, "return atomicExchange(", "return atomicAdd("),
    },
    "metal": {
        **{
            name: (where, right.replace("thread ==", "tid =="), wrong.replace("thread ==", "tid =="))
            for name, (where, right, wrong) in FAULTS_OF_C.items()
        },
        **FAULTS_BY_POINTER,
    },
    "opencl": {"wrong target": FAULTS_OF_C["wrong target"], **FAULTS_BY_POINTER},  # as of `glsl`
    "spirv": {
        "wrong target": (SPIRV, "taken %uint_{{ i.target }}", "taken %uint_0"),
        "branches swapped": (
            SPIRV,
            "%uint_{{ i.target }} %uint_{{ next }}",
            "%uint_{{ next }} %uint_{{ i.target }}",
        ),
        "values swapped": (
            SPIRV,
            "found %uint_{{ i.check }}",
            "found %uint_{{ i.check if i.exch is none else i.exch }}",
        ),
        "a store that waits": (SPIRV, "OpReturnValue %uint_{{ next }}", "OpReturnValue %uint_{{ loop.index0 }}"),
        "finishes another thread": (SPIRV, "%step_first_flag %uint_{{ loop.index0 }}", "%step_first_flag %uint_0"),
        "does not finish": (SPIRV, "{{ t }}_finish = OpFunctionCall %void %finish {{ t }}_flag\n", ""),
        "threads swapped": (SPIRV, " {{ tid }} %t{{ tid }}", " {{ tid }} %t{{ 1 - tid }}"),
        "exchange missing": (SPIRV, "%exchange {{ at }}_word %uint_{{ i.exch }}", "%add {{ at }}_word %uint_0"),
        "exchange of the checked value": (SPIRV, "_word %uint_{{ i.exch }}", "_word %uint_{{ i.check }}"),
        "one location for all": (SPIRV, "%step_region %uint_{{ i.loc }}", "%step_region %uint_0"),
        "a read that writes": (SPIRV, "%add {{ at }}_word %uint_0", "%add {{ at }}_word %uint_1"),
        "exchange that adds": (SPIRV, "OpAtomicExchange %uint %exchange", "OpAtomicIAdd %uint %exchange"),
    },
    "wgsl": {
        "wrong target": (WGSL, "{{ i.target }}u, {{ access(i) }}", "0u, {{ access(i) }}"),
        "branches swapped": (WGSL, "select({{ next }}u, {{ i.target }}u", "select({{ i.target }}u, {{ next }}u"),
        "values swapped": (WGSL, "== {{ i.check }}u", "== {{ i.check if i.exch is none else i.exch }}u"),
        "a store that waits": (WGSL, "            return {{ next }}u;", "            return {{ loop.index0 }}u;"),
        "finishes another thread": (WGSL, "first_flag + {{ tid }}u", "first_flag"),
        "does not finish": (WGSL, "            atomicStore(&flags[first_flag + {{ tid }}u], 2u);\n", ""),
        "threads swapped": (WGSL, '"case " ~ tid ~ "u"', '"case " ~ (1 - tid) ~ "u"'),
        "exchange missing": (
            WGSL,
            "atomicExchange(&memory[region + {{ i.loc }}u], {{ i.exch }}u)",
            "atomicAdd(&memory[region], 0u)",
        ),
        "exchange of the checked value": (WGSL, "], {{ i.exch }}u)", "], {{ i.check }}u)"),
        "one location for all": (WGSL, "region + {{ i.loc }}u", "region"),
        "a read that writes": (WGSL, "{{ i.loc }}u], 0u)", "{{ i.loc }}u], 1u)"),
    },
}


@pytest.mark.full
@each_running_target
def test_each_step_is_as_in_the_definitions_and_each_fault_is_seen(target, tmp_path):
    kinds = {ALL_SHAPES[tid].kind(pc) for tid, pc, _ in ALL_SHAPES.instructions()}
    assert len(kinds) == 4
    faults = FAULTS_OF[target]
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
@pytest.mark.parametrize("target", [target for target in STEPS if target != "glsl"])  # as above
def test_each_step_of_many_programs_is_as_in_the_definitions(target, tmp_path):
    rng = random.Random("full")
    programs = [random_program(rng, rng.randint(1, 5), rng.randint(1, 12)) for _ in range(20)]
    programs.append(random_program(rng, 2, 35))
    assert steps_of(target, programs, tmp_path) == [steps_of_the_definitions(threads) for threads in programs]


WRONG_WORKGROUPS = {
    "cpp": [
        ("cpp/test.cpp", "memory += instance * {{ locations }}u", "memory += thread * {{ locations }}u"),
        ("cpp/test.cpp", "started - {{ test.launch.stress }}u", "started - 1u"),
    ],
    "opencl": [
        ("opencl/test.cl", "flags += instance", "flags += workgroup / 3u"),
        ("opencl/test.cl", "get_group_id(0);\n    if", "get_group_id(0) + 1u;\n    if"),
    ],
    "glsl": [
        (GLSL, "region = instance *", "region = thread *"),
        (GLSL, "gl_WorkGroupID.x;\n    if", "gl_WorkGroupID.x + 1u;\n    if"),
    ],
    "metal": [
        ("metal/test", "flags += instance", "flags += workgroup / 3u"),
        ("metal/test", "started - {{ test.launch.stress }}u", "started - 1u"),
    ],
    "spirv": [
        (SPIRV, "%first_flag = OpIMul %uint %instance", "%first_flag = OpIMul %uint %thread"),
        (SPIRV, "OpISub %uint %started %uint_{{ test.launch.stress }}", "OpISub %uint %started %uint_1"),
    ],
    "wgsl": [
        (WGSL, "region = instance *", "region = thread *"),
        (WGSL, "started - {{ test.launch.stress }}u", "started - 1u"),
    ],
}


def launched(target, launch):
    choices = {"mapping": launch.mapping.name, "instances": launch.instances, "stress": launch.stress}
    return source_of(target, telling(3), **choices)


@mostly_full("target", STEPS, quick=["cpp"])
@pytest.mark.parametrize("number", [pytest.param(0, marks=pytest.mark.full), 2])
def test_each_workgroup_is_the_thread_and_the_instance_that_the_mapping_says(target, number, tmp_path):
    """And wrong workgroups are seen."""
    launches = [LitmusLaunch(read_mapping(word), 3, 1 if word == "plain" else 4, number) for word in MAPPINGS]
    sources = [launched(target, launch) for launch in launches]
    for fault in WRONG_WORKGROUPS[target] if number else []:
        with faulty(*fault):
            sources.append(launched(target, launches[-1]))
    wrong = len(sources) - len(launches)
    launches += [launches[-1]] * wrong
    words = [each.threads * each.instances + (StressShape().words if number else 0) for each in launches]
    found = places_of(target, list(zip(launches, words, strict=True)), tmp_path, sources)
    expected = [[None] * number + [each.place(k) for k in range(each.workgroups - number)] for each in launches]
    right = len(launches) - wrong
    assert found[:right] == expected[:right]
    assert all(places != expected[-1] for places in found[right:])


@pytest.mark.full
@each_running_target
def test_each_launch_has_the_places_that_the_mapping_says(target, tmp_path):
    launch = LitmusLaunch(read_mapping("random:7+"), 3, 4)
    source = launched(target, launch)
    found = []
    for number in (0, 5):
        (places,) = places_of(target, [(launch, 12)], tmp_path, [source], number)
        assert places == [launch.place(k, launch=number) for k in range(12)]
        found.append(places)
    assert found[0] != found[1]


#: The targets whose workgroups can have several threads, and wrong conditions under which a lane returns at once.
WITH_LANES = [target for target in STEPS if target != "cpp"]
WRONG_LANES = {
    "spirv": [
        (SPIRV, "%lane %uint_{{ apart }}", "%lane %uint_1"),
        (SPIRV, "%uint_{{ lanes }}", "%uint_{{ lanes + 2 }}"),
    ],
}
WRONG_LANES_OF_C = [(IN_ALL, '" % " ~ apart', '" % " ~ 1'), (IN_ALL, '" >= " ~ lanes', '" >= " ~ (lanes + 2)')]
#: Mappings whose threads share a workgroup, and how many lanes it has.
LANES = [("invocations", 3), ("invocations", 5), ("subgroups:2", 6), ("subgroups:2", 9)]


@pytest.mark.full
@each_of(WITH_LANES)
def test_each_lane_is_the_thread_and_each_workgroup_the_instance_that_the_mapping_says(target, tmp_path):
    launches = [LitmusLaunch(read_mapping(word), 3, 4, 0, width) for word, width in LANES]
    sources = [source_of(target, telling(3), mapping=word, instances=4, width=width) for word, width in LANES]
    words = [each.threads * each.instances for each in launches]
    found = places_of(target, list(zip(launches, words, strict=True)), tmp_path, sources)
    for launch, places in zip(launches, found, strict=True):
        for workgroup, (values, flags) in enumerate(places):
            busy = [launch.place(workgroup, lane) for lane in range(launch.width) if not launch.is_idle(lane)]
            assert flags == busy == [(workgroup, thread) for thread in range(3)]
            assert values == [(*place, place[1] + 1) for place in busy]


@pytest.mark.full
@each_of(WITH_LANES)
def test_a_test_of_one_thread_can_have_a_workgroup_of_one_lane(target, tmp_path):
    launch = LitmusLaunch(read_mapping("invocations"), 1, 4)
    source = source_of(target, telling(1), mapping="invocations", instances=4)
    (found,) = places_of(target, [(launch, 4)], tmp_path, [source])
    assert found == [(workgroup, 0) for workgroup in range(4)]


@pytest.mark.full
@pytest.mark.parametrize("target", WITH_LANES)
def test_all_other_lanes_return_at_once(target, tmp_path):
    """Each lane that does not return adds to memory in a workgroup that only stresses it. Wrong lanes are seen."""
    wrong = [None, *(WRONG_LANES.get(target, WRONG_LANES_OF_C))]
    for word, width in LANES[1::2]:
        launch = LitmusLaunch(read_mapping(word), 3, 1, 2, width, read_shape("add:1:1:7"))
        busy = sum(not launch.is_idle(lane) for lane in range(width))
        found = []
        for fault in wrong if (word, width) == LANES[-1] else wrong[:1]:
            with faulty(*fault) if fault else contextlib.nullcontext():
                choices = {"mapping": word, "instances": 1, "stress": 2, "width": width, "stress_shape": "add:1:1:7"}
                source = source_of(target, telling(3), **choices)
            found.append(memory_of_stress(target, launch, 4, tmp_path, source)[-1])
        assert found[0] == 2 * 7 * busy == 2 * 7 * 3
        assert found[0] not in found[1:]


def memory_of_shape(shape, workgroups, before, words):
    """The memory that some workgroups leave which run one after the other; the first `before` words are not theirs."""
    memory = [0] * words
    for workgroup, round_number in itertools.product(range(workgroups), range(shape.rounds)):
        word = before + shape.word(workgroup, round_number)
        for access in shape.accesses:
            changed = {"add": memory[word] + 1, "store": round_number, "load": memory[word]}
            memory[word] = changed[access]
    return memory


@pytest.mark.full
@each_running_target
@pytest.mark.parametrize(("shape", "number"), [("add:5:3:7", 3), ("store-load:5:3:7:2", 1), ("store:2:1:3", 1)])
def test_workgroups_that_stress_memory_access_the_words_of_their_shape(target, shape, number, tmp_path):
    """Additions are the same in any order. Of stores the last one counts, so there is one workgroup."""
    program = telling(2)
    launch = LitmusLaunch(read_mapping("chunked"), 2, 3, number, 1, read_shape(shape))
    source = source_of(target, program, mapping="chunked", instances=3, stress=number, stress_shape=shape)
    words = 2 * 3 + launch.stress_shape.words
    found = memory_of_stress(target, launch, words, tmp_path, source)
    assert found == memory_of_shape(launch.stress_shape, number, 2 * 3, words)
    assert any(found)


@pytest.mark.full
@each_running_target
def test_stress_that_lasts_as_long_as_the_test_ends_after_so_many_rounds_in_all(target, tmp_path, monkeypatch):
    """The test does not run here. A workgroup also counts the part that it may not begin, unless it made all rounds."""
    monkeypatch.setattr(stress, "ROUNDS_IN_ALL", 3 * stress.ROUNDS_OF_PART)
    launch = LitmusLaunch(read_mapping("chunked"), 2, 3, 4, 1, read_shape("add:1:5:test"))
    choices = {"mapping": "chunked", "instances": 3, "stress": 4, "stress_shape": "add:1:5:test"}
    source = source_of(target, telling(2), **choices)
    words = 2 * 3 + launch.stress_shape.words
    found = memory_of_stress(target, launch, words, tmp_path, source)
    assert found[:-1] == [0] * 6 + [3 * 64, 0, 0, 0, 0, 0]
    assert found[-1] in {3 + 3, 3 + 4}


@pytest.mark.full
@pytest.mark.parametrize("target", ["cpp", "metal"])
def test_stress_that_lasts_as_long_as_the_test_ends_with_it(target, tmp_path):
    """With the last of all threads of the test, and not before."""
    launch = LitmusLaunch(read_mapping("chunked"), 2, 3, 1, 1, read_shape("store:1:1:test:2"))
    choices = {"mapping": "chunked", "instances": 3, "stress": 1, "stress_shape": "store:1:1:test:2"}
    source = source_of(target, telling(2), **choices)
    stored, ended, parts = 6, 7, 8
    after = memory_in_order(target, launch, 9, tmp_path, source, [1, 2, 3, 4, 5, 6, 0])
    assert (after[stored], after[ended], after[parts]) == (0, 6, 0)
    between = memory_in_order(target, launch, 9, tmp_path, source, [1, 2, 3, 4, 5, 0, 6])
    rounds = stress.ROUNDS_IN_ALL
    assert (between[stored], between[ended], between[parts]) == (rounds - 1, 6, rounds // stress.ROUNDS_OF_PART)
