"""`synth campaign table --aliases` counts published names, as the paper's Tables 2 and 4 do."""

import json
from pathlib import Path

import pytest

from conftest import FOLDER
from synth_analysis.tables.corpora import passed_in
from synth_analysis.tables.published_names import published_names
from synth_analysis.verdict_shares import published_shares as by_the_paper
from synth_corpus.formats import FORMATS
from synth_corpus.imports import import_tests
from synth_corpus.store import Corpus

#: Table 2 of the paper: threads, instructions and tests. Its Table 4: the distinguishing and the conformance tests.
TABLE_2 = ((2, 2, 8), (2, 3, 176), (2, 4, 173), (3, 3, 21), (3, 4, 105))
TABLE_4 = {
    "HSA": ((90, 90), (94, 94)),
    "OBE": ((12, 12), (0, 0)),
    "LOBE": ((20, 122), (16, 110)),
    "fair": ((201, 323), (50, 160)),
}


@pytest.mark.full
def test_the_rows_of_table_2_that_are_at_hand_have_as_many_published_names_as_the_paper_says(
    tmp_path, synth, published
):
    assert [len(published(bound)) for bound in ("2x2", "2x3")] == [tests for *_, tests in TABLE_2[:2]]
    for name in ("2t_2i", "2t_3i"):
        import_tests([FOLDER / f"{name}.json"], FORMATS["published"], tmp_path / name)
    told = synth("campaign", "table", ".", "--name", "tests", "--aliases", "--format", "json")
    rows = json.loads(told.out)["rows"]
    assert [tuple(row[1:4]) for row in rows] == list(TABLE_2[:2])
    # No two names are one test, and with the rule effective-stores dropped, these are all tests.
    assert [row[4] for row in rows] == [8, 176]


@pytest.mark.usefixtures("published")
def test_the_rows_at_hand_are_part_of_table_4(tmp_path):
    """And the tests that are not at hand have the rest: as many as the other rows of Table 2 have."""
    corpora = []
    for name in ("2t_2i", "2t_3i"):
        import_tests([FOLDER / f"{name}.json"], FORMATS["published"], tmp_path / name)
        corpora.append(Corpus(tmp_path / name))
    found = by_the_paper(passed_in(corpora, published_names(corpora)))
    rest = {
        f"{model}.{form}": numbers[0] - found[f"{model}.{form}"].distinguishing
        for model, forms in TABLE_4.items()
        for form, numbers in zip(("weak", "strong"), forms, strict=True)
    }
    assert min(rest.values()) == rest["OBE.strong"] == 0
    assert sum(rest.values()) == sum(tests for *_, tests in TABLE_2[2:])


def test_our_tests_of_the_rows_at_hand_have_the_published_numbers(synth, published):
    """The complete 2x2, and 2x3 without the rule effective-stores, are the tests that were published."""
    assert synth("enumerate", "--bounds", "2x3", "--without", "effective-stores", "--out", "2x3").code == 0
    ours = passed_in([Corpus("@complete/2x2"), Corpus(Path("2x3"))])
    theirs = [
        {name for name, result in test.verdicts.items() if result == "pass"}
        for row in ("2x2", "2x3")
        for test in published(row)
    ]
    assert by_the_paper(ours) == by_the_paper(theirs)


def test_the_published_reading_gives_the_conformance_tests_of_table_4_from_its_distinguishing_tests():
    """All digits of it: each test is planted, with verdicts that give it to its row and column."""
    tests = []
    for model, forms in TABLE_4.items():
        for form, (distinguishing, _) in zip(("weak", "strong"), forms, strict=True):
            above = {"HSA": ("HSA", "LOBE"), "OBE": ("OBE", "LOBE"), "LOBE": ("LOBE",), "fair": ()}[model]
            tests += [{f"{verdict}.{form}" for verdict in (*above, "fair")}] * distinguishing
    assert len(tests) == sum(size for *_, size in TABLE_2)
    found = by_the_paper(tests)
    for model, forms in TABLE_4.items():
        assert (found[f"{model}.weak"], found[f"{model}.strong"]) == forms


def test_a_test_with_two_published_names_counts_twice_with_aliases(synth, tmp_path):
    (tmp_path / "row.txt").write_text(
        "// row/0\nTHREAD 0\n0: if (Mem[0] == 0) goto 0;\n\nTHREAD 1\n0: Mem[0] = 1;\n"
        "// row/1\nTHREAD 0\n0: if (Mem[1] == 0) goto 0;\n\nTHREAD 1\n0: Mem[1] = 1;\n"
        "// row/2\nTHREAD 0\n0: Mem[0] = 1;\n\nTHREAD 1\n0: if (Mem[0] == 0) goto 0;\n"
    )
    assert synth("corpus", "import", "row.txt", "--format", "text", "--out", "row.corpus").code == 0
    table = ("campaign", "table", "row.corpus", "--name")
    assert "| row.corpus | 2 | 2 | 3 | 2 |" in synth(*table, "tests", "--aliases").out
    assert "| row.corpus | 2 | 2 | 2 | no |" in synth(*table, "tests").out
    named, plain = synth(*table, "strong-weak", "--aliases").out, synth(*table, "strong-weak").out
    assert "**Weak and strong tests of 3 published names**" in named
    assert "**Weak and strong tests of 2 tests**" in plain
    assert ("| fair | 2 | 0 |" in named, "| fair | 1 | 0 |" in plain) == (True, True)
    assert "of 3 published names**" in synth(*table, "conformance", "--aliases").out


def test_tests_without_a_published_name_are_left_out_and_told(synth, tmp_path):
    (tmp_path / "row.txt").write_text("// row/0\nTHREAD 0\n0: if (Mem[0] == 0) goto 0;\n\nTHREAD 1\n0: Mem[0] = 1;\n")
    assert synth("corpus", "import", "row.txt", "--format", "text", "--out", "row.corpus").code == 0
    told = synth("campaign", "table", "row.corpus", "@complete/2x2", "--name", "tests", "--aliases").out
    assert "| row.corpus | 2 | 2 | 1 | 1 |" in told
    assert "Left out, because they have no published name: 7 tests." in told
    none = synth("campaign", "table", "@complete/2x2", "--name", "tests", "--aliases")
    assert (none.code, none.err.count("\n")) == (2, 1)
    assert "aliases: no test has a published name" in none.err
    wrong = synth("campaign", "table", "@complete/2x2", "--name", "order", "--aliases")
    assert wrong.err == (
        "synth: order: this table counts no tests of corpora; --aliases is for tests, conformance, strong-weak\n"
    )
