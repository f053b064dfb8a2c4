"""Test merging several corpora: the result has the tests of a dict of all, or a refusal says why not."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corpora
from synth_checker.errors import InputError
from synth_checker.question import Question, parse_bounds
from synth_corpus.merge import merge
from synth_corpus.store import RECORDS, Corpus
from synth_corpus.verification import faults
from synth_search.enumeration.every_test import enumerate_tests
from synth_search.enumeration.saved import save

IDS = [line.split('"')[3] for line in corpora.some(12)]
#: What every corpus says of a test; which of the keys it says may differ.
SAID = {id_: (number % 2**11, {"idiom": f"of {id_}", "aliases": [id_, f"{id_}/2"]}) for number, id_ in enumerate(IDS)}
SETS = st.dictionaries(st.sampled_from(IDS), st.sets(st.sampled_from(["idiom", "aliases"])))


def said(chosen):
    return {id_: (SAID[id_][0], {key: SAID[id_][1][key] for key in sorted(keys)}) for id_, keys in chosen.items()}


def keys_of(line):
    record = json.loads(line)
    return record["id"], {key: value for key, value in record.items() if key not in {"id", "threads", "verdicts"}}


@pytest.mark.full
@given(st.lists(SETS, min_size=1, max_size=4))
def test_the_result_is_the_union_of_dicts(tmp_path_factory, sets):
    folder = tmp_path_factory.mktemp("merged")
    for number, chosen in enumerate(sets):
        corpora.write(folder / str(number), corpora.of(said(chosen)), complete=False)
    result = merge([Corpus(folder / str(number)) for number in range(len(sets))], folder / "out", dict)
    twin = {id_: set().union(*(chosen.get(id_, set()) for chosen in sets)) for chosen in sets for id_ in chosen}
    lines = list(Corpus(folder / "out").lines())
    assert dict(map(keys_of, lines)) == {id_: more for id_, (_, more) in said(twin).items()}
    plain = corpora.of({id_: (SAID[id_][0], {}) for id_ in twin})
    assert [line.partition('},"')[0].rstrip("}\n") for line in lines] == [line.rstrip("}\n") for line in plain]
    assert result.tests == sum(result.signatures.values()) == sum(result.splits.values()) == len(twin)


def found(folder, bounds, **asked):
    question = Question(parse_bounds([bounds]), **asked)
    save(enumerate_tests(question, jobs=1), folder / question.name)
    return Corpus(folder / question.name)


def test_corpora_of_several_bounds_make_the_corpus_of_them_all(tmp_path):
    parts = [found(tmp_path, bounds) for bounds in ("3x3", "2x2,2x3", "2x2")]
    whole = found(tmp_path, "2x2,2x3,3x3")
    result = merge(parts, tmp_path / "out", lambda: {"tool": "this"})
    assert replace(result, run=whole.manifest.run) == whole.manifest
    assert result.run == {"tool": "this"}
    assert (tmp_path / "out" / RECORDS).read_bytes() == (whole.folder / RECORDS).read_bytes()
    assert list(faults(Corpus(tmp_path / "out"))) == []


def test_the_result_is_complete_only_if_each_bound_is_one_of_a_complete_corpus(tmp_path):
    corpora.write(tmp_path / "whole", corpora.some(3))
    corpora.write(tmp_path / "part", corpora.some(2), complete=False)
    corpora.write(tmp_path / "other", [], complete=False, question=Question(parse_bounds(["2x2"])))
    whole, part, other = (Corpus(tmp_path / name) for name in ("whole", "part", "other"))
    assert merge([whole, part], tmp_path / "out", dict).complete
    assert merge([whole, whole], tmp_path / "both", dict).complete
    assert not merge([part, part], tmp_path / "parts", dict).complete
    assert not merge([whole, other], tmp_path / "bounds", dict).complete


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"question": Question(parse_bounds(["2x4"]), locations=3)}, "found locations: 3; expected 2, as in "),
        ({"question": Question(parse_bounds(["2x4"]), values=3)}, "found values: 3; expected 2, as in "),
        (
            {"question": Question(parse_bounds(["2x4"]), without=("all-branches",))},
            "found dropped rules: all-branches; expected nothing, as in ",
        ),
        (
            {"question": Question(parse_bounds(["2x4"]), models=("OBE",))},
            "found models: OBE; expected unfair, HSA, OBE",
        ),
        (
            {"models": {**corpora.manifest().models, "HSA": "live"}},
            "found the model HSA: live; expected lowest(live), as in ",
        ),
        ({"verdicts": ("unfair",)}, "found verdicts: unfair; expected unfair, HSA.weak, "),
    ],
)
def test_corpora_of_questions_that_differ_in_more_than_bounds_are_refused(tmp_path, changes, told):
    corpora.write(tmp_path / "one", [])
    corpora.write(tmp_path / "other", [], **changes)
    with pytest.raises(InputError) as raised:
        merge([Corpus(tmp_path / "one"), Corpus(tmp_path / "other")], tmp_path / "out", dict)
    assert str(raised.value).startswith(f"{tmp_path / 'other'}: {told}")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("other", "told"),
    [
        ((1, {}), "found the verdicts fail and pass for unfair of the test {}, expected the same in all corpora"),
        (
            (0, {"idiom": "b"}),
            'found the values "a" and "b" of the key idiom for the test {}, expected the same in all corpora',
        ),
    ],
)
def test_corpora_that_contradict_each_other_are_refused_with_the_test_and_its_places(tmp_path, other, told):
    tests = {id_: (0, {"idiom": "a"}) for id_ in IDS}
    corpora.write(tmp_path / "one", corpora.of(tests))
    corpora.write(tmp_path / "other", corpora.of({**tests, IDS[3]: other})[1:], complete=False)
    with pytest.raises(InputError) as raised:
        merge([Corpus(tmp_path / "one"), Corpus(tmp_path / "other")], tmp_path / "out", dict)
    places = f"{tmp_path / 'one' / RECORDS}:4, {tmp_path / 'other' / RECORDS}:3"
    message = str(raised.value)
    assert message.startswith(f"{places}: found ")
    words = {message.removeprefix(f"{places}: ")}
    swapped = told.replace("pass", "P").replace("fail", "pass").replace("P", "fail")
    swapped = swapped.replace('"b"', "B").replace('"a"', '"b"').replace("B", '"a"')
    assert words <= {told.format(IDS[3]), swapped.format(IDS[3])}
    assert not (tmp_path / "out").exists()


def test_a_line_that_is_no_record_is_refused_with_its_place(tmp_path):
    corpora.write(tmp_path / "it", corpora.some(3))
    lines = [line.encode() for line in corpora.some(3)]
    corpora.edit(tmp_path / "it", [lines[0], lines[1].replace(b'"verdicts":', b'"verdicts" :'), lines[2]])
    with pytest.raises(InputError, match=r"tests\.jsonl\.zst:2: found '\{\"id\":.* expected a compact record"):
        merge([Corpus(tmp_path / "it")], tmp_path / "out", dict)
    assert not (tmp_path / "out").exists()


def test_a_corpus_is_replaced_only_by_force_and_then_also_by_what_is_made_of_it(tmp_path):
    corpora.write(tmp_path / "one", corpora.some(3), complete=False)
    corpora.write(tmp_path / "other", corpora.some(5))
    parts = [Corpus(tmp_path / name) for name in ("one", "other")]
    with pytest.raises(InputError, match="found a corpus, expected a new or empty folder"):
        merge(parts, tmp_path / "one", dict)
    merge(parts, tmp_path / "one", dict, force=True)
    assert list(Corpus(tmp_path / "one").lines()) == corpora.some(5)


def test_what_corpora_say_of_a_test_is_put_together_lists_value_by_value(tmp_path):
    said_by = {
        "a": {"aliases": ["1", "2"], "idiom": "spin"},
        "b": {},
        "c": {"aliases": ["2", "3"], "minimal": True},
        "d": {"idiom": "spin", "aliases": []},
    }
    for name, more in said_by.items():
        corpora.write(tmp_path / name, corpora.of({IDS[0]: (5, more)}))
    merge([Corpus(tmp_path / name) for name in said_by], tmp_path / "out", dict)
    (line,) = Corpus(tmp_path / "out").lines()
    _, more = keys_of(line)
    assert sorted(more.pop("aliases")) == ["1", "2", "3"]
    assert more == {"idiom": "spin", "minimal": True}
    assert json.loads(line)["verdicts"] == json.loads(corpora.of({IDS[0]: (5, {})})[0])["verdicts"]


def merged_of(folder, *said_by):
    """What is said of one test by the corpus that is merged of some, each of which says this of it."""
    for number, more in enumerate(said_by):
        corpora.write(folder / str(number), corpora.of({IDS[0]: (5, more)}))
    merge([Corpus(folder / str(number)) for number in range(len(said_by))], folder / "out", dict)
    (line,) = Corpus(folder / "out").lines()
    return keys_of(line)[1]


def test_results_of_several_devices_and_runs_are_put_together(tmp_path):
    first = {"results": {"phone": {"0": {"plain": "P"}}, "desk": {"0": {"plain": "P"}}}}
    other = {"results": {"phone": {"0": {"plain": "P", "round robin": "F (1/20)"}, "7": {"plain": "P"}}}}
    last = {"results": {"board": {}}, "idiom": "spin"}
    assert merged_of(tmp_path, first, other, last) == {
        "idiom": "spin",
        "results": {
            "phone": {"0": {"plain": "P", "round robin": "F (1/20)"}, "7": {"plain": "P"}},
            "desk": {"0": {"plain": "P"}},
            "board": {},
        },
    }


@pytest.mark.parametrize(
    ("first", "other", "key"),
    [
        ({"phone": {"0": {"plain": "P"}}}, {"phone": {"0": {"plain": "F (1/20)"}}}, "results.phone.0.plain"),
        ({"phone": {"0": {}}}, {"phone": {"0": []}}, "results.phone.0"),
        ({"phone": True}, {"phone": 1}, "results.phone"),
    ],
)
def test_results_that_contradict_each_other_are_refused_with_the_test_and_the_key(tmp_path, first, other, key):
    with pytest.raises(InputError) as raised:
        merged_of(tmp_path, {"results": first}, {"results": other})
    places = f"{tmp_path / '0' / RECORDS}:1, {tmp_path / '1' / RECORDS}:1"
    assert str(raised.value).startswith(f"{places}: found ")
    assert f" of the key {key} for the test {IDS[0]}, expected" in str(raised.value)
    assert not (tmp_path / "out").exists()


def test_an_alias_of_two_tests_is_refused_with_both_places(tmp_path):
    corpora.write(tmp_path / "one", corpora.of({IDS[0]: (0, {}), IDS[1]: (0, {"aliases": ["a", "b"]})}), complete=False)
    corpora.write(tmp_path / "other", corpora.of({IDS[2]: (0, {"aliases": ["c", "b"]})}), complete=False)
    with pytest.raises(InputError) as raised:
        merge([Corpus(tmp_path / "one"), Corpus(tmp_path / "other")], tmp_path / "out", dict)
    assert str(raised.value) == (
        f"{tmp_path / 'other' / RECORDS}:1: the test {IDS[1]} ({tmp_path / 'one' / RECORDS}:2) has the alias 'b', "
        "too; an alias may belong to one test only"
    )
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("old", "new"),
    [('"unfair":"pass"', '"unfair":"flop"'), ('"idiom":"a"', '"idiom":a'), (']],"verdicts":', ']], "verdicts":')],
)
@pytest.mark.parametrize("wrong", [0, 1])
def test_of_two_records_of_a_test_the_wrong_one_is_told_and_its_place(tmp_path, wrong, old, new):
    for number in (0, 1):
        lines = corpora.of({IDS[number]: (0, {}), IDS[2]: (1, {"idiom": "a", "aliases": [str(number)]})})
        corpora.write(tmp_path / str(number), lines, complete=False)
        if number == wrong:
            corpora.edit(tmp_path / str(number), [lines[0].encode(), lines[1].replace(old, new).encode()])
    with pytest.raises(InputError) as raised:
        merge([Corpus(tmp_path / "0"), Corpus(tmp_path / "1")], tmp_path / "out", dict)
    assert str(raised.value).startswith(f"{tmp_path / str(wrong) / RECORDS}:2: found ")


def test_what_only_the_second_manifest_has_is_told_too(tmp_path):
    corpora.write(tmp_path / "one", [])
    corpora.write(tmp_path / "other", [], models={**corpora.manifest().models, "MINE": "live"})
    with pytest.raises(InputError, match="other: found the model MINE: live; expected none, as in "):
        merge([Corpus(tmp_path / "one"), Corpus(tmp_path / "other")], tmp_path / "out", dict)
