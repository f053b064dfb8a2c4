"""Test `verify`: an intact corpus has no fault, and every fault of another is reported with its place."""

import json

import pytest

import corpora
from quick import mostly_full
from synth_checker.programs.normal import program_of_id
from synth_checker.question import Question, parse_bounds
from synth_checker.verdicts import judge
from synth_corpus.annotations import annotated_lines
from synth_corpus.parts import with_more
from synth_corpus.record import RecordWriter
from synth_corpus.record_batches import id_of
from synth_corpus.store import MANIFEST, RECORDS, Corpus
from synth_corpus.verification import faults
from synth_search.enumeration.every_test import enumerate_tests
from synth_search.enumeration.saved import save

COUNTS = "tests, behaviours, minimal, signatures"
SYMMETRIC = ("unfair", "OBE", "fair")


def enumerated(folder, bounds, **asked):
    question = Question(parse_bounds([bounds]), **asked)
    save(enumerate_tests(question, jobs=1), folder / "it")
    return folder / "it"


@pytest.fixture
def folder(tmp_path):
    """The corpus of 2x2, which has eight tests."""
    return enumerated(tmp_path, "2x2")


def told(folder):
    """Faults as text: the number of the line, or the key in the manifest, and what it is."""
    found = [f"{place}: {text}" for place, text in faults(Corpus(folder))]
    assert all("\n" not in text for text in found)
    return [text.removeprefix(f"{folder / RECORDS}").removeprefix(f"{folder / MANIFEST}: ") for text in found]


def lines_in(folder):
    return [line.encode() for line in Corpus(folder).lines()]


@mostly_full(
    ("bounds", "asked"),
    [
        ("2x2", {}),
        ("2x3,3x3", {"without": ("effective-stores", "meaningful-comparisons")}),
        ("2x3", {"values": 3, "models": ("HSA", "fair")}),
        ("3x3", {"up_to": ("threads",), "models": SYMMETRIC}),
        ("2x3", {"minimal": True, "models": ("OBE", "fair")}),
        ("2x3", {"up_to": ("behaviour",), "without": ("all-branches",)}),
        ("1x2", {}),
    ],
    quick=3,
)
def test_what_was_enumerated_has_no_fault(tmp_path, bounds, asked):
    assert told(enumerated(tmp_path, bounds, **asked)) == []


def test_further_keys_are_no_fault(folder):
    corpora.edit(
        folder, [with_more(line[:-1], {"aliases": [f"ä{k}"]}) + b"\n" for k, line in enumerate(lines_in(folder))]
    )
    assert told(folder) == []


def test_verdicts_are_decided_under_the_definitions_that_the_manifest_gives(folder):
    """HSA is given the definition of another model: its verdicts are then wrong, and those of that model right."""
    models = {**Corpus(folder).manifest.models, "HSA": "live & stepped"}
    corpora.edit(folder, lines_in(folder), models=models)
    assert len(told(folder)) == 3
    names = list(Corpus(folder).manifest.verdicts)
    lines = []
    for line in lines_in(folder):
        id_ = id_of(line).decode()
        mask = judge([id_])[0]
        obe = [mask >> names.index(f"OBE.{form}") & 1 for form in ("weak", "strong")]
        bits = {names.index("HSA.weak"): obe[0], names.index("HSA.strong"): obe[1]}
        mask = sum(bits.get(k, mask >> k & 1) << k for k in range(len(names)))
        lines.append(RecordWriter(names).line(id_, mask).encode())
    corpora.edit(folder, lines, models=models)
    assert [text for text in told(folder) if not text.startswith("signatures")] == []


def replaced(number, old, new):
    def damage(lines):
        assert lines[number - 1].count(old) == 1
        return [*lines[: number - 1], lines[number - 1].replace(old, new), *lines[number:]]

    return damage


def put(id_, verdicts=None, old=b"", new=b""):
    """A record more, in its place, after some words of it were changed."""
    line = RecordWriter(corpora.VERDICTS).line(id_, judge([id_])[0] if verdicts is None else verdicts).encode()
    return lambda lines: sorted([*lines, line.replace(old, new)])


def last_cut(lines):
    return [*lines[:-1], lines[-1][:60]]


@pytest.mark.parametrize(
    ("damage", "expected"),
    [
        (
            replaced(3, b'"fair.weak":"pass"', b'"fair.weak":"fail"'),
            [
                ":3: found fail for fair.weak, expected pass",
                "signatures: found 0 for fppffppppfp, expected 1, the number of records",
                "signatures: found 3 for fppffpppppp, expected 2, the number of records",
            ],
        ),
        (replaced(3, b',"verdicts"', b', "verdicts"'), [
            ":3: found a record with spaces, or with its keys in another order; write it again with synth",
            "signatures: found 3 for fppffpppppp, expected 2, the number of records",
            "splits: found 8 for 1+1, expected 7, the number of records",
        ]),
        (replaced(3, b'"exch":null', b'"exch":1'), [
            ":3: found id '0010-00_0', expected '0010-0010', the id of its threads",
        ]),
        (replaced(3, b'"exch":null', b'"exch":nil'), [":3: this is not JSON ("]),
        (replaced(3, b'"id":"0010-00_0"', b'"id":"00l0-00_0"'), [
            ":3: found id '00l0-00_0', expected '0010-00_0', the id of its threads",
            ":3: found 00l0-00_0, which uses 22 values, expected at most 2",
            ":3: found 00l0-00_0, expected its normal form 0010-00_0",
            ":4: found 0010-0100 after 00l0-00_0, expected records sorted by id",
        ]),
        (replaced(3, b'{"id"', b'{"ID"'), [":3: found '{\"ID\":\"0010-00_0\""]),
        (lambda lines: [*lines[:2], lines[3], lines[2], *lines[4:]], [
            ":4: found 0010-00_0 after 0010-0100, expected records sorted by id",
        ]),
        (lambda lines: [*lines[:3], lines[2], *lines[3:]], [
            ":4: found 0010-00_0 a second time, expected each id once",
            "signatures: found 3 for fppffpppppp, expected 4, the number of records",
            "splits: found 8 for 1+1, expected 9, the number of records",
        ]),
        (put("0000-0000", 0), [
            ":1: found a program that breaks ",
        ]),
        (put("0001-0000", 0, b"0001", b"0009"), [
            ":2: id '0009-0000': instruction 0: found target 9, expected 0 to 1 (the end)",
        ]),
        (put("0010-0010-0010"), [":3: found 0010-0010-0010, a program of 3x3, expected one of 2x2"]),
        (put("0220-0220"), [":9: found 0220-0220, expected its normal form 0110-0110"]),
        (last_cut, [":8: found '{\"id\":\"0100-0010\""]),
    ],
)  # fmt: skip
def test_each_fault_is_told_with_its_line(folder, damage, expected):
    corpora.edit(folder, damage(lines_in(folder)))
    found = told(folder)
    assert found
    for text in expected:
        assert [line for line in found if line.startswith(text)], (text, found)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"tests": 9}, [":9: found 8 records, expected 9 as in the manifest"]),
        ({"sha256": "0"}, [": found 8 records with the checksum "]),
        ({"splits": {"1+1": 7, "2+1": 1}}, [
            "splits: found 7 for 1+1, expected 8, the number of records",
            "splits: found 1 for 2+1, expected 0, the number of records",
        ]),
        ({"rules": ["executed"]}, ["rules: found executed, expected possible-termination, "]),
        ({"models": {"HSA": "lowest("}}, ["models: HSA:1:", "models: found HSA, expected unfair, HSA, OBE, "]),
        ({"verdicts": ["unfair"]}, ["verdicts: found unfair, expected unfair, HSA.weak, "]),
    ],
)  # fmt: skip
def test_what_the_manifest_says_otherwise_is_told_with_its_key(folder, changes, expected):
    path = folder / MANIFEST
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | changes), "utf-8")
    found = told(folder)
    for text in expected:
        assert [line for line in found if line.startswith(text)], (text, found)
    assert len(found) == len(expected)


def test_all_faults_are_told_not_only_the_first(folder):
    lines = [line.replace(b'"unfair":"fail"', b'"unfair":"pass"') for line in lines_in(folder)]
    corpora.edit(folder, lines)
    found = told(folder)
    assert [text for text in found if text.startswith(":")] == [
        f":{number}: found pass for unfair, expected fail" for number in range(1, 9)
    ]


def test_programs_beyond_the_question_are_told(tmp_path):
    """Locations, values, and the order of threads."""
    tests = enumerated(tmp_path, "2x3", values=3, models=SYMMETRIC)
    question = json.loads((tests / MANIFEST).read_text("utf-8"))["question"]
    changed = question | {"values": 2, "locations": 1, "up_to": ["threads"]}
    corpora.edit(tests, lines_in(tests), question=changed, complete=False)
    found = told(tests)
    ids = [id_of(line).decode() for line in lines_in(tests)]
    fields = [[i for _, _, i in program_of_id(id_).instructions()] for id_ in ids]
    many = sum(any(max(i.check, i.exch or 0) > 1 for i in some) for some in fields)
    far = sum(any(i.loc > 0 for i in some) for some in fields)
    assert sum("uses 3 values, expected at most 2" in text for text in found) == many > 0
    assert sum("uses 2 locations, expected at most 1" in text for text in found) == far
    assert sum("the least id of this test with its threads in any order" in text for text in found) == len(ids) // 2


def test_an_alias_of_two_tests_is_told_with_its_line(folder):
    first, second, *lines = lines_in(folder)
    named = [with_more(line[:-1], {"aliases": [name, "both"]}) + b"\n" for name, line in (("a", first), ("b", second))]
    corpora.edit(folder, [*named, *lines])
    owner = id_of(first).decode()
    assert told(folder) == [f":2: the test {owner} has the alias 'both', too; an alias may belong to one test only"]


def test_a_byte_that_is_no_text_is_told_once(folder):
    first, *lines = lines_in(folder)
    corpora.edit(folder, [with_more(first[:-1], {"idiom": "Ü"}).replace("Ü".encode(), b"\xdc") + b"\n", *lines])
    (found,) = told(folder)
    assert found.startswith(":1: found ")
    assert found.endswith(" with a byte that is not UTF-8, expected a record")


@pytest.mark.parametrize("damage", [last_cut, lambda lines: lines[:-1]])
def test_a_place_is_one_whatever_the_folder_is_called(tmp_path, folder, damage):
    place = folder.rename(tmp_path / "a: b")
    lines = lines_in(place)
    corpora.edit(place, damage(lines), tests=8)
    place_of_last, text = next(iter(faults(Corpus(place))))
    assert place_of_last == f"{place / RECORDS}:8"
    assert text.startswith("found ")


def test_what_a_question_does_not_keep_is_told(tmp_path):
    """A complete corpus, put under the question whether tests are minimal, or one of each behaviour."""
    every = enumerated(tmp_path, "2x3")
    question = json.loads((every / MANIFEST).read_text("utf-8"))["question"]
    lines = lines_in(every)
    minimal = annotated_lines(b"".join(lines)).splitlines(keepends=True)
    counts = {"tests": 162, "behaviours": 139, "minimal": 162, "signatures": 7}
    corpora.edit(every, minimal, question=question | {"minimal": True}, found=counts)
    found = told(every)
    assert len(found) == 162 - 19
    assert all(text.endswith("which is not minimal, expected minimal tests") for text in found)
    corpora.edit(every, lines, question=question | {"up_to": ["behaviour"]}, found={"tests": 162})
    found = told(every)
    assert len(found) == 162 - 139
    assert all(text.endswith("expected one test of each behaviour") for text in found)


def test_another_behaviour_than_that_of_its_test_is_told(tmp_path):
    minimal = enumerated(tmp_path, "2x2", minimal=True)
    first, *lines = lines_in(minimal)
    corpora.edit(minimal, [first.replace(b'"behaviour":"', b'"behaviour":"0'), *lines])
    assert [text[:24] for text in told(minimal)] == [":1: found behaviour '01c"]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"tests": 100}, ["the count 'tests' under 'found': found 100, expected at least 139"]),
        ({"minimal": 18}, ["the count 'minimal' under 'found': found 18, expected 19, which the records give"]),
        ({"signatures": 5}, ["the count 'signatures' under 'found': found 5, expected at least 6"]),
        ({"behaviours": 5}, ["the count 'behaviours' under 'found': found 5, expected at least 7"]),
        (
            {"threads": 5},
            [f"found: found the entries {COUNTS}, threads, expected only {COUNTS}, in this order"],
        ),
    ],
)
def test_of_how_many_tests_they_were_kept_is_held_against_them(tmp_path, changes, expected):
    minimal = enumerated(tmp_path, "2x3", minimal=True)
    found = Corpus(minimal).manifest.found
    assert found == {"tests": 162, "behaviours": 139, "minimal": 19, "signatures": 7}
    corpora.edit(minimal, lines_in(minimal), found=found | changes)
    assert told(minimal) == expected


def test_a_complete_corpus_says_of_how_many_tests_it_was_kept(tmp_path):
    minimal = enumerated(tmp_path, "2x3", minimal=True)
    corpora.edit(minimal, lines_in(minimal), found={})
    missing = ("tests", "minimal", "signatures")
    assert told(minimal) == [f"the number of {name} is missing under the key found" for name in missing]
    corpora.edit(minimal, lines_in(minimal), found={}, complete=False)
    assert told(minimal) == []


def test_an_idiom_in_another_order_is_no_idiom(tmp_path):
    minimal = enumerated(tmp_path, "2x3", minimal=True)
    lines = lines_in(minimal)
    (place,) = [place for place, line in enumerate(lines) if line.startswith(b'{"id":"00110002-01_0"')]
    assert b"idiom" not in lines[place]
    line = lines[place].removesuffix(b"\n").removesuffix(b"}")
    lines[place] = line + b',"idiom":"simplified-mutex"}\n'
    corpora.edit(minimal, lines)
    assert len(told(minimal)) == 1


def test_of_how_many_is_nothing_where_all_are_kept(folder):
    corpora.edit(folder, lines_in(folder), found={"tests": 8})
    assert told(folder) == ["found: found tests, expected no entries, because the corpus keeps all tests"]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            b'"minimal":true',
            b'"minimal":false',
            "found minimal False, expected True, because this corpus has only minimal tests",
        ),
        (b'"idiom":"dining-philosophers"', b'"idiom":"mutex"', "found idiom 'mutex', expected 'dining-philosophers'"),
        (
            b'"idiom":"dining-philosophers"',
            b'"idiom":"dining-philosophers","contains":["mutex"]',
            "found contains ['mutex'], expected 'none'",
        ),
        (b',"idiom":"dining-philosophers"', b"", "found idiom 'none', expected 'dining-philosophers'"),
    ],
)
def test_what_further_keys_say_of_a_minimal_test_is_decided_anew(tmp_path, old, new, expected):
    minimal = enumerated(tmp_path, "2x2", minimal=True)
    first, *lines = lines_in(minimal)
    assert old in first
    corpora.edit(minimal, [first.replace(old, new), *lines])
    assert told(minimal) == [f":1: {expected}"]


@pytest.mark.parametrize("key", ["behaviour", "idiom", "contains", "minimal"])
def test_a_key_that_a_minimal_test_lacks_is_told(tmp_path, key):
    minimal = enumerated(tmp_path, "2x3", minimal=True)
    lines = lines_in(minimal)
    records = list(map(json.loads, lines))
    place = next(place for place, record in enumerate(records) if key in record)
    del records[place][key]
    lines[place] = json.dumps(records[place], separators=(",", ":")).encode() + b"\n"
    corpora.edit(minimal, lines)
    (text,) = told(minimal)
    assert text.startswith(f":{place + 1}: found {key} 'none', expected ")
