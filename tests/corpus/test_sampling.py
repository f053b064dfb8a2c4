"""Test samples: their shares add up, equal seeds give equal samples, and filters agree with simple ones."""

import json
import re
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corpora
from synth_checker.errors import InputError
from synth_checker.question import parse_bounds
from synth_corpus.sample import sample, shares
from synth_corpus.selection import Selection
from synth_corpus.store import Corpus

COUNTS = st.dictionaries(st.text("pf", min_size=1, max_size=4), st.integers(1, 50), min_size=1)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("it") / "it"
    tests = {line.split('"')[3]: (number % 7, {}) for number, line in enumerate(corpora.some(300))}
    tests["0000-0010"] = (1, {"aliases": ["2t_2i/1", "spin"], "idiom": "mutex"})  # which it is not
    corpora.write(folder, corpora.of(tests))
    return Corpus(folder)


def signatures(lines):
    return Counter(tuple(json.loads(line)["verdicts"].values()) for line in lines)


# Samples


@given(COUNTS, st.integers(0, 200))
def test_shares_are_as_many_as_asked_for_in_proportion_and_none_empty_where_that_can_be(counts, size):
    found, total = shares(counts, size), sum(counts.values())
    assert sum(found.values()) == min(size, total)
    assert all(found[name] <= counts[name] for name in counts)
    if size >= len(counts):
        assert all(found.values())
    least = 1 if size >= len(counts) else 0
    over = total - least * len(counts)
    for name, count in counts.items():
        exact = Fraction((min(size, total) - least * len(counts)) * (count - least), over or 1)
        assert abs(found[name] - least - exact) < 1


@pytest.mark.parametrize("size", [0, 1, 6, 20, 299, 301, 1000])
def test_a_sample_is_of_so_many_different_records_in_order_with_the_shares_of_their_signatures(corpus, size):
    every, found = [
        list(lines) for lines in (corpus.lines(), (f"{line.decode()}\n" for line in sample(corpus, size, 1)))
    ]
    assert len(found) == min(size, len(every))
    assert found == sorted(set(found) & set(every))
    counts = {str(name): count for name, count in signatures(every).items()}
    drawn = {str(name): count for name, count in signatures(found).items()}
    assert Counter(drawn) == Counter({name: share for name, share in shares(counts, size).items() if share})


def test_the_same_seed_gives_the_same_sample_and_another_another(corpus):
    assert list(sample(corpus, 20, 1)) == list(sample(corpus, 20, 1))
    assert list(sample(corpus, 20, 1)) != list(sample(corpus, 20, 2))


# Filters


def fails_both(record):
    return record["verdicts"]["unfair"] == record["verdicts"]["HSA.weak"] == "fail"


def of_2x2(record):
    return len(record["threads"]) == 2 and sum(map(len, record["threads"])) == 2


@pytest.mark.parametrize(
    ("selection", "plain"),
    [
        (Selection(), lambda _: True),
        (Selection(passes=frozenset({"unfair"})), lambda r: r["verdicts"]["unfair"] == "pass"),
        (Selection(fails=frozenset({"unfair", "HSA.weak"})), fails_both),
        (Selection(signature="p.f........"), lambda r: re.match("p.f", "".join(v[0] for v in r["verdicts"].values()))),
        (Selection(bounds=frozenset(parse_bounds(["2x2"]))), of_2x2),
        (Selection(bounds=frozenset(parse_bounds(["3x3"]))), lambda _: False),
        (Selection(prefix="00_"), lambda r: r["id"].startswith("00_")),
        (Selection(alias="spin"), lambda r: "spin" in r.get("aliases", [])),
        (Selection(idiom="dining-philosophers"), lambda r: r["id"] in {"0010-0100", "0100-0010"}),
        (Selection(idiom="mutex"), lambda _: False),
    ],
)  # fmt: skip
def test_a_selection_is_what_a_plain_filter_finds(corpus, selection, plain):
    found = list(selection.of(corpus))
    assert [f"{line.decode()}\n" for line, _ in found] == [line for line in corpus.lines() if plain(json.loads(line))]
    for line, fields in found:
        record = json.loads(line)
        assert (fields.id, fields.verdicts) == (record["id"], record["verdicts"])


@pytest.mark.parametrize("letters", ["", "p", "pfpfpfpfpfpp", "pfpfpfpfpfx"])
def test_a_signature_has_a_letter_a_verdict(corpus, letters):
    with pytest.raises(InputError, match=r"expected 11 letters: p, f, or \. for either"):
        list(Selection(signature=letters).of(corpus))


def test_a_verdict_that_the_corpus_has_not_is_told(corpus):
    with pytest.raises(InputError, match=r"it: this corpus has no verdict fair, expected one of unfair, HSA\.weak"):
        Selection(passes=frozenset({"fair"})).of(corpus)
