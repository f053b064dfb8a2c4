"""Test merges: the result is byte for byte that of an enumeration of all bounds, or nothing is written."""

import functools
import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quick import examples, mostly_full
from synth_checker.errors import InputError
from synth_checker.programs.ids import Ids
from synth_checker.question import Question, parse_bounds
from synth_checker.transitions.behaviour import behaviour_hashes
from synth_corpus.merge import merge
from synth_corpus.store import MANIFEST, RECORDS, Corpus, write_corpus
from synth_corpus.verification import faults
from synth_search.enumeration.every_test import enumerate_tests

BOUNDS = ("1x2", "2x2", "2x3", "3x3")
SYMMETRIC = ("unfair", "OBE", "fair")
KINDS = {
    "all": {},
    "dropped rules": {"without": ("effective-stores", "meaningful-comparisons")},
    "own models": {"models": ("fair", "mine = live & stepped")},
    "minimal": {"minimal": True},
    "behaviour": {"up_to": ("behaviour",)},
    "threads": {"up_to": ("threads",), "models": SYMMETRIC},
    "threads and behaviour": {"up_to": ("threads", "behaviour"), "models": SYMMETRIC},
    "minimal, behaviour": {"minimal": True, "up_to": ("behaviour",)},
    "minimal, threads": {"minimal": True, "up_to": ("threads",), "models": SYMMETRIC},
}


def question(bounds, kind):
    return Question(parse_bounds(bounds), **KINDS[kind])


@functools.cache
def enumerated(asked):
    return enumerate_tests(asked, jobs=1)


def put(folder, found):
    write_corpus(folder, found.records(), found.manifest())
    return Corpus(folder)


def contents(folder):
    """Records and manifest as they are written, but for the run."""
    manifest = replace(Corpus(folder).manifest, run={})
    return (folder / RECORDS).read_bytes(), manifest.to_json()


def merges(given_, out):
    """Whether corpora could be merged."""
    try:
        merge(given_, out, lambda: {"tool": "this"})
    except InputError:
        return False
    return True


SETS = st.sets(st.sampled_from(BOUNDS), min_size=1).map(sorted)


@pytest.mark.full
@settings(max_examples=examples(25))
@given(st.sampled_from(sorted(KINDS)), st.lists(SETS, min_size=1, max_size=3))
def test_a_merge_is_the_enumeration_of_all_bounds_or_is_refused(tmp_path_factory, kind, parts):
    folder = tmp_path_factory.mktemp("merged")
    given_ = [put(folder / str(k), enumerated(question(bounds, kind))) for k, bounds in enumerate(parts)]
    every = sorted(set().union(*parts))
    if not merges(given_, folder / "out"):
        assert not (folder / "out").exists()
        assert not question(every, kind).keeps_all
        assert "minimal" in kind or sum(map(len, parts)) > len(every), "counts of different bounds are sums"
        assert every not in parts
        return
    put(folder / "whole", enumerated(question(every, kind)))
    assert contents(folder / "out") == contents(folder / "whole")
    assert list(faults(Corpus(folder / "out"))) == []


@settings(max_examples=examples(25))
@given(st.sampled_from(sorted(KINDS)), st.lists(st.tuples(SETS, st.booleans()), min_size=1, max_size=3), st.randoms())
def test_a_merge_with_incomplete_corpora_has_no_fault(tmp_path_factory, kind, parts, chance: random.Random):
    folder = tmp_path_factory.mktemp("merged")
    given_ = []
    for k, (bounds, complete) in enumerate(parts):
        found = enumerated(question(bounds, kind))
        if not complete:
            some = chance.sample(sorted(found.ids), chance.randrange(len(found.ids) + 1))
            found = replace(found, ids=Ids(sorted(some)), complete=False, found={})
        given_.append(put(folder / str(k), found))
    every = sorted(set().union(*(bounds for bounds, _ in parts)))
    if not merges(given_, folder / "out"):
        assert not question(every, kind).keeps_all
        return
    made = Corpus(folder / "out").manifest
    assert list(faults(Corpus(folder / "out"))) == []
    covered = set().union(*(bounds for bounds, complete in parts if complete))
    assert made.complete == (covered == set(every))
    if made.complete:
        put(folder / "whole", enumerated(question(every, kind)))
        assert contents(folder / "out") == contents(folder / "whole")


def test_one_test_of_each_behaviour_is_kept_of_all_bounds_together(tmp_path):
    parts = [put(tmp_path / bounds, enumerated(question([bounds], "behaviour"))) for bounds in ("2x2", "2x3")]
    assert sum(corpus.manifest.tests for corpus in parts) == 147
    assert merge(parts, tmp_path / "out", dict).tests == 139
    assert list(faults(Corpus(tmp_path / "out"))) == []


def test_minimal_tests_of_different_bounds_are_refused_with_what_counts_them(tmp_path):
    parts = [put(tmp_path / bounds, enumerated(question([bounds], "minimal"))) for bounds in ("2x2", "2x3")]
    with pytest.raises(InputError) as raised:
        merge(parts, tmp_path / "out", dict)
    assert str(raised.value) == (
        f"{tmp_path / '2x2'}, {tmp_path / '2x3'}: the numbers of behaviours and signatures "
        "of different bounds cannot be added; add one complete corpus that has all of the bounds, "
        "or enumerate 2x2,2x3-minimal, which counts them"
    )
    assert not (tmp_path / "out").exists()


@mostly_full("kind", KINDS, quick=["all"])
def test_a_test_that_a_complete_corpus_lacks_is_a_contradiction(tmp_path, kind):
    found = enumerated(question(["2x2", "2x3"], kind))
    whole = put(tmp_path / "whole", found)
    for k, id_ in enumerate(sorted(found.ids)[::9]):
        less = replace(found, ids=Ids(other for other in found.ids if other != id_))
        lacking = put(tmp_path / str(k), less)
        for parts in ([whole, lacking], [lacking, whole]):
            with pytest.raises(InputError) as raised:
                merge(parts, tmp_path / "out", dict)
            assert str(raised.value).startswith(f"{tmp_path / 'whole' / RECORDS}:")
            assert f" lacks the test {id_}" in str(raised.value)
            assert f"{tmp_path / str(k)} lacks the test " in str(raised.value)
    assert not (tmp_path / "out").exists()


def test_up_to_behaviour_a_complete_corpus_must_have_a_lesser_test_or_none(tmp_path):
    """Of two equivalent tests a complete corpus has the greater one: so it lacks the lesser, which another has."""
    every = enumerated(question(["2x3"], "all"))
    one_each = enumerated(question(["2x3"], "behaviour"))
    dropped = next(id_ for id_ in every.ids if id_ not in set(one_each.ids))
    first = put(tmp_path / "one", one_each)
    (of_dropped,) = behaviour_hashes([dropped])
    least = next(id_ for id_ in one_each.ids if behaviour_hashes([id_]) == [of_dropped])
    ids = sorted({*one_each.ids, dropped} - {least})
    other = put(tmp_path / "other", replace(one_each, ids=Ids(ids)))
    with pytest.raises(
        InputError, match=f"lacks the test {least}, and any test of its behaviour with a lesser id, although"
    ):
        merge([first, other], tmp_path / "out", dict)
    part = put(tmp_path / "part", replace(one_each, ids=Ids([dropped]), complete=False, found={}))
    assert merge([first, part], tmp_path / "out", dict).tests == len(one_each.ids)


@pytest.mark.parametrize("key", ["tests", "behaviours", "minimal", "signatures"])
def test_counts_that_differ_are_a_contradiction(tmp_path, key):
    found = enumerated(question(["2x2", "2x3"], "minimal"))
    parts = [
        put(tmp_path / "one", found),
        put(tmp_path / "other", replace(found, found=found.found | {key: found.found[key] + 1})),
    ]
    with pytest.raises(
        InputError,
        match=f"other: its manifest says that {found.found[key] + 1} {key} were found, but .* says {found.found[key]};",
    ):
        merge(parts, tmp_path / "out", dict)


def test_a_corpus_of_a_job_which_counts_no_behaviours_is_merged_with_one_that_does(tmp_path):
    found = enumerated(question(["2x3"], "minimal"))
    of_job = {name: count for name, count in found.found.items() if name != "behaviours"}
    parts = [put(tmp_path / "job", replace(found, found=of_job)), put(tmp_path / "plain", found)]
    merge(parts, tmp_path / "out", dict)
    assert contents(tmp_path / "out") == contents(tmp_path / "plain")


def test_counts_of_parts_that_add_up_to_another_number_are_a_contradiction(tmp_path):
    whole, *parts = (enumerated(question(some, "behaviour")) for some in (["2x2", "2x3"], ["2x2"], ["2x3"]))
    forged = replace(parts[0], found={"tests": 9})
    given_ = [put(tmp_path / str(k), found) for k, found in enumerate([whole, forged, parts[1]])]
    with pytest.raises(InputError, match="contradict each other: 170 and 171 tests were found in the same bounds"):
        merge(given_, tmp_path / "out", dict)


def test_what_ships_is_merged_like_any_other(tmp_path):
    made = merge([Corpus(Path(f"@complete/{bound}")) for bound in ("2x2", "2x3")], tmp_path / "out", dict)
    put(tmp_path / "whole", enumerated(question(["2x2", "2x3"], "all")))
    assert made.tests == 170
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")
    assert (tmp_path / "out" / MANIFEST).is_file()
