"""Test the comparison of corpora: it finds the differences between two dicts, and their reasons."""

import functools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import corpora
from quick import examples
from synth_checker.question import Question, parse_bounds
from synth_corpus.diff_summary import DiffSummary
from synth_corpus.differences import differences
from synth_corpus.reasons import Reasons
from synth_corpus.store import Corpus
from synth_search.enumeration.every_test import enumerate_tests
from synth_search.enumeration.saved import save

IDS = [line.split('"')[3] for line in corpora.some(12)]
KEYS = st.dictionaries(st.sampled_from(["aliases", "idiom"]), st.sampled_from([None, "a", ["ä", "b"], ["b"]]))
TESTS = st.dictionaries(st.sampled_from(IDS), st.tuples(st.sampled_from([0, 1, 1024, 2047]), KEYS))


def twin(old, new):
    """The same from dicts, id -> (mask, keys)."""
    for id_ in sorted({*old, *new}):
        if id_ not in new:
            yield "removed", id_, {}, {}
        elif id_ not in old:
            yield "added", id_, {}, {}
        elif old[id_] != new[id_]:
            (before, had), (after, has) = old[id_], new[id_]
            words = [["fail", "pass"][mask >> k & 1] for k in range(len(corpora.VERDICTS)) for mask in (before, after)]
            pairs = zip(corpora.VERDICTS, words[::2], words[1::2], strict=True)
            verdicts = {name: (here, other) for name, here, other in pairs if here != other}
            keys = {key: (had.get(key), has.get(key)) for key in {*had, *has} if had.get(key) != has.get(key)}
            if verdicts or keys:
                yield "verdicts" if verdicts else "metadata", id_, verdicts, keys


@settings(max_examples=examples(240))
@given(TESTS, TESTS)
def test_the_differences_are_those_of_two_dicts(tmp_path_factory, old, new):
    folder = tmp_path_factory.mktemp("pair")
    for name, tests in (("old", old), ("new", new)):
        corpora.write(folder / name, corpora.of(tests))
    found = [
        (d.change, d.id, d.verdicts, d.metadata) for d in differences(Corpus(folder / "old"), Corpus(folder / "new"))
    ]
    assert found == list(twin(old, new))


def test_verdicts_that_only_one_corpus_has_are_no_difference(tmp_path):
    found = [corpus(tmp_path, "2x2", models=models) for models in (("OBE", "fair"), ("fair", "HSA"))]
    assert list(differences(*found)) == []


# Why


@functools.cache
def found_by(question):
    return enumerate_tests(question, jobs=1)


def corpus(folder, bounds, **asked):
    question = Question(parse_bounds([bounds]), **asked)
    save(found_by(question), folder / question.name)
    return Corpus(folder / question.name)


def reasons_between(old, new):
    explained = Reasons(old.manifest, new.manifest, ("A", "B"))
    summary = DiffSummary()
    for difference in explained.of_tests(differences(old, new)):
        summary.count(difference)
    return explained.of_manifests(), {change: dict(of) for change, of in summary.reasons.items() if of}


RULE = ("effective-stores",)
SYMMETRIC = {"models": ("unfair", "OBE", "fair")}


@pytest.mark.parametrize(
    ("old", "new", "manifests", "reasons"),
    [
        (("2x2", {}), ("2x2", {}), {}, {}),
        (
            ("2x3", {}),
            ("2x3", {"without": RULE}),
            {"rules": ("with effective-stores", "without effective-stores")},
            {"added": {"it breaks effective-stores, a rule of A": 14}},
        ),
        (
            ("2x3", {"without": RULE}),
            ("2x2,2x3", {}),
            {"bounds": ("2x3", "2x2, 2x3"), "rules": ("without effective-stores", "with effective-stores")},
            {
                "added": {"A does not have the bound 2x2": 8},
                "removed": {"it breaks effective-stores, a rule of B": 14},
            },
        ),
        (
            ("2x2", {"without": ("meaningful-comparisons",)}),
            ("2x2", {}),
            {"rules": ("without meaningful-comparisons", "with meaningful-comparisons")},
            {"removed": {"it breaks meaningful-comparisons, a rule of B": 2}},
        ),
        (("2x3", {"models": ("fair",)}), ("2x3", {}), {
            "models": (
                "without unfair, without HSA, without OBE, without LOBE, without HSA+OBE",
                "with unfair, with HSA, with OBE, with LOBE, with HSA+OBE",
            ),
            "not compared": ("nothing", ", ".join(corpora.VERDICTS[:-2])),
        }, {}),
    ],
)  # fmt: skip
def test_what_was_asked_otherwise_explains_what_differs(tmp_path, old, new, manifests, reasons):
    (bounds, asked), (other_bounds, other_asked) = old, new
    found = reasons_between(corpus(tmp_path, bounds, **asked), corpus(tmp_path, other_bounds, **other_asked))
    assert found == (manifests, reasons)


def test_tests_with_more_values_than_were_allowed_are_told_so(tmp_path):
    manifests, reasons = reasons_between(corpus(tmp_path, "2x3", values=3), corpus(tmp_path, "2x3"))
    assert manifests == {"values": ("3", "2")}
    assert reasons == {"removed": {"it uses 3 values, but B allows only 2": 334 - 162}}


def test_tests_with_more_locations_than_were_allowed_are_told_so(tmp_path):
    """The least bound with such tests is a large one, so this is a program that was put there."""
    bounds = parse_bounds(["2x6"])
    tests = {"00_010_020_0-00_010_020_0": (0, {})}
    corpora.write(tmp_path / "three", corpora.of(tests), question=Question(bounds, locations=3))
    corpora.write(tmp_path / "two", [], question=Question(bounds))
    manifests, reasons = reasons_between(Corpus(tmp_path / "three"), Corpus(tmp_path / "two"))
    assert manifests == {"locations": ("3", "2")}
    assert reasons == {"removed": {"it uses 3 locations, but B allows only 2": 1}}


def test_tests_that_are_kept_in_another_order_of_their_threads_are_told_so(tmp_path):
    every, least = (corpus(tmp_path, "2x3", up_to=up_to, **SYMMETRIC) for up_to in ((), ("threads",)))
    manifests, reasons = reasons_between(every, least)
    assert manifests == {"tests up to": ("nothing", "threads")}
    removed = every.manifest.tests - least.manifest.tests
    assert reasons == {"removed": {"B keeps this test only with its threads in another order": removed}}


def test_what_nothing_explains_is_said_to_be_so_or_blamed_on_the_releases(tmp_path):
    tests = {id_: (1024, {}) for id_ in IDS}
    asked = {"bounds": ("2x2",)}
    question = Question(parse_bounds(asked["bounds"]), locations=2)
    other = {**tests, IDS[0]: (0, {}), IDS[1]: (1024, {"idiom": "spin"})}
    corpora.write(tmp_path / "old", corpora.of(tests), question=question)
    corpora.write(tmp_path / "new", corpora.of(other), question=question)
    corpora.write(tmp_path / "part", corpora.of(tests)[1:], question=question, complete=False)
    corpora.write(tmp_path / "later", corpora.of(other), question=question, run={"tool": "synth 9"})
    old, new, part, later = (Corpus(tmp_path / name) for name in ("old", "new", "part", "later"))
    unexplained = "the manifests do not tell why"
    assert reasons_between(old, new) == ({}, {"verdicts": {unexplained: 1}})
    _, reasons = reasons_between(old, later)
    assert reasons == {"verdicts": {"an unknown release and synth 9 disagree": 1}}
    manifests, _ = reasons_between(old, part)
    assert manifests == {"complete": ("yes", "no")}


def test_tests_of_an_incomplete_corpus_that_are_not_there_may_not_have_been_found(tmp_path):
    whole = corpus(tmp_path, "2x2")
    lines = list(whole.lines())
    corpora.write(tmp_path / "part", lines[1:], question=whole.manifest.question, complete=False)
    _, reasons = reasons_between(whole, Corpus(tmp_path / "part"))
    assert reasons == {"removed": {"B is incomplete": 1}}


def test_other_verdicts_are_explained_by_another_definition_of_their_model_only(tmp_path):
    whole = corpus(tmp_path, "2x2")
    first = '"HSA.weak":"fail","HSA.strong":"fail"'
    lines = [line.replace(first, '"HSA.weak":"fail","HSA.strong":"pass"') for line in whole.lines()]
    changed = sum(line != before for line, before in zip(lines, whole.lines(), strict=True))
    assert changed
    models = {**whole.manifest.models, "HSA": "lowest(all) & live"}
    for name, more in (("HSA", {"models": models}), ("none", {})):
        corpora.write(tmp_path / name, lines, question=whole.manifest.question, **more)
    corpora.write(tmp_path / "old", list(whole.lines()), question=whole.manifest.question)
    manifests, reasons = reasons_between(Corpus(tmp_path / "old"), Corpus(tmp_path / "HSA"))
    assert manifests == {"model HSA": ("lowest(live)", "lowest(all) & live")}
    assert reasons == {"verdicts": {"the corpora define HSA differently": changed}}
    _, reasons = reasons_between(Corpus(tmp_path / "old"), Corpus(tmp_path / "none"))
    assert reasons == {"verdicts": {"the manifests do not tell why": changed}}


def test_a_model_that_this_release_can_not_read_hinders_no_comparison_of_all_tests(tmp_path):
    """What another release defined is only told; minimality alone would need it."""
    corpora.write(tmp_path / "old", corpora.some(2), models={"fair": "frob(live)"})
    corpora.write(tmp_path / "new", corpora.some(2))
    old, new = (Corpus(tmp_path / name).manifest for name in ("old", "new"))
    assert Reasons(old, new, ("old", "new")).of_manifests()["model fair"] == ("frob(live)", "live")
