"""Test filters of corpora: they work everywhere, refuse unknown words, and say where tests are if they find none."""

import functools
import itertools

import pytest

import corpora
from quick import mostly_full
from synth_checker.idioms import idioms
from synth_checker.models import library, verdict_names
from synth_checker.programs.normal import id_of
from synth_checker.programs.program import Program
from synth_checker.question import Question, parse_bounds
from synth_checker.verdicts import judge
from synth_corpus.record_batches import id_of as id_in
from synth_corpus.shipped import NAMES, locate_corpus
from synth_corpus.store import Corpus


def verdicts(id_):
    return judge([id_])[0]


#: The programs that are each idiom: with its threads in any order, as long as the verdicts are those of the idiom.
ORDERS = {
    name: {
        id_
        for order in itertools.permutations(program.threads)
        if verdicts(id_ := id_of(Program(order))) == verdicts(id_of(program))
    }
    for name, program in idioms().items()
}


@functools.cache
def ids_in(name):
    return [id_in(line).decode() for line in Corpus(locate_corpus(name)).raw_lines()]


def column(out):
    """The ids in a table of `list`."""
    return [row.split()[0] for row in out.splitlines()[1:-1]]


@pytest.mark.full
@mostly_full("name", ["@complete/2x3", "@complete/2x4", "@minimal/2x3"])
@mostly_full("idiom", ORDERS, quick=2)
def test_idioms_are_found_in_every_corpus_whatever_its_records_say(synth, name, idiom):
    ran = synth("corpus", "list", name, "--idiom", idiom)
    assert ran.code == 0
    assert column(ran.out) == [id_ for id_ in ids_in(name) if id_ in ORDERS[idiom]]
    assert (ran.err == "") == (column(ran.out) != [])


def test_the_mutex_is_in_the_corpus_of_all_tests(synth):
    ran = synth("corpus", "list", "@complete/2x4", "--idiom", "mutex", "--format", "jsonl")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith('{"id":"01100002-01100002"')


def test_a_table_names_the_idioms_of_the_tests_that_it_shows(synth):
    assert "dining-philosophers" in synth("corpus", "list", "@complete/2x2").out
    assert "idiom" not in synth("corpus", "list", "@complete/2x2", "--id", "0000").out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("list", "it", "--idiom", "mutx"), "idiom: found 'mutx' (did you mean mutex?), expected one of barrier, "),
        (("list", "it", "--idiom", "MUTEX"), "idiom: found 'MUTEX' (did you mean mutex?), expected one of barrier, "),
        (("list", "it", "--idiom", "spin"), "idiom: found 'spin', expected one of barrier, "),
        (("list", "it", "--alias", "2t_2j/1"), "it: no test has the alias '2t_2j/1' (did you mean 2t_2i/1?); "),
        (("list", "@complete/2x2", "--alias", "a"), "@complete/2x2: no test has the alias 'a'; no test"),
        (("list", "it", "--id", "0O"), "id: found '0O', expected the beginning of an id: digits, a to z, _ and -"),
        (("list", "it", "--pass", "frob"), "pass: found 'frob', expected a model or verdict out of "),
        (("list", "it", "--fail", "frob"), "fail: found 'frob', expected a model or verdict out of "),
        (("list", "it", "--model", "frob"), "model: found 'frob', expected a model or verdict out of "),
        (("export", "it", "--format", "results", "--table", "Phone"),
         "table: no test has results in 'Phone' (did you mean phone?); expected one of phone"),
        (("export", "@complete/2x2", "--format", "results", "--table", "a"),
         "table: no test has results in 'a'; import a table with synth corpus import --results"),
    ],
)  # fmt: skip
def test_an_unknown_word_is_refused_in_one_line_with_the_nearest_known_one(synth, tmp_path, words, told):
    more = {"aliases": ["2t_2i/1"], "results": {"phone": {"1": {"plain": "P"}}}}
    corpora.write(tmp_path / "it", corpora.of({"0000-0010": (1, more)}))
    ran = synth("corpus", *words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"synth: {told}")
    assert ran.err.count("\n") == 1


@mostly_full(
    ("words", "told"),
    [
        (("--idiom", "mutex"), "; such tests are in @complete/2x4 (1)"),
        (("--bounds", "3x3"), "; such tests are in @complete/3x3 (60), @minimal/3x3 (3)"),
        (("--pass", "unfair", "--format", "jsonl"), "; no corpus that ships has such a test"),
        (("--id", "01100002", "--format", "csv"), "; such tests are in @complete/2x4 ("),
        (("--pass", "HSA.weak", "--bounds", "3x3"),
         "; alone, --pass HSA.weak finds 3, --bounds 3x3 finds none; such tests are in @complete/3x3 (18)"),
        (("--fail", "fair.strong", "--idiom", "dining-philosophers", "--signature", "f.........."),
         "; alone, --fail fair.strong finds none, --signature f.......... finds 8, --idiom dining-philosophers"),
    ],
)  # fmt: skip
def test_a_list_of_nothing_says_which_option_finds_what_and_where_such_tests_are(synth, words, told):
    ran = synth("corpus", "list", "@complete/2x2", *words)
    assert ran.code == 0
    said = "; ".join(line.removeprefix("synth: ") for line in ran.err.splitlines())
    assert said.startswith(f"@complete/2x2: found no such test among 8{told}")


@pytest.mark.full
def test_what_is_said_to_be_elsewhere_is_there(synth):
    err = synth("corpus", "list", "@complete/2x2", "--fail", "HSA.strong", "--pass", "OBE.weak").err
    listed = err.splitlines()[1].removeprefix("synth: such tests are in ").split(", ")
    for name in NAMES:
        words = ("--fail", "HSA.strong", "--pass", "OBE.weak", "--format", "jsonl", "--limit", "9999")
        found = synth("corpus", "list", name, *words).out.splitlines()
        assert (f"{name} ({len(found)})" in listed) == (found != [])


def test_corpora_of_other_models_say_nothing_of_those_that_ship(synth, tmp_path):
    """What is called HSA there is something else."""
    models = {**corpora.manifest().models, "HSA": "live"}
    corpora.write(tmp_path / "it", corpora.of({"0000-0010": (0, {})}), models=models)
    assert synth("corpus", "list", "it", "--pass", "HSA.weak").err == (
        "synth: it: found no such test among 1\n"
        "synth: the corpora that ship have verdicts of other models, so they do not tell whether they have such tests\n"
    )
    assert "such tests are in" in synth("corpus", "list", "it", "--pass", "OBE.weak").err


@pytest.mark.parametrize(
    "words", [("list",), ("sample", "-n", "3"), ("export", "--format", "mustpass", "--model", "OBE.weak")]
)
def test_a_corpus_without_tests_is_said_to_have_none(synth, tmp_path, words):
    corpora.write(tmp_path / "none", [], question=Question(parse_bounds(["1x2"])))
    ran = synth("corpus", words[0], "none", *words[1:])
    assert ran.code == 0
    assert "no tests" in ran.err.splitlines()[0]


@mostly_full("form", ["mustpass", "junit"])
def test_an_export_of_a_verdict_that_no_test_passes_says_so_and_where_such_tests_are(synth, form):
    ran = synth("corpus", "export", "@complete/2x2", "--format", form, "--model", "OBE.weak")
    assert ran.code == 0
    first, second = ran.err.splitlines()
    assert first.startswith(
        "synth: @complete/2x2: no test passes OBE.weak; its tests pass HSA.weak (3), HSA.strong (5), "
    )
    assert second.startswith("synth: such tests are in @complete/2x3 (20), @complete/2x4 (")
    ran = synth("corpus", "export", "@complete/2x3", "--format", form, "--model", "OBE.weak", "--out", "made")
    assert (ran.code, ran.err) == (0, "")


@pytest.mark.full
def test_what_its_tests_pass_is_counted_right(synth):
    err = synth("corpus", "export", "@complete/2x2", "--format", "mustpass", "--model", "unfair").err
    for name in verdict_names(library()):
        must = synth("corpus", "export", "@complete/2x2", "--format", "mustpass", "--model", name).out.splitlines()
        assert (f"{name} ({len(must)})" in err) == (must != [])


@pytest.mark.parametrize(
    ("size", "told"), [(8, ""), (9, "synth: @complete/2x2: has 8 tests, fewer than the 9 that were asked for\n")]
)
def test_a_sample_of_more_than_there_are_says_so(synth, size, told):
    ran = synth("corpus", "sample", "@complete/2x2", "-n", size, "--format", "ids")
    assert (ran.code, ran.err, len(ran.out.splitlines())) == (0, told, 8)


@mostly_full("form", ["table", "csv", "jsonl"])
def test_a_query_without_a_row_says_so(synth, form):
    ran = synth("corpus", "query", "@complete/2x2", "SELECT id FROM tests WHERE threads = 3", "--format", form)
    assert (ran.code, ran.err) == (0, "synth: @complete/2x2: the query found no row; the corpus has 8 tests\n")
    ran = synth("corpus", "query", "@complete/2x2", "SELECT count(*) AS n FROM tests", "--format", form)
    assert (ran.err, "8" in ran.out) == ("", True)


def test_an_unknown_column_is_refused_with_the_nearest_and_all_there_are(synth):
    ran = synth("corpus", "query", "@complete/2x2", "SELECT alias FROM tests")
    assert (ran.code, ran.out) == (2, "")
    assert "(did you mean aliases?); the view tests has the columns id, threads, " in ran.err
