"""Test imports: each program becomes a test with its names, a duplicate, or is set aside, and none is lost."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies
from golden import check_file, transcript
from synth_checker.errors import InputError
from synth_checker.programs.normal import id_of, program_of_id
from synth_checker.programs.text import write_program
from synth_checker.twin.rules import broken_rules
from synth_corpus.exports import export_texts, put_export
from synth_corpus.formats import FORMATS, export_of
from synth_corpus.formats.results import read_table
from synth_corpus.imports import aside_path, import_tests
from synth_corpus.record import record_fields
from synth_corpus.store import Corpus
from synth_storage import strict_json

GOLDEN = Path(__file__).parent / "golden"
MUTEX, SPINNER, ALONE = "01100002-01100002", "00_0-0011", "00_0"
#: Stores what is there already.
IDLE = "0000-00010011"


def imported(folder, text, form="text", *, force=True, **options):
    """The report, and the records of the corpus by their ids."""
    place = folder / f"given{FORMATS[form].suffix}"
    place.write_text(text)
    report = import_tests([place], FORMATS[form], folder / "out.corpus", force=force, **options)
    return report, {json.loads(line)["id"]: json.loads(line) for line in Corpus(folder / "out.corpus").lines()}


def text_of(*ids, names=None):
    names = names or [None] * len(ids)
    return "\n".join(write_program(program_of_id(id_), name) for id_, name in zip(ids, names, strict=True))


# --- what becomes of programs ---


def test_a_program_becomes_its_normal_form_with_the_verdicts_of_the_core(tmp_path, unusual):
    _, records = imported(tmp_path, unusual)
    assert list(records) == [MUTEX]
    assert records[MUTEX]["verdicts"]["OBE.weak"] == "pass"
    assert records[MUTEX]["name"] == "a mutex, unusual"


@pytest.mark.parametrize("form", ["text", "artifact", "tuples"])
def test_programs_without_a_name_are_numbered_under_a_prefix(tmp_path, form):
    lines = [line for line in Corpus(Path("@complete/2x2")).lines() if MUTEX not in line]
    text = "".join(FORMATS[form].write(export_of(Corpus(Path("@complete/2x2")))))
    report, records = imported(tmp_path, text, form, alias_prefix="suite")
    assert report.read == len(records) == len(lines) == 8
    assert [record["aliases"] for record in records.values()] == [[f"suite/{k}"] for k in range(8)]


def test_a_comment_of_one_word_is_an_alias_and_of_several_a_name(tmp_path):
    _, records = imported(tmp_path, text_of(MUTEX, SPINNER, names=["2t_4i/7", "a spinner"]))
    assert (records[MUTEX]["aliases"], records[SPINNER]["name"]) == (["2t_4i/7"], "a spinner")
    assert "aliases" not in records[SPINNER]


def test_duplicates_are_reported_and_give_their_names_to_the_first(tmp_path):
    twice = text_of(SPINNER, MUTEX, names=["one", None]) + "\n" + text_of(SPINNER, names=["two"]).replace("[0]", "[3]")
    report, records = imported(tmp_path, twice)
    assert records[SPINNER]["aliases"] == ["one", "two"]
    assert [(duplicate.name, duplicate.id) for duplicate in report.duplicates] == [("two", SPINNER)]
    assert (report.duplicates[0].source, report.duplicates[0].of) == (
        f"{tmp_path}/given.txt:17",
        f"{tmp_path}/given.txt:2",
    )


def test_rules_that_can_be_dropped_are_and_what_breaks_them_is_named(tmp_path):
    report, records = imported(tmp_path, text_of(MUTEX, IDLE))
    manifest = Corpus(tmp_path / "out.corpus").manifest
    assert set(records) == {MUTEX, IDLE}
    assert (
        set(manifest.question.without)
        == set(report.breaking)
        == broken_rules(program_of_id(IDLE))
        == {"effective-stores"}
    )
    assert not manifest.complete
    assert list(map(str, manifest.question.bounds)) == ["2x3", "2x4"]


def test_what_is_no_test_under_any_rules_is_set_aside_and_can_be_read_again(tmp_path):
    report, records = imported(tmp_path, text_of(MUTEX, ALONE, "00_1", names=["m", "alone", "idle"]))
    assert set(records) == {MUTEX}
    aside = [json.loads(line) for line in aside_path(tmp_path / "out.corpus").read_text().splitlines()]
    assert [(record["aliases"], record["aside"]) for record in aside] == [
        (["idle"], "nothing but no-ops"),
        (["alone"], "breaks possible-termination"),
    ]
    assert [unfit.name for unfit in report.aside] == ["idle", "alone"]
    found = r"found no test among 2 programs \(nothing but no-ops\), expected at least one"
    with pytest.raises(InputError, match=found):
        import_tests([aside_path(tmp_path / "out.corpus")], FORMATS["jsonl"], tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_rules_that_are_named_are_dropped_and_no_others(tmp_path):
    report, records = imported(tmp_path, text_of(MUTEX, IDLE), without=[])
    assert set(records) == {MUTEX}
    assert [unfit.why for unfit in report.aside] == ["breaks effective-stores"]
    stores = text_of("00_0-0111")
    _, kept = imported(tmp_path, stores, without=["meaningful-comparisons"])
    assert list(kept) == ["00_0-0111"]
    _, kept = imported(tmp_path, stores)
    assert list(kept) == [SPINNER]


def test_what_was_set_aside_is_replaced_only_by_force(tmp_path):
    aside = aside_path(tmp_path / "out.corpus")
    aside.write_text("precious")
    with pytest.raises(InputError, match="found programs that an earlier import has set aside"):
        imported(tmp_path, text_of(MUTEX, ALONE), force=False)
    assert (aside.read_text(), (tmp_path / "out.corpus").exists()) == ("precious", False)
    imported(tmp_path, text_of(MUTEX, ALONE))
    assert len(aside.read_text().splitlines()) == 1
    imported(tmp_path, text_of(MUTEX))
    assert not aside.exists()


def test_a_program_too_large_to_judge_is_set_aside_and_the_others_are_not(tmp_path):
    large = "-".join(["00_0"] * 9)
    report, records = imported(tmp_path, f"{large}\n{MUTEX}\n", "mustpass")
    assert set(records) == {MUTEX}
    assert [unfit.why for unfit in report.aside] == ["9 threads, more than 8"]


@given(st.lists(strategies.waiting_programs(), min_size=1, max_size=3))
def test_every_program_is_kept_or_a_duplicate_or_set_aside(tmp_path_factory, programs):
    """The mutex is there so that a corpus is."""
    text = "\n".join(map(write_program, (program_of_id(MUTEX), *programs)))
    report, records = imported(tmp_path_factory.mktemp("import"), text)
    undroppable = {"possible-termination", "non-termination-cycle", "executed"}
    ids = map(id_of, programs)
    assert set(records) == {MUTEX, *(id_ for id_ in ids if not broken_rules(program_of_id(id_)) & undroppable)}
    assert len(records) + len(report.duplicates) + len(report.aside) == len(programs) + 1


def test_verdicts_that_differ_are_reported_and_those_of_the_core_kept(tmp_path):
    line = next(Corpus(Path("@complete/2x2")).lines())
    wrong = line.replace('"fair.weak":"pass"', '"fair.weak":"fail"')
    report, records = imported(tmp_path, wrong, "jsonl")
    assert [(conflict.verdict, conflict.given) for conflict in report.differing] == [("fair.weak", "fail")]
    assert report.verdicts == 11
    assert json.dumps(*records.values(), separators=(",", ":")) + "\n" == line


def test_records_keep_what_else_is_said_of_them(tmp_path):
    line = next(Corpus(Path("@complete/2x2")).lines())
    more = ',"idiom":"spin","test":true,"breaks":[]}\n'
    _, records = imported(tmp_path, line[:-2] + more, "jsonl")
    assert list(next(iter(records.values()))) == ["id", "threads", "verdicts", "idiom"]


def test_what_all_duplicates_say_of_a_test_is_kept(tmp_path):
    said = [
        {"idiom": "spin"},
        {"results": {"phone": {"0": {"plain": "P"}}}},
        {"results": {"desk": {"3": {"plain": "P"}}}},
    ]
    lines = [json.dumps(record_of(SPINNER) | more) for more in said]
    _, records = imported(tmp_path, "\n".join(lines), "jsonl")
    assert records[SPINNER]["idiom"] == "spin"
    assert records[SPINNER]["results"] == {"phone": {"0": {"plain": "P"}}, "desk": {"3": {"plain": "P"}}}
    with pytest.raises(InputError) as raised:
        imported(tmp_path, "\n".join([*lines, json.dumps(record_of(SPINNER) | {"idiom": "wait"})]), "jsonl")
    assert str(raised.value) == (
        f'{tmp_path}/given.jsonl:4: found the values "spin" and "wait" of the key idiom for the test {SPINNER}, '
        "expected the same in all corpora"
    )


def record_of(id_):
    return record_fields(program_of_id(id_), {})


def test_of_the_names_of_duplicates_the_first_is_kept_and_the_others_are_told(tmp_path):
    report, records = imported(tmp_path, text_of(SPINNER, SPINNER, names=["a spinner", "another one"]))
    assert records[SPINNER]["name"] == "a spinner"
    assert [duplicate.name for duplicate in report.duplicates] == ["another one"]


def test_half_a_character_is_written_as_json_does():
    assert strict_json.dumps({"name": "ä"}) == '{"name":"ä"}'
    assert strict_json.dumps({"name": "\ud800ä"}) == '{"name":"\\ud800\\u00e4"}'


def test_an_alias_of_two_tests_is_refused(tmp_path):
    with pytest.raises(InputError) as raised:
        imported(tmp_path, text_of(MUTEX, SPINNER, names=["same", "same"]))
    assert str(raised.value) == (
        f"{tmp_path}/given.txt:2: found alias 'same', which the test {SPINNER} ({tmp_path}/given.txt:11) has, too; "
        "an alias can belong to one test only"
    )
    assert not (tmp_path / "out.corpus").exists()


def test_a_corpus_that_is_there_is_replaced_only_if_it_is_meant(tmp_path):
    imported(tmp_path, text_of(MUTEX))
    with pytest.raises(InputError, match="found a corpus, expected a new or empty folder"):
        import_tests([tmp_path / "given.txt"], FORMATS["text"], tmp_path / "out.corpus")


@pytest.mark.parametrize(("form", "inside"), [("tree", "text"), ("tree-artifact", "artifact")])
def test_a_tree_is_read_with_its_paths_as_aliases(tmp_path, form, inside):
    imported(tmp_path, text_of(MUTEX, SPINNER, names=["2t_4i/7", None]))
    put_export(FORMATS[form], export_of(Corpus(tmp_path / "out.corpus")), tmp_path / "tree")
    both = tmp_path / "tree" / "a suite.txt"
    both.write_text("".join(FORMATS[inside].write(export_of(Corpus(Path("@complete/2x2"))))))
    import_tests([tmp_path / "tree"], FORMATS[inside], tmp_path / "again")
    found = {
        json.loads(line)["id"]: json.loads(line)["aliases"]
        for line in Corpus(tmp_path / "again").lines()
        if "ali" in line
    }
    assert (found[MUTEX], found[SPINNER]) == (["2t_4i/7"], ["a_suite/6"])


def test_an_enumeration_does_not_replace_what_was_imported(synth, tmp_path):
    """It would lose the names."""
    (tmp_path / "given.txt").write_text(text_of(SPINNER, names=["s/0"]))
    assert synth("corpus", "import", "given.txt", "--format", "text", "--out", "2x2.corpus").code == 0
    ran = synth("enumerate", "--bounds", "2x2")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "synth: 2x2.corpus: found an imported corpus; use another folder, or --force to replace it\n"
    assert synth("enumerate", "--bounds", "2x2", "--force").code == 0


# --- files that can't be read ---


@pytest.mark.parametrize(
    ("form", "content", "told"),
    [
        ("text", b"THREAD 0\n\xff", ": found a byte that is not UTF-8, expected tests in format text"),
        ("artifact", b"THREAD0\natomic_frob()\n", ":2: found 'atomic_frob()', expected atomic_exch_branch("),
        ("csv", b"id\n0\n", ":2: id '0': expected four base-36 digits for each instruction"),
        ("jsonl", b"", ": found no test among 0 programs, expected at least one"),
    ],
)
def test_a_file_that_can_not_be_read_is_one_line_with_its_place(tmp_path, form, content, told):
    place = tmp_path / "given"
    place.write_bytes(content)
    with pytest.raises(InputError) as raised:
        import_tests([place], FORMATS[form], tmp_path / "out")
    assert str(raised.value).startswith(f"{place}{told}")
    assert not (tmp_path / "out").exists()


def test_a_file_that_is_not_there_is_one_line(tmp_path):
    with pytest.raises(InputError, match="No such file or directory, expected tests"):
        import_tests([tmp_path / "nothing"], FORMATS["text"], tmp_path / "out")


# --- results of devices ---

TABLE = "Test File Name,plain,All Passed\n0,F (3/20),F\n1,P,P\nTotal failures:,3,1"


def test_results_are_found_by_the_aliases_of_tests(tmp_path):
    (tmp_path / "phone.csv").write_text(TABLE)
    _, records = imported(tmp_path, text_of(MUTEX, SPINNER), alias_prefix="s", results=[tmp_path / "phone.csv"])
    assert records[MUTEX]["results"] == {"phone": {"0": {"plain": "F (3/20)"}}}
    corpus = Corpus(tmp_path / "out.corpus")
    assert "".join(export_texts(FORMATS["results"], export_of(corpus, table="phone"))) == TABLE


def test_a_table_may_begin_with_a_byte_order_mark(tmp_path):
    (tmp_path / "phone.csv").write_text(f"\ufeff{TABLE}", "utf-8")
    _, records = imported(tmp_path, text_of(MUTEX, SPINNER), alias_prefix="s", results=[tmp_path / "phone.csv"])
    assert records[MUTEX]["results"] == {"phone": {"0": {"plain": "F (3/20)"}}}


def test_a_table_that_contradicts_a_record_is_refused(tmp_path):
    (tmp_path / "phone.csv").write_text(TABLE)
    lines = [record_of(MUTEX) | {"results": {"phone": {"0": {"plain": "P"}}}}, record_of(SPINNER)]
    with pytest.raises(InputError, match=r'found the values "P" and "F \(3/20\)" of the key results\.phone\.0\.plain '):
        imported(
            tmp_path,
            "\n".join(map(json.dumps, lines)),
            "jsonl",
            alias_prefix="s",
            results=[tmp_path / "phone.csv"],
        )


def test_results_of_tests_that_are_not_there_are_refused(tmp_path):
    (tmp_path / "phone.csv").write_text(TABLE)
    with pytest.raises(InputError, match=r"phone.csv:3: found results of test 1, but the import has no test s/1"):
        imported(tmp_path, text_of(MUTEX, names=["s/0"]), results=[tmp_path / "phone.csv"])
    with pytest.raises(InputError, match="results: found tests of 0 suites, expected a single one"):
        imported(tmp_path, text_of(MUTEX), results=[tmp_path / "phone.csv"])


# --- the published suite ---

ROWS = {"2x2": "2t_2i", "2x3": "2t_3i"}


@pytest.fixture(params=ROWS)
def row(request, published, tmp_path):
    """A published row: its tests, the folder that they lie in, and its corpus, imported with all its tables."""
    from conftest import FOLDER

    name = ROWS[request.param]
    tables = sorted((FOLDER / "devices" / name).glob("*.csv"))
    place = FOLDER / f"{name}.json"
    report = import_tests([place], FORMATS["published"], tmp_path / "row.corpus", results=tables)
    return published(request.param), place, tables, report, Corpus(tmp_path / "row.corpus")


@pytest.mark.full
def test_a_published_row_comes_out_as_it_went_in(row, tmp_path):
    """Each text to the byte, each table to the byte; of the JSON what it says, for its tests are ordered otherwise."""
    tests, place, tables, report, corpus = row
    assert (report.read, report.aside, report.duplicates, report.differing) == (len(tests), [], [], [])
    assert report.verdicts == 10 * len(tests)
    given = {record["alias"]: record for record in json.loads(place.read_text("utf-8"))}
    found = {
        record["alias"]: record for record in json.loads("".join(export_texts(FORMATS["published"], export_of(corpus))))
    }
    assert found == given
    for form, text in (("tree", "pseudo"), ("tree-artifact", "artifact")):
        put_export(FORMATS[form], export_of(corpus), tmp_path / form)
        for alias, expected in given.items():
            assert (tmp_path / form / f"{alias}.txt").read_text("utf-8") == expected[text]
    for table in tables:
        text = table.read_bytes().decode()
        form = "results" if read_table(text, "f").sums_runs else "results-tests"
        assert "".join(export_texts(FORMATS[form], export_of(corpus, table=table.stem))) == text


@pytest.mark.full
def test_the_published_texts_import_to_the_published_ids(row, tmp_path):
    tests, *_, corpus = row
    put_export(FORMATS["tree-artifact"], export_of(corpus), tmp_path / "tree")
    import_tests([tmp_path / "tree"], FORMATS["artifact"], tmp_path / "again.corpus")
    records = map(json.loads, Corpus(tmp_path / "again.corpus").lines())
    assert {(record["id"], *record["aliases"]) for record in records} == {
        (id_of(test.program), test.alias) for test in tests
    }


def test_the_fourteen_that_store_nothing_new_are_named(published, synth):
    from conftest import FOLDER

    ran = synth("corpus", "import", FOLDER / "2t_3i.json", "--format", "published", "--out", "row.corpus")
    broken = [test.alias for test in published("2x3") if "effective-stores" in broken_rules(test.program)]
    assert len(broken) == 14
    assert (ran.code, ran.err) == (0, "")
    assert f"without effective-stores, which 14 tests break: {', '.join(broken)}\n" in ran.out
    assert Corpus(Path("row.corpus")).manifest.question.without == ("effective-stores",)


# --- the command ---


def test_a_session_of_import_is_as_in_its_golden_file(synth, tmp_path, unusual):
    (tmp_path / "given.txt").write_text(
        f"{unusual}\n{text_of(SPINNER, MUTEX, IDLE, ALONE, names=['s/0', 'm', 'i/1', 'alone'])}"
    )
    (tmp_path / "wrong.csv").write_text(f"id,fair.weak\n{SPINNER},fail\n")
    sessions = [
        ("corpus", "import", "given.txt", "--format", "text", "--out", "new.corpus"),
        ("corpus", "import", "given.txt", "--format", "text", "--out", "new.corpus"),
        ("corpus", "import", "given.txt", "--format", "text", "--out", "new.corpus", "--force", "--json"),
        ("corpus", "export", "new.corpus", "--format", "csv"),
        ("corpus", "import", "wrong.csv", "--format", "csv", "--out", "wrong.corpus"),
        ("corpus", "export", "wrong.corpus", "--format", "mustpass", "--model", "fair.weak", "--out", "list.txt"),
        ("corpus", "export", "wrong.corpus", "--format", "mustpass", "--model", "fair.weak", "--out", "list.txt"),
        ("corpus", "export", "@complete/2x2", "--format", "tree"),
        ("corpus", "export", "@complete/2x2", "--format", "herd", "--model", "fair.weak", "--table", "phone"),
        ("corpus", "export", "@complete/2x2", "--force"),
    ]
    check_file(GOLDEN / "session-import.txt", "\n".join(transcript(words, synth(*words)) for words in sessions))
    assert (tmp_path / "list.txt").read_text() == f"{SPINNER}\n"


@pytest.mark.parametrize("command", ["export", "import"])
def test_the_help_says_what_each_format_is_that_the_command_takes(synth, command):
    _, _, told = " ".join(synth("corpus", command, "--help").out.split()).partition("Formats: ")
    fit = [form for form in FORMATS.values() if command == "export" or form.read is not None]
    assert told.startswith(" ".join(f"{form.name} {form.says}" for form in fit))
