"""Test mappings: each thread of each instance is one workgroup, in order, and compiled code agrees with Python."""

import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synth_backends.expression import C_LIKE
from synth_backends.mapping import KINDS, LANE, LAUNCH, WORKGROUP, LitmusLaunch, read_mapping
from synth_checker.errors import InputError, InternalError, LimitError

WORDS = [
    "round-robin",
    "chunked",
    "hybrid",
    "hybrid:1",
    "hybrid:3",
    "random",
    "random:7",
    "random:7+",
    "stride",
    "stride:1",
    "stride:5",
]


def places(launch, number=0):
    return [launch.place(workgroup, launch=number) for workgroup in range(launch.threads * launch.instances)]


def launches():
    """Launches of all kinds; the plain one has one instance."""
    many = st.builds(LitmusLaunch, st.sampled_from(WORDS).map(read_mapping), st.integers(1, 6), st.integers(1, 60))
    single = st.builds(LitmusLaunch, st.just(read_mapping("plain")), st.integers(1, 6), st.just(1))
    parameters = st.builds("{}:{}".format, st.sampled_from(["hybrid", "random", "stride"]), st.integers(1, 70))
    return many | single | st.builds(LitmusLaunch, parameters.map(read_mapping), st.integers(1, 6), st.integers(1, 60))


@settings(max_examples=60)
@given(launches())
def test_every_thread_of_every_instance_is_exactly_one_workgroup(launch):
    expected = [(instance, thread) for instance in range(launch.instances) for thread in range(launch.threads)]
    assert sorted(places(launch)) == expected


@given(launches())
def test_ids_rise_within_an_instance(launch):
    threads = {}
    for instance, thread in places(launch):
        threads.setdefault(instance, []).append(thread)
    assert all(found == list(range(launch.threads)) for found in threads.values())


@pytest.mark.parametrize("word", KINDS)
def test_large_launches_stay_in_32_bits(word):
    """`place` raises where they don't."""
    for threads in (1, 2, 7):
        mapping = read_mapping(word)
        launch = LitmusLaunch(mapping, threads, 1 if word == "plain" else 65_535, width=mapping.lanes(threads))
        step = max(1, launch.workgroups // 500)
        some = [launch.place(workgroup) for workgroup in range(0, launch.workgroups, step)]
        assert len(set(some)) == len(some)


@pytest.mark.parametrize("word", [*KINDS, "random:7+"])
def test_names_are_defined_once_and_are_none_of_those_that_code_has_already(word):
    mapping = read_mapping(word)
    launch = LitmusLaunch(mapping, 3, 1 if word == "plain" else 20, width=max(4, mapping.lanes(3)))
    names = [name for name, _ in launch.definitions] + [WORKGROUP.name, LANE.name, LAUNCH.name]
    assert len(set(names)) == len(names)


def test_the_paper_s_mappings_are_those_of_its_section_6_1():
    n, m = 3, 5
    round_robin, chunked = (places(LitmusLaunch(read_mapping(word), n, m)) for word in ("round-robin", "chunked"))
    assert all(round_robin[n * instance + i] == (instance, i) for instance in range(m) for i in range(n))
    assert all(chunked[m * i + instance] == (instance, i) for instance in range(m) for i in range(n))
    assert places(LitmusLaunch(read_mapping("plain"), n, 1)) == [(0, 0), (0, 1), (0, 2)]


def test_hybrid_has_its_first_threads_side_by_side_and_the_others_in_chunks():
    found = places(LitmusLaunch(read_mapping("hybrid:2"), 4, 3))
    assert found[:6] == [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]
    assert found[6:] == [(0, 2), (1, 2), (2, 2), (0, 3), (1, 3), (2, 3)]


@given(st.integers(1, 5), st.integers(1, 50), st.integers(1, 20))
def test_the_threads_of_an_instance_are_a_stride_apart(threads, blocks, stride):
    found = places(LitmusLaunch(read_mapping(f"stride:{stride}"), threads, blocks * stride))
    at = {place: workgroup for workgroup, place in enumerate(found)}
    assert all(at[instance, thread] == at[instance, 0] + thread * stride for instance, thread in at)


def test_stride_goes_from_round_robin_to_chunked():
    by_one, whole = (places(LitmusLaunch(read_mapping(f"stride:{s}"), 3, 10)) for s in (1, 10))
    assert by_one == places(LitmusLaunch(read_mapping("round-robin"), 3, 10))
    assert whole == places(LitmusLaunch(read_mapping("chunked"), 3, 10))


def test_random_launches_differ_by_seed_and_are_nowhere_regular():
    launch, same, other = (places(LitmusLaunch(read_mapping(f"random:{seed}"), 2, 1000)) for seed in (1, 1, 2))
    assert launch == same != other
    first, second = {}, {}
    for workgroup, (instance, thread) in enumerate(launch):
        (second if thread else first)[instance] = workgroup
    distances = [second[instance] - first[instance] for instance in range(1000)]
    assert len(set(distances)) > 400
    # Of two random places among 2000 the mean distance is a third of them.
    assert 500 < sum(distances) / 1000 < 850


@given(st.integers(0, 99), st.integers(1, 5), st.integers(1, 40), st.integers(0, 10**8))
def test_each_launch_is_a_permutation_in_which_ids_rise(seed, threads, instances, number):
    launch = LitmusLaunch(read_mapping(f"random:{seed}+"), threads, instances)
    found = places(launch, number)
    assert sorted(found) == [(instance, thread) for instance in range(instances) for thread in range(threads)]
    for place in range(instances):
        assert [thread for instance, thread in found if instance == place] == list(range(threads))


@pytest.mark.full
def test_launches_differ_and_an_instance_gets_many_places():
    """The first launch is that of the same seed without the +. The others are apart from it and from each other."""
    launch = LitmusLaunch(read_mapping("random:3+"), 2, 100)
    assert places(launch) == places(LitmusLaunch(read_mapping("random:3"), 2, 100))
    found = [tuple(places(launch, number)) for number in range(50)]
    assert len(set(found)) == 50
    of_first = {tuple(w for w, (instance, _) in enumerate(of_launch) if instance == 0) for of_launch in found}
    assert len(of_first) == 50
    assert len({later - earlier for earlier, later in of_first}) > 30


def test_numbers_of_launches_stay_in_32_bits():
    launch = LitmusLaunch(read_mapping("random:7+"), 7, 65_535)
    for number in (0, 65_534, 100_999_999):
        some = [launch.place(workgroup, launch=number) for workgroup in range(0, launch.workgroups, 997)]
        assert len(set(some)) == len(some)


def cases():
    for word in ("plain", *WORDS):
        for threads, instances in ((1, 1), (2, 1), (2, 3), (3, 32), (4, 33), (3, 21_845), (6, 5000)):
            if word != "plain" or instances == 1:
                yield LitmusLaunch(read_mapping(word), threads, instances)


@pytest.mark.full
def test_the_compiled_code_says_what_python_says(tmp_path):
    """g++ is given a function for each launch; a sample of workgroups of each, the first and the last among them."""
    functions, calls, expected = [], [], []
    for number, launch in enumerate(cases()):
        body = "\n    ".join(launch.spelt(C_LIKE))
        head = f"void f{number}(unsigned workgroup, [[maybe_unused]] unsigned launch)"
        functions.append(f'{head} {{\n    {body}\n    std::printf("%u %u\\n", instance, thread);\n}}\n')
        size = launch.threads * launch.instances
        for workgroup in sorted({*range(0, size, max(1, size // 50)), size - 1}):
            calls.append(f"    f{number}({workgroup}u, {number}u);\n")
            expected.append("{} {}".format(*launch.place(workgroup, launch=number)))
    source = "#include <cstdio>\n" + "".join(functions) + "int main() {\n" + "".join(calls) + "}\n"
    (tmp_path / "f.cpp").write_text(source)
    compiled = ["g++", "-std=c++20", "-O1", "-Wall", "-Wextra", "-Werror", "-o", "f", "f.cpp"]
    subprocess.run(compiled, cwd=tmp_path, check=True, timeout=60)
    run = subprocess.run([tmp_path / "f"], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines() == expected


@pytest.mark.parametrize(
    ("word", "name", "parameter"),
    [
        ("plain", "plain", 0),
        ("hybrid", "hybrid:2", 2),
        ("hybrid:03", "hybrid:3", 3),
        ("random", "random:0", 0),
        ("random:07+", "random:7+", 7),
        ("stride:65535", "stride:65535", 65_535),
    ],
)
def test_a_word_names_a_mapping(word, name, parameter):
    mapping = read_mapping(word)
    assert (mapping.name, mapping.parameter) == (name, parameter)
    assert read_mapping(name) == mapping


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("chuncked", "mapping: found 'chuncked' (did you mean chunked?), expected one of plain, round-robin, "),
        (
            "",
            "mapping: found an empty word (from a comma too many, or a variable that is not set?), expected one of",
        ),
        ("new\nline", "mapping: found 'new\\nline', expected one of plain"),
        ("plain:1", "mapping 'plain:1': this mapping takes no parameter; write only plain"),
        ("hybrid:0", "mapping 'hybrid:0': expected hybrid:K with K from 1 to 65535"),
        ("hybrid:", "mapping 'hybrid:': expected hybrid:K with K from 1 to 65535"),
        ("random:-1", "mapping 'random:-1': expected random:SEED with SEED from 0 to 65535"),
        ("random:+", "mapping 'random:+': expected random:SEED"),
        ("stride:3+", "mapping 'stride:3+': expected stride:S"),
        ("stride:65536", "mapping 'stride:65536': expected stride:S with S from 1 to 65535"),
        ("stride:٣", "mapping 'stride:٣': expected stride:S"),
    ],
)
def test_a_wrong_word_is_one_line(word, message):
    with pytest.raises(InputError) as error:
        read_mapping(word)
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


def test_more_instances_than_the_arithmetic_takes_are_refused():
    LitmusLaunch(read_mapping("random"), 2, 65_535)
    with pytest.raises(LimitError, match="mapping random:0: found 65536 instances, expected at most 65535"):
        LitmusLaunch(read_mapping("random"), 2, 65_536)


@given(st.sampled_from(["invocations", "subgroups:2", "subgroups:5"]), st.integers(1, 5), st.integers(1, 9))
def test_every_thread_of_an_instance_is_a_lane_of_one_workgroup(word, threads, instances):
    mapping = read_mapping(word)
    launch = LitmusLaunch(mapping, threads, instances, width=mapping.lanes(threads) + 3)
    assert launch.workgroups == instances
    for workgroup in range(instances):
        busy = [lane for lane in range(launch.width) if not launch.is_idle(lane)]
        assert busy == [mapping.apart * thread for thread in range(threads)]
        assert [launch.place(workgroup, lane) for lane in busy] == [(workgroup, thread) for thread in range(threads)]


def test_workgroups_with_too_few_lanes_and_lanes_that_are_idle_are_refused():
    with pytest.raises(InternalError, match="found width 127, expected at least 128"):
        LitmusLaunch(read_mapping("subgroups"), 2, 1, width=127)
    launch = LitmusLaunch(read_mapping("subgroups"), 2, 1, width=128)
    for lane in (1, 63, 65, 128):
        with pytest.raises(InternalError, match=f"found lane {lane} of workgroup 0"):
            launch.place(0, lane)


@pytest.mark.parametrize("workgroup", [-1, 6])
def test_there_are_no_other_workgroups(workgroup):
    with pytest.raises(InternalError):
        LitmusLaunch(read_mapping("chunked"), 2, 3).place(workgroup)
