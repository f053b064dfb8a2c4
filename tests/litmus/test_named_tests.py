"""Test finding a test by its name, an alias, or the beginning of one of them or of its id."""

import json
from itertools import islice

import pytest

import corpora
from quick import mostly_full
from synth_checker.errors import InputError
from synth_checker.names import name_of, names
from synth_checker.programs.id_layout import ID_PATTERN
from synth_checker.programs.normal import program_of_id
from synth_corpus.shipped import NAMES, locate_corpus
from synth_corpus.store import Corpus
from synth_litmus.inputs.named_tests import NamedTest, named_test, names_of
from synth_litmus.inputs.programs import given_program

MUTEX = "01100002-01100002"
#: Two tests that ship, in different corpora, and of which two words are the same.
ALIKE, OTHER = "000000030110-0010", "011301010101-0010"


def ids_in(name):
    return [json.loads(line)["id"] for line in Corpus(locate_corpus(name)).lines()]


def names_in(name):
    return names_of(ids_in(name), name)


@mostly_full("corpus", NAMES, quick=2)
def test_each_test_is_found_by_its_name_in_its_corpus(corpus):
    found = names_in(corpus)
    assert list(found) == ids_in(corpus)
    assert len(set(found.values())) == len(found)
    for id_, name in islice(found.items(), 0, None, max(1, len(found) // 2)):
        assert named_test(name, corpus) == NamedTest(id_, name)


@pytest.mark.parametrize(
    ("word", "id_"),
    [
        ("mutex-strong-sugar", MUTEX),
        ("mutex", MUTEX),
        ("barrier", "001110_1-101100_1"),
        ("01100002-0110000", MUTEX),
        ("0000-00100010", "0000-00100010"),
    ],
)
def test_without_a_corpus_those_that_ship_are_searched(word, id_):
    assert given_program(word).program == program_of_id(id_)


@pytest.mark.full
def test_each_test_that_ships_has_one_name_in_all_corpora():
    every = {id_ for name in NAMES for id_ in ids_in(name)}
    found = names_of(every)
    assert len(set(found.values())) == len(every)
    assert found == names(every)
    for corpus in NAMES:
        assert names_in(corpus).items() <= found.items()


def test_what_show_calls_a_test_finds_it(synth):
    assert name_of(ALIKE) == name_of(OTHER)
    for words in ((ALIKE,), (ALIKE, "--corpus", "@complete/2x4")):
        name = json.loads(synth("show", *words, "--json").out)["called"]
        assert name.startswith(f"{name_of(ALIKE)}-")
        assert given_program(name).program == program_of_id(ALIKE)


def test_a_test_of_no_corpus_is_not_called_what_another_is(tmp_path):
    corpora.write(tmp_path / "corpus", corpora.of({OTHER: (1, {})}))
    called = names_of([ALIKE, MUTEX], tmp_path / "corpus")
    assert called == {ALIKE: names([ALIKE, OTHER])[ALIKE], MUTEX: name_of(MUTEX)}


@pytest.mark.parametrize(("word", "id_"), [("mute", MUTEX), ("barr", "001110_1-101100_1")])
def test_a_word_that_looks_like_an_id_may_begin_a_name(word, id_):
    assert ID_PATTERN.fullmatch(word)
    assert given_program(word).program == program_of_id(id_)


def test_where_a_word_is_neither_id_nor_beginning_both_are_told():
    with pytest.raises(InputError) as raised:
        given_program("nope")
    assert str(raised.value).startswith(
        "nope: there is no such file, and no test of that name in the corpora that ship; "
    )
    assert str(raised.value).endswith("; as an id 'nope': instruction 0: found target 14, expected 0 to 1 (the end)")


def test_in_a_corpus_aliases_are_names(tmp_path):
    tests = {"00_0-0011": (0, {"aliases": ["2t_2i/4", "decreasing"]}), MUTEX: (1, {"aliases": ["2t_4i/1"]})}
    corpora.write(tmp_path / "corpus", corpora.of(tests | {"0011-00_0": (0, {})}))
    for word in ("2t_2i/4", "decreasing", "00_0-", name_of("00_0-0011")):
        assert named_test(word, tmp_path / "corpus").id == "00_0-0011"
    with pytest.raises(InputError, match=r"2t_2i/5: there is no such file, and no test of that name in .*corpus"):
        named_test("2t_2i/5", tmp_path / "corpus")


def test_an_alias_that_is_no_list_is_none(tmp_path):
    corpora.write(tmp_path / "corpus", corpora.of({MUTEX: (1, {"aliases": "lock"})}))
    with pytest.raises(InputError, match="no test of that name"):
        named_test("ock", tmp_path / "corpus")


def test_what_is_called_so_goes_before_what_only_begins_so(tmp_path):
    tests = {"00_0-0011": (0, {"aliases": ["01"]}), MUTEX: (1, {})}
    corpora.write(tmp_path / "corpus", corpora.of(tests))
    assert named_test("01", tmp_path / "corpus").id == "00_0-0011"
    assert named_test("011", tmp_path / "corpus").id == MUTEX


@pytest.mark.full
def test_where_two_words_collide_the_third_tells_and_without_it_both_are_listed():
    longer = [name for name in names_in("@complete/2x4").values() if name.startswith("2+2-") and name.count("-") == 3]
    both = next(name.rpartition("-")[0] for name in longer)
    colliding = {name for name in longer if name.startswith(f"{both}-")}
    assert len(colliding) > 1
    for word in (both, f"{both}-"):
        with pytest.raises(InputError, match="write one name or id in full") as raised:
            named_test(word)
        assert all(name in str(raised.value) for name in colliding)
    assert {named_test(name).name for name in colliding} == colliding


def test_an_ambiguous_word_is_one_line_that_lists_a_few():
    told = [f"{id_} ({name})" for id_, name in names_in("@complete/2x4").items() if id_.startswith("00_")]
    listed, more = ", ".join(told[:4]), len(told) - 4
    with pytest.raises(InputError) as raised:
        given_program("00_", "@complete/2x4")
    assert str(raised.value) == (
        f"00_: found {len(told)} tests in @complete/2x4 that this word could name: {listed} and {more} more; "
        "write one name or id in full"
    )


def test_an_id_is_never_looked_up(tmp_path):
    assert given_program("00_0", str(tmp_path / "nowhere")).program == program_of_id("00_0")
    with pytest.raises(InputError, match=r"nowhere: there is no manifest\.json"):
        given_program("00_", str(tmp_path / "nowhere"))


@pytest.mark.parametrize("command", ["show", "check"])
def test_commands_take_names(synth, command):
    (by_name, by_id) = (synth(command, word, "--json") for word in ("mutex-strong-sugar", MUTEX))
    assert by_name.code == 0
    assert json.loads(by_name.out) | {"name": None} == json.loads(by_id.out)
    assert json.loads(by_name.out)["name"] == "mutex-strong-sugar"


def test_emit_takes_names_of_a_corpus(synth, tmp_path):
    corpora.write(tmp_path / "my.corpus", corpora.of({MUTEX: (1, {"aliases": ["2t_4i/1"]})}))
    ran = synth("emit", "--target", "cpp", "2t_4i/1", "--corpus", "my.corpus", "--out", "made")
    assert ran.code == 0
    assert (tmp_path / "made" / f"test-{MUTEX}.cpp").is_file()


@pytest.mark.full
def test_show_calls_a_test_as_its_corpus_does(synth, tmp_path):
    id_, name = next((id_, name) for id_, name in names_in("@complete/2x4").items() if name != name_of(id_))
    for words in ((id_,), (name,), (id_, "--corpus", "@complete/2x4"), (id_, "--corpus", "@complete/2x2")):
        assert f"\ncalled {name}\n" in synth("show", *words).out
    corpora.write(tmp_path / "my.corpus", corpora.of({id_: (1, {})}))
    assert f"\ncalled {name_of(id_)}\n" in synth("show", id_, "--corpus", "my.corpus").out
