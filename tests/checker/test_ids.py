"""Test sets of ids in the core: they act as a sorted Python set of strings, and chunks give the same decisions."""

import itertools
import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import brute
import strategies
from quick import examples, mostly_full
from synth_checker import _native, chunks
from synth_checker.chunks import in_chunks
from synth_checker.errors import InputError, LimitError
from synth_checker.models import library, models_named
from synth_checker.programs.ids import Ids, collect_ids, least_of_orbits, lines_of
from synth_checker.programs.normal import id_of, program_of_id, written_out
from synth_checker.programs.program import Program
from synth_checker.programs.rules import broken_rules, first_broken, rule_mask, rule_names
from synth_checker.verdicts import judge, judge_all

any_id = strategies.programs(threads=(1, 4), instructions=(1, 12), locations=36, values=36).map(written_out)
small_id = strategies.waiting_programs().map(written_out)


def random_id(draw):
    """Of one to three threads with one to four instructions, of few digits: many are alike, and of several lengths."""

    def thread(size):
        fields = (
            (draw.choice("01z"), draw.choice("0a"), draw.choice("_01"), draw.randint(0, size)) for _ in range(size)
        )
        return "".join(f"{loc}{check}{exch}{target}" for loc, check, exch, target in fields)

    return "-".join(thread(draw.randint(1, 4)) for _ in range(draw.randint(1, 3)))


@st.composite
def lists_of_ids(draw):
    """Some ids, some of them twice."""
    rng = random.Random(draw(st.integers(0, 1 << 32)))
    return [random_id(rng) for _ in range(draw(st.integers(0, 60)))]


@pytest.fixture
def small_chunks(monkeypatch):
    """Few programs make several chunks."""
    monkeypatch.setattr(chunks, "CHUNK", 7)


# --- a set ---


@given(lists_of_ids() | st.lists(any_id, max_size=3))
def test_ids_are_a_sorted_set_of_strings(given_ids):
    expected = sorted(set(given_ids))
    ids = Ids(given_ids)
    assert list(ids) == expected
    assert ids == expected
    assert ids == Ids(expected)
    assert ids != [*expected, "0110"]
    assert len(ids) == len(expected)
    assert [ids[k] for k in range(-len(ids), len(ids))] == [*expected, *expected]
    assert all(id_ in ids and ids.index(id_) == k for k, id_ in enumerate(expected))
    assert ids[1:-1:2] == expected[1:-1:2]
    assert ids[::-1] == list(reversed(ids)) == expected[::-1]


@given(lists_of_ids(), any_id)
def test_a_set_of_ids_contains_just_the_given_ids(given_ids, other):
    ids = Ids(given_ids)
    assert (other in ids) == (other in given_ids)
    assert all((id_[:-1] in ids, f"{id_}0" in ids) == (False, False) for id_ in given_ids)
    assert not any(what in ids for what in ("", "\x00", "\ud800", "ä", None, 7))


@mostly_full("seed", range(20), quick=5)
def test_many_ids_of_several_lengths_are_sorted_and_each_kept_once(seed):
    draw = random.Random(seed)
    groups = [[random_id(draw) for _ in range(draw.choice((0, 1, 30, 3000)))] for _ in range(4)]
    packed = Ids(groups[0])
    assert Ids(collect_ids(packed, *groups[1:])) == sorted(set().union(*groups))
    assert packed == sorted(set(groups[0]))


@given(lists_of_ids())
def test_splits_are_counted_by_the_sizes_of_the_threads(given_ids):
    splits = [tuple(len(part) // 4 for part in id_.split("-")) for id_ in set(given_ids)]
    assert Ids(given_ids).packed.splits() == {sizes: splits.count(sizes) for sizes in splits}


def test_a_place_outside_a_set_of_ids_is_an_index_error():
    packed = Ids(["0110", "00_0"]).packed
    with pytest.raises(IndexError):
        Ids(["0110"])[1]
    for call in (packed.lines, lambda *ends: packed.first_broken(*ends, 0), lambda *ends: packed.verdicts([], *ends)):
        for ends in ((0, 3), (2, 1), (3, 3)):
            with pytest.raises(IndexError):
                call(*ends)
    with pytest.raises(TypeError):
        packed.lines(-1, 1)


@given(st.binary(max_size=30) | st.text("0_-z\n", max_size=30).map(str.encode))
def test_any_bytes_are_ids_or_refused(lines):
    *ids, rest = lines.decode("latin-1").split("\n")
    collector = _native.IdCollector()
    if not rest and all(map(is_id, ids)):
        collector.add(lines)
    else:
        with pytest.raises(InputError):
            collector.add(lines)
        ids = list(itertools.takewhile(is_id, ids))
    assert Ids(collector) == sorted(set(ids))


def is_id(text):
    try:
        return bool(program_of_id(text))
    except InputError:
        return False


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ("", InputError, "found an empty line, expected an id"),
        ("0002", InputError, "id '0002': instruction 0: found target 2, expected 0 to 1"),
        ("0110\n00_0", InputError, r"id '0110\\n00_0': found a line end in it"),
        ("\ud800", InputError, "id .*: expected four digits"),
        ("0110" * 36, LimitError, "found 36 instructions, expected at most 35"),
    ],
)
def test_what_is_no_id_is_refused_in_one_line(wrong, error, message):
    with pytest.raises(error, match=message):
        Ids(["00_0", wrong])


def test_a_line_that_is_not_ended_is_refused():
    collector = _native.IdCollector()
    with pytest.raises(InputError, match="id '0110': expected a line end after it"):
        collector.add(b"00_0\n0110")
    assert Ids(collector) == ["00_0"]
    assert Ids(collector) == []  # they were taken


# --- chunk by chunk ---


@pytest.mark.parametrize("jobs", [1, 2, 5])
@pytest.mark.parametrize("size", [0, 1, 7, 8, 100])
@pytest.mark.usefixtures("small_chunks")
def test_chunks_come_whole_and_in_their_order_whatever_the_jobs(size, jobs):
    chunks = list(in_chunks(lambda first, last: (first, last), size, jobs))
    assert chunks == [(first, min(first + 7, size)) for first in range(0, size, 7)]


@pytest.mark.parametrize("jobs", [1, 3])
@pytest.mark.usefixtures("small_chunks")
def test_what_a_chunk_raises_is_raised_and_nothing_more_is_begun(jobs):
    begun = []

    def work(first, last):
        begun.append(first)
        if first == 14:
            raise ZeroDivisionError
        return last

    with pytest.raises(ZeroDivisionError):
        list(in_chunks(work, 700, jobs))
    assert len(begun) < 3 + 3 * jobs


@pytest.mark.parametrize("jobs", [1, 2])
@settings(max_examples=examples(20))
@given(st.lists(small_id, max_size=12))
def test_a_large_set_is_judged_as_a_list_is(jobs, given_ids):
    ids = Ids(given_ids)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(chunks, "CHUNK", 3)
        for models in (library(), models_named(["OBE"]), ()):
            passes = judge_all(ids, models, jobs=jobs)
            expected = judge(list(ids), models)
            assert list(passes) == passes[:] == expected
            assert passes.counts() == {mask: expected.count(mask) for mask in expected}


def test_more_signatures_than_there_is_room_for_are_refused():
    signatures = _native.Signatures(70_000)
    signatures.append(b"".join(mask.to_bytes(8, "little") for mask in range(65_536)))
    with pytest.raises(LimitError, match="more than 65536 different signatures"):
        signatures.append(b"\xff" * 8)
    with pytest.raises(InputError, match=r"found \d+ bytes, expected 8 bytes for each number"):
        signatures.append(b"1234567")
    signatures.append(bytes(8 * (70_000 - len(signatures))))
    with pytest.raises(InputError, match="more tests than were announced"):
        signatures.append(bytes(8))


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_judge_for_another_number_of_threads_is_not_used(jobs):
    ids = Ids(["0110-00_0"])
    judge_of_three = _native.Judge(3, [], [])
    for judges in ([], [judge_of_three] * jobs):
        with pytest.raises(InputError, match="found a program with 2 threads, expected a number of threads for which"):
            ids.packed.verdicts(judges, 0, 1)


@settings(max_examples=examples(40))
@given(st.lists(small_id, max_size=12), st.sampled_from([(), ("all-branches",), ("effective-stores", "all-branches")]))
def test_the_first_program_that_breaks_a_rule_is_found(given_ids, without):
    ids = Ids(given_ids)
    broken = [mask & ~rule_mask(without) for mask in broken_rules(list(ids))]
    expected = next(((id_, rule_names(mask)) for id_, mask in zip(ids, broken, strict=True) if mask), None)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(chunks, "CHUNK", 3)
        assert first_broken(ids, without, jobs=2) == expected


@pytest.mark.usefixtures("small_chunks")
@mostly_full("bound", [(2, 2), (3, 3)])
def test_of_each_orbit_the_least_is_kept(bound):
    everything = list(map(program_of_id, brute.ids(*bound)))
    orbits = ([Program(program[k] for k in order) for order in orders(len(program))] for program in everything)
    least = {min(map(id_of, orbit)) for orbit in orbits}
    assert least_of_orbits(Ids(map(written_out, everything)), keep_store_checks=False, jobs=2) == sorted(least)


def orders(threads):
    """All permutations of the threads."""
    if not threads:
        return [()]
    return [(*order[:k], threads - 1, *order[k:]) for order in orders(threads - 1) for k in range(threads)]


# --- lines ---


@given(st.lists(st.binary(min_size=1, max_size=3).map(lambda text: text.replace(b"\n", b"?") + b"\n")), st.binary())
def test_rising_lines_are_counted_up_to_the_first_that_does_not_rise(lines, last):
    rising = 0
    for before, line in zip([last, *lines], lines, strict=False):
        if line <= before:
            break
        rising += 1
    assert _native.rising_lines(b"".join(lines), last) == (rising, rising == len(lines))
    if rising == len(lines):
        assert _native.rising_lines(b"".join(lines) + b"\xff", last) == (rising, False)


@given(
    st.lists(st.tuples(st.text("01-_A", max_size=2), st.sampled_from(['"', '"?', "", "?"]))), st.text("01", max_size=1)
)
def test_ids_of_lines_rise_where_a_pattern_and_a_sort_say_so(parts, last):
    lines = [f"<{id_}{rest}\n" for id_, rest in parts]
    matches = [re.match(r'<([0-9a-z_-]+)"', line) for line in lines]
    ids = [last, *(match[1] for match in matches if match)]
    rise = all(matches) and all(identifier < other for identifier, other in itertools.pairwise(ids))
    assert _native.ids_rise("".join(lines).encode(), b"<", last.encode()) == rise
    if lines:
        assert not _native.ids_rise("".join(lines).encode()[:-1], b"<", last.encode())


@settings(max_examples=examples(240))
@given(
    st.lists(st.sampled_from([b"a\n", b"b\n", b"ab\n"])), st.lists(st.sampled_from([b"a\n", b"ab\n", b"a"])), st.data()
)
def test_lines_are_common_as_far_as_they_are_equal(first, other, data):
    at, other_at = (data.draw(st.integers(0, len(lines))) for lines in (first, other))
    same = 0
    for a, b in zip(first[at:], other[other_at:], strict=False):
        if a != b:
            break
        same += len(a)
    texts = [b"".join(first), len(b"".join(first[:at])), b"".join(other), len(b"".join(other[:other_at]))]
    if b"a" not in other:  # an unended line in the middle makes other lines of what follows
        assert _native.common_lines(*texts) == same


@given(st.binary())
def test_lines_are_counted_as_python_counts_them(text):
    lined = text.replace(b"a", b"\n")
    assert _native.ended_lines(lined) == lined.count(b"\n")


def test_a_place_behind_a_text_is_refused():
    with pytest.raises(InputError, match="after the end of the text"):
        _native.common_lines(b"a\n", 3, b"", 0)


def test_ids_are_lines_of_a_batch():
    assert lines_of(["0110", "00_0"]) == b"0110\n00_0\n"
    assert lines_of([]) == b""
