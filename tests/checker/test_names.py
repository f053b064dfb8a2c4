"""Test names of tests: they are the same everywhere, and in a corpus each name belongs to one test."""

import itertools
import re
from collections import Counter
from importlib.resources import files

import pytest

from bounds import ids_of
from quick import mostly_full
from synth_checker import names as module
from synth_checker.errors import InputError
from synth_checker.idioms import idiom_of
from synth_checker.names import name_of, names, names_among

LISTS = {kind: (files("synth_checker.names") / f"{kind}.txt").read_text().split() for kind in ("adjectives", "nouns")}


@pytest.mark.parametrize("kind", LISTS)
def test_a_byte_chooses_a_word(kind):
    words = LISTS[kind]
    assert len(words) == len(set(words)) == 256
    assert words == sorted(words)
    assert all(re.fullmatch("[a-z]{2,8}", word) for word in words)


def test_no_word_is_in_both_lists():
    assert not set(LISTS["adjectives"]) & set(LISTS["nouns"])


def test_names_never_change():
    """They are written into corpora and papers."""
    assert name_of("01100002-01100002") == "mutex-strong-sugar"
    assert name_of("0000-00100010") == "1+2-tall-jewel"
    assert name_of("0000-0000-0011") == "1+1+1-hasty-flower"


@mostly_full("bound", ["2x2", "2x3", "2x4", "3x3", "3x4"], quick=3)
def test_in_a_corpus_no_two_tests_have_one_name(bound):
    names_of_ids = names(ids_of(bound))
    assert list(names_of_ids) == list(ids_of(bound))
    assert len(set(names_of_ids.values())) == len(names_of_ids)
    short = Counter(name_of(id_) for id_ in names_of_ids)
    for id_, name in names_of_ids.items():
        assert name == name_of(id_, 2 if short[name_of(id_)] == 1 else 3)


def test_names_do_not_depend_on_the_order_of_the_tests():
    ids = ids_of("2x4")
    assert names(reversed(ids)) == names(ids) == names([*ids, *ids[:10]])


def test_a_name_among_others_is_that_of_all_together():
    ids = ids_of("2x4")
    together = names(ids)
    longer = [id_ for id_, name in together.items() if name != name_of(id_)]
    for chosen in (longer[:5], ids[::100], []):
        assert names_among(chosen, ids) == {id_: together[id_] for id_ in chosen}
    assert names_among(longer[:1], []) == {longer[0]: name_of(longer[0])}


def test_more_words_are_added_until_names_differ(monkeypatch):
    """With one word in each list but the nouns, of which there are two."""
    monkeypatch.setattr(module, "_adjectives", lambda: ("able",) * 256)
    monkeypatch.setattr(module, "_nouns", lambda: ("acorn", "almond") * 128)
    ids = ids_of("2x3")
    names_of_ids = names(ids)
    assert len(set(names_of_ids.values())) == len(ids)
    for first, other in itertools.combinations(names_of_ids.values(), 2):
        assert not (first + "-").startswith(other + "-")


def test_a_name_says_the_idiom_or_the_split():
    for id_ in ids_of("2x3"):
        assert name_of(id_).startswith(f"{idiom_of(id_) or '+'.join(str(len(t) // 4) for t in id_.split('-'))}-")


def test_what_is_no_id_has_no_name():
    with pytest.raises(InputError, match="'x'"):
        name_of("x")
