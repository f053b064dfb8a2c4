"""The page's program reads the data as it was packed, and refuses data that has changed in any byte."""

import random

import pytest

from synth_corpus.store import Corpus
from synth_explorer.page_data import packed_data

pytestmark = [pytest.mark.full, pytest.mark.command("npm")]


def test_the_page_reads_of_each_test_what_the_corpora_say(under_node):
    given = [Corpus("@complete/2x2"), Corpus("@minimal/3x4"), Corpus("@complete/2x3")]
    [found] = under_node("store", [packed_data(given).replace("\n", "|")])
    assert found["corpora"] == [corpus.name for corpus in given]
    letters = {
        record.id: "".join(result[0] for result in record.verdicts.values()) for corpus in given for record in corpus
    }
    assert dict(found["tests"]) == letters
    assert [id_ for id_, _ in found["tests"]] == sorted(letters)


def test_one_changed_byte_anywhere_is_damage(under_node):
    data = packed_data([Corpus("@complete/2x3")]).replace("\n", "|")
    chance = random.Random(1)
    places = [*range(70), len(data) - 1, *chance.sample(range(len(data)), 200)]
    changed = []
    for place in places:
        other = chance.choice([letter for letter in map(chr, range(32, 127)) if letter != data[place]])
        changed.append(data[:place] + other + data[place + 1 :])
    changed += [data[:-1], data[1:], "", data[: len(data) // 2]]
    assert under_node("store", changed) == ["damaged"] * len(changed)
